/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The field's own experiments: a row each. */
#include "demos.h"

#include <string.h>

const struct demo demos[] = {
    {
	.name = "markers",
	.summary = "what instrumentation costs that is switched off",
	.question =
	    "40 instrumentation sites, all switched off, in the path of a call. Does it "
	    "matter whether a site reads its state from memory, has it in the code, or "
	    "is not there at all?",
	.shows =
	    "'ratio' is that of a call with sites to a bare one, made in turns in the "
	    "same run. State that is read from memory costs nothing that matters while "
	    "it is in a cache, and something when other data have pushed it out. State "
	    "in the code is the same as no sites at all, within 3 %.",
	.steps =
	    {
		{
		    .title =
			"Under memory pressure: 2000 random accesses to 10 MB before each call",
		    .primary = DEMO_OWN,
		    .options = {"--extract=ratio[,lower]=ratio ([0-9.]+)", "--primary=ratio",
				"--margin=3%", "--max-time=25s"},
		    .arguments = {{"loops", 1000, true}, {"accesses", 2000, false}},
		    .variants = {{.name = "none", .program = "markers-none"},
				 {.name = "immediate", .program = "markers-immediate"},
				 {.name = "memory", .program = "markers-memory"}},
		},
		{
		    .title = "Without memory pressure",
		    .primary = DEMO_OWN,
		    .options = {"--extract=ratio[,lower]=ratio ([0-9.]+)", "--primary=ratio",
				"--margin=3%", "--max-runs=1000", "--max-time=15s"},
		    .arguments = {{"loops", 1000, true}, {"accesses", 0, false}},
		    .variants = {{.name = "none", .program = "markers-none"},
				 {.name = "immediate", .program = "markers-immediate"},
				 {.name = "memory", .program = "markers-memory"}},
		},
	    },
    },
    {
	.name = "prefetch",
	.summary = "what a prefetch costs that is of no use",
	.question =
	    "A loop of prefetches of an address that is in the cache, or of NULL, as a "
	    "list walk makes one at the end of each list, or of nothing. What does each "
	    "cost?",
	.shows =
	    "The answer is this machine's own: some processors drop a prefetch of NULL, "
	    "others trap, or walk the page tables each time.",
	.steps =
	    {
		{
		    .primary = DEMO_USER,
		    .options = {"--max-runs=400", "--max-time=30s"},
		    .arguments = {{"count", 20000000, true}},
		    .variants = {{.name = "none", .program = "prefetch-none"},
				 {.name = "valid", .program = "prefetch-valid"},
				 {.name = "null", .program = "prefetch-null"}},
		},
	    },
    },
    {
	.name = "hlist",
	.summary = "whether prefetching the next node of a hash chain helps",
	.question =
	    "Lookups in a hash table that no cache holds, each to the end of its chain. "
	    "Does it help to prefetch the next node while one looks at this one?",
	.shows =
	    "'node' is the time that a node takes, without building the table. Which "
	    "variant is better, and whether it is so for both lengths, is this machine's "
	    "own answer; unclear is one, too.",
	.steps =
	    {
		{
		    .title = "Short chains: 4 nodes",
		    .primary = DEMO_OWN,
		    .options = {"--extract=node[ns,lower]=([0-9.]+) ns a node", "--primary=node",
				"--margin=3%", "--max-time=20s"},
		    .arguments = {{"chain", 4, false}, {"visits", 100000, true}},
		    .variants = {{.name = "plain", .program = "hlist-plain"},
				 {.name = "prefetch", .program = "hlist-prefetch"}},
		},
		{
		    .title = "Long chains: 64 nodes",
		    .primary = DEMO_OWN,
		    .options = {"--extract=node[ns,lower]=([0-9.]+) ns a node", "--primary=node",
				"--margin=3%", "--max-time=20s"},
		    .arguments = {{"chain", 64, false}, {"visits", 100000, true}},
		    .variants = {{.name = "plain", .program = "hlist-plain"},
				 {.name = "prefetch", .program = "hlist-prefetch"}},
		},
	    },
    },
    {
	.name = "buffer-init",
	.summary = "whether a buffer is better initialised when it is allocated or freed",
	.question =
	    "Buffers are allocated on one CPU, passed on, and freed on another one. A "
	    "change moves the initialisation of their headers from the free to the "
	    "allocation. Is that a gain, or has a cost only moved?",
	.shows =
	    "On two CPUs this machine decides: whose caches hold the header when it is "
	    "cleared. On one CPU the same is done by the same one, only later: no "
	    "difference. Where the allocation and the free can be probed as scopes, the "
	    "one is worse and the other better: the cost moved.",
	.steps =
	    {
		{
		    .title = "Allocated on one CPU, freed on another",
		    .primary = DEMO_ELAPSED,
		    .options = {"--margin=3%", "--max-runs=400", "--max-time=12s"},
		    .arguments = {{"cpus", 2, false}, {"buffers", 192, false}, {"count", 60000, true}},
		    .variants = {{.name = "at-free", .program = "buffer-init-at-free"},
				 {.name = "at-alloc", .program = "buffer-init-at-alloc"}},
		},
		{
		    .title = "Both on one CPU",
		    .primary = DEMO_USER,
		    .options = {"--margin=3%", "--max-runs=400", "--max-time=8s"},
		    .arguments = {{"cpus", 1, false}, {"buffers", 16, false}, {"count", 60000, true}},
		    .variants = {{.name = "at-free", .program = "buffer-init-at-free"},
				 {.name = "at-alloc", .program = "buffer-init-at-alloc"}},
		},
		{
		    .title = "Headers of 256 KiB, with the allocation and the free as scopes",
		    .primary = DEMO_ELAPSED,
		    .options = {"--margin=3%", "-r12", "--max-time=20s"},
		    .scopes = {"alloc=buffer_alloc", "free=buffer_free"},
		    .arguments = {{"cpus", 2, false}, {"buffers", 8, false}, {"count", 300, true},
				  {"bytes", 262144, false}},
		    .variants = {{.name = "at-free", .program = "buffer-init-at-free"},
				 {.name = "at-alloc", .program = "buffer-init-at-alloc"}},
		    .without = "With the privilege to define probes, as root has it, scopes would show "
			       "what the allocation lost, what the free won, and whether a cost only "
			       "moved:",
		},
	    },
    },
    {
	.name = "messaging",
	.summary = "whether hackbench sees one more pointer in a structure, or 3 % more work",
	.question =
	    "Senders and receivers pass messages. Does one more pointer in the structure "
	    "of each task make them slower? And would this benchmark notice 3 % more "
	    "work?",
	.shows =
	    "The pointer makes no difference, within the margin of 2 % that is stated "
	    "beforehand; 3 % more messages are worse. An experiment that misses those "
	    "cannot clear the pointer either: on a busy machine --scale=3 sees more.",
	.steps =
	    {
		{
		    .primary = DEMO_ALL,
		    .one_cpu = true,
		    .options = {"--margin=2%", "--max-runs=400", "--max-time=30s"},
		    .arguments = {{"loops", 200, true}},
		    .variants = {{.name = "plain", .program = "messaging"},
				 {.name = "pointer", .program = "messaging-pointer"},
				 {.name = "more", .program = "messaging-more"}},
		},
		{
		    .title = "The real hackbench: against itself, and with 3 % more messages",
		    .primary = DEMO_ALL,
		    .one_cpu = true,
		    .options = {"--margin=2%", "--max-runs=400", "--max-time=20s"},
		    .variants = {{.name = "hackbench", .program = "/hackbench",
				  .arguments = "-g 1 -f 5 -l 300"},
				 {.name = "again", .program = "/hackbench",
				  .arguments = "-g 1 -f 5 -l 300"},
				 {.name = "more", .program = "/hackbench",
				  .arguments = "-g 1 -f 5 -l 309"}},
		    .needs = "hackbench",
		    .without = "With hackbench installed (Debian's package rt-tests), it is "
			       "compared, too.",
		},
	    },
    },
    {
	.name = "alloc-loop",
	.summary = "what a thread's cache and signal safety cost an allocator",
	.question =
	    "Pairs of an allocation and a free of 128 bytes. Blocks come from a cache of "
	    "the thread's own, or from a common list; locking is plain, or safe in "
	    "signal handlers. What does each of the four cost or save, against the C "
	    "library's malloc?",
	.shows =
	    "Four cells against one baseline are four chances of a false alarm: the p "
	    "values are corrected for that (Holm). Blocking signals takes system calls, "
	    "and decides whatever the cache does.",
	.steps =
	    {
		{
		    .primary = DEMO_ALL,
		    .options = {"--max-time=30s"},
		    .arguments = {{"count", 100000, true}},
		    .variants = {{.name = "libc", .program = "alloc-libc"},
				 {.name = "cache,plain", .program = "alloc-cache-plain"},
				 {.name = "cache,safe", .program = "alloc-cache-signal"},
				 {.name = "common,plain", .program = "alloc-plain"},
				 {.name = "common,safe", .program = "alloc-signal"}},
		},
	    },
    },
    {0},
};

const struct demo *demo_find(const char *name)
{
	for (const struct demo *demo = demos; demo->name; demo++)
		if (!strcmp(demo->name, name))
			return demo;
	return NULL;
}
