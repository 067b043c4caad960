/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events: a line for each notation, resolved on machines that are directories, and a line for each
 * mistake with its exact message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event-enumerate.h"
#include "event.h"

#define MACHINE(name)                                                                              \
	{                                                                                          \
		FIXTURES "/" name "/sysfs", FIXTURES "/" name "/procfs",                           \
		    FIXTURES "/" name "/tracefs"                                                   \
	}

static const struct event_roots hybrid = MACHINE("intel-hybrid");
static const struct event_roots amd = MACHINE("amd");
static const struct event_roots arm = MACHINE("arm64");
static const struct event_roots none = MACHINE("no-pmu");

/*
 * One event: NAME TYPE:CONFIG[:CONFIG1[:CONFIG2]], the levels that are left out (-u -k -h -G -H),
 * p, D and e, and the group as {N.
 */
static void describe(const struct event_list *list, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < list->n; i++) {
		const struct event *e = &list->events[i];
		const struct perf_event_attr *a = &e->attr;

		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "; " : "", e->name);
		if (e->tool)
			used += (size_t)snprintf(text + used, size - used, " tool %d", e->tool);
		else
			used += (size_t)snprintf(text + used, size - used, " %u:%llx", a->type,
						 (unsigned long long)a->config);
		if (a->config1 || a->config2)
			used += (size_t)snprintf(text + used, size - used, ":%llx",
						 (unsigned long long)a->config1);
		if (a->config2)
			used += (size_t)snprintf(text + used, size - used, ":%llx",
						 (unsigned long long)a->config2);
		used += (size_t)snprintf(
		    text + used, size - used, "%s%s%s%s%s", a->exclude_user ? " -u" : "",
		    a->exclude_kernel ? " -k" : "", a->exclude_hv ? " -h" : "",
		    a->exclude_guest ? " -G" : "", a->exclude_host ? " -H" : "");
		if (a->precise_ip)
			used +=
			    (size_t)snprintf(text + used, size - used, " p%d", (int)a->precise_ip);
		used += (size_t)snprintf(text + used, size - used, "%s%s", e->pinned ? " D" : "",
					 a->exclusive ? " e" : "");
		if (e->group >= 0)
			used += (size_t)snprintf(text + used, size - used, " {%d", e->group);
	}
}

struct notation {
	const struct event_roots *machine;
	const char *text;
	const char *expected;
};

static const struct notation notations[] = {
    /* perf's own names */
    {&amd, "cycles", "cycles 0:0"},
    {&amd, "cpu-cycles", "cpu-cycles 0:0"},
    {&amd, "CYCLES", "CYCLES 0:0"},
    {&amd, "instructions,cache-references,cache-misses",
     "instructions 0:1; cache-references 0:2; cache-misses 0:3"},
    {&amd, "branches,branch-instructions,branch-misses",
     "branches 0:4; branch-instructions 0:4; branch-misses 0:5"},
    {&amd, "bus-cycles,stalled-cycles-frontend,idle-cycles-backend,ref-cycles",
     "bus-cycles 0:6; stalled-cycles-frontend 0:7; idle-cycles-backend 0:8; ref-cycles 0:9"},
    {&none, "cycles", "cycles 0:0"},
    {&amd, "cpu-clock,task-clock,page-faults,faults,cs,context-switches",
     "cpu-clock 1:0; task-clock 1:1; page-faults 1:2; faults 1:2; cs 1:3; context-switches 1:3"},
    {&amd, "migrations,cpu-migrations,minor-faults,major-faults",
     "migrations 1:4; cpu-migrations 1:4; minor-faults 1:5; major-faults 1:6"},
    {&amd, "alignment-faults,emulation-faults,dummy,bpf-output,cgroup-switches",
     "alignment-faults 1:7; emulation-faults 1:8; dummy 1:9; bpf-output 1:a; cgroup-switches 1:b"},
    /* caches: the cache, the operation << 8, the result << 16 */
    {&amd, "L1-dcache-loads,L1-dcache-load-misses",
     "L1-dcache-loads 3:0; L1-dcache-load-misses 3:10000"},
    {&amd, "L1-dcache-stores,L1-dcache-prefetch-misses",
     "L1-dcache-stores 3:100; L1-dcache-prefetch-misses 3:10200"},
    {&amd, "L1-icache-load-misses,l1i,l1d-read-miss",
     "L1-icache-load-misses 3:10001; l1i 3:1; l1d-read-miss 3:10000"},
    {&amd, "LLC-loads,LLC-load-misses,LLC-store-misses,L2-refs",
     "LLC-loads 3:2; LLC-load-misses 3:10002; LLC-store-misses 3:10102; L2-refs 3:2"},
    {&amd, "dTLB-load-misses,dTLB-stores,iTLB-load-misses,iTLB-loads",
     "dTLB-load-misses 3:10003; dTLB-stores 3:103; iTLB-load-misses 3:10004; iTLB-loads 3:4"},
    {&amd, "branch-loads,branch-load-misses,bpu,node-loads,node-prefetch-misses",
     "branch-loads 3:5; branch-load-misses 3:10005; bpu 3:5; node-loads 3:6; node-prefetch-misses "
     "3:10206"},
    {&amd, "L1-dcache-speculative-read", "L1-dcache-speculative-read 3:200"},
    /* raw */
    {&amd, "r4,r1a8,r0x3C", "r4 4:4; r1a8 4:1a8; r0x3C 4:3c"},
    {&amd, "rffffffffffffffff", "rffffffffffffffff 4:ffffffffffffffff"},
    /* tool events */
    {&amd, "duration_time,user_time,max_rss",
     "duration_time tool 1; user_time tool 2; max_rss tool 4"},
    /* PMUs */
    {&amd, "cpu/event=0x3c,umask=0/", "cpu/event=0x3c,umask=0/ 4:3c"},
    {&amd, "cpu/event=0x1c3,umask=0xff,inv,cmask=2/",
     "cpu/event=0x1c3,umask=0xff,inv,cmask=2/ 4:10280ffc3"},
    {&amd, "cpu/event=0xfff/", "cpu/event=0xfff/ 4:f000000ff"},
    {&amd, "cpu/config=0x76,config1=16,config2=0x3/",
     "cpu/config=0x76,config1=16,config2=0x3/ 4:76:10:3"},
    {&amd, "cpu/cpu-cycles/", "cpu/cpu-cycles/ 4:76"},
    {&amd, "cpu/cycles/", "cpu/cycles/ 0:0"},
    {&amd, "cpu/L1-dcache-loads/u", "cpu/L1-dcache-loads/u 3:0 -k -h"},
    {&amd, "cpu/r3c/", "cpu/r3c/ 4:3c"},
    {&amd, "cpu//", "cpu// 4:0"},
    {&amd, "cpu/cpu-cycles,umask=1,period=1000,name=mine/", "mine 4:176"},
    {&amd, "amd_df/event=0x1f/", "amd_df/event=0x1f/ 8:1f"},
    {&arm, "cpu_cycles", "cpu_cycles 8:11"},
    {&arm, "armv8_pmuv3_0/inst_retired,long,rdpmc/",
     "armv8_pmuv3_0/inst_retired,long,rdpmc/ 8:8:3"},
    {&arm, "ccn/hnf_cache_miss,node=3/", "ccn/hnf_cache_miss,node=3/ 9:40003"},
    {&arm, "cycles", "cycles 0:0"},
    {&none, "cpu/event=0x3c,umask=0/", "cpu/event=0x3c,umask=0/ 4:0"},
    /* a hybrid machine: one for each core PMU */
    {&hybrid, "cycles", "cpu_core/cycles/ 0:400000000; cpu_atom/cycles/ 0:a00000000"},
    {&hybrid, "LLC-load-misses:u",
     "cpu_core/LLC-load-misses/u 3:400010002 -k -h; cpu_atom/LLC-load-misses/u 3:a00010002 -k -h"},
    {&hybrid, "r3c", "cpu_core/r3c/ 4:3c; cpu_atom/r3c/ 10:3c"},
    {&hybrid, "cpu_atom/cycles/", "cpu_atom/cycles/ 0:a00000000"},
    {&hybrid, "cpu_core/event=0xcd,umask=1,ldlat=30/k",
     "cpu_core/event=0xcd,umask=1,ldlat=30/k 4:1cd:1e -u -h"},
    {&hybrid, "cpu_core/mem-loads,ldlat=5/P", "cpu_core/mem-loads,ldlat=5/P 4:1cd:5 p3"},
    {&hybrid, "mem-loads", "cpu_core/mem-loads/ 4:1cd:3; cpu_atom/mem-loads/ 10:1cd:3"},
    {&hybrid, "slots", "slots 4:400"},
    {&hybrid, "cpu/event=1/", "cpu_core/event=1/ 4:1; cpu_atom/event=1/ 10:1"},
    {&hybrid, "{cycles,instructions}:u,page-faults",
     "cpu_core/cycles/u 0:400000000 -k -h {0; cpu_core/instructions/u 0:400000001 -k -h {0; "
     "cpu_atom/cycles/u 0:a00000000 -k -h {1; cpu_atom/instructions/u 0:a00000001 -k -h {1; "
     "page-faults 1:2"},
    {&hybrid, "{page-faults,cpu_core/cycles/,cpu_atom/cycles/}",
     "page-faults 1:2 {0; cpu_core/cycles/ 0:400000000 {0; cpu_atom/cycles/ 0:a00000000 {1"},
    {&hybrid, "uncore_imc/cas_count_read/",
     "uncore_imc_0/cas_count_read/ 20:304; uncore_imc_1/cas_count_read/ 21:304"},
    {&hybrid, "imc/cas_count_read/",
     "uncore_imc_0/cas_count_read/ 20:304; uncore_imc_1/cas_count_read/ 21:304"},
    {&hybrid, "energy-pkg", "energy-pkg 19:2"},
    /* tracepoints and breakpoints */
    {&amd, "sched:sched_switch", "sched:sched_switch 2:13a"},
    {&amd, "sched:sched_switch:u", "sched:sched_switch:u 2:13a -k -h"},
    {&amd, "sched:*", "sched:sched_switch 2:13a; sched:sched_wakeup 2:13e"},
    {&amd, "mem:0x1000/8:w", "mem:0x1000/8:w 5:0:1000:8"},
    {&amd, "mem:0x1000:x", "mem:0x1000:x 5:0:1000:8"},
    {&amd, "mem:0x1000:rw:u", "mem:0x1000:rw:u 5:0:1000:4 -k -h"},
    {&amd, "mem:0x1000,cs", "mem:0x1000 5:0:1000:4; cs 1:3"},
    /* libpfm4 */
    {&none, "perf::INSTRUCTIONS:u", "perf::INSTRUCTIONS:u 0:1 -k -h"},
    {&none, "perf::INSTRUCTIONS", "perf::INSTRUCTIONS 0:1"},
    {&none, "perf::INSTRUCTIONS:D", "perf::INSTRUCTIONS:D 0:1 D"},
#ifdef __x86_64__ /* libpfm4 knows the PMUs of one architecture */
    {&none, "skl::UOPS_RETIRED:TOTAL_CYCLES:u", "skl::UOPS_RETIRED:TOTAL_CYCLES:u 4:0"},
#endif
#ifdef __x86_64__ /* libpfm4 knows the PMUs of one architecture */
    {&amd, "skl::UOPS_RETIRED:ALL", "skl::UOPS_RETIRED:ALL 4:0"},
#endif
    /* modifiers */
    {&amd, "cycles:u,cycles:k,cycles:h,cycles:uk",
     "cycles:u 0:0 -k -h; cycles:k 0:0 -u -h; cycles:h 0:0 -u -k; cycles:uk 0:0 -h"},
    {&amd, "cycles:G,cycles:H,cycles:GH", "cycles:G 0:0 -H; cycles:H 0:0 -G; cycles:GH 0:0"},
    {&amd, "cycles:p,cycles:pp,cycles:ppp,cycles:P",
     "cycles:p 0:0 p1; cycles:pp 0:0 p2; cycles:ppp 0:0 p3; cycles:P 0:0 p3"},
    {&amd, "cycles:D,cycles:ue", "cycles:D 0:0 D; cycles:ue 0:0 -k -h e"},
    /* groups */
    {&amd, "{cycles,instructions}", "cycles 0:0 {0; instructions 0:1 {0"},
    {&amd, "cs,{cycles:u,cs}:k,{r1,r2}:D",
     "cs 1:3; cycles:uk 0:0 -h {0; cs:k 1:3 -u -h {0; r1:D 4:1 D {1; r2:D 4:2 D {1"},
    {&amd, "{cpu/event=1,umask=2/,cs}", "cpu/event=1,umask=2/ 4:201 {0; cs 1:3 {0"},
    {&amd, " cycles , instructions ", "cycles 0:0; instructions 0:1"},
};

static void test_notations(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(notations) / sizeof(notations[0]); i++) {
		struct event_list list = {0};
		char err[512] = "", text[1024];
		int e = event_list_parse(&list, notations[i].text, notations[i].machine, err,
					 sizeof(err));

		if (e)
			fail_msg("%s: %s", notations[i].text, err);
		describe(&list, text, sizeof(text));
		assert_string_equal(text, notations[i].expected);
		event_list_release(&list);
	}
}

static const struct notation mistakes[] = {
    {&none, "cylces",
     "unknown event 'cylces'; did you mean: cycles; 'abstat list' shows all that are known here"},
    {&none, "cache-mises:u",
     "unknown event 'cache-mises:u'; did you mean: cache-misses; 'abstat list' shows all that are "
     "known here"},
    {&none, "xyzzyxyzzyxyzzy",
     "unknown event 'xyzzyxyzzyxyzzy'; 'abstat list' shows all that are known here"},
    {&none, "L1-icache-stores",
     "unknown event 'L1-icache-stores'; did you mean: L1-dcache-stores; "
     "'abstat list' shows all that are known here"},
    {&none, "r", "unknown event 'r'; 'abstat list' shows all that are known here"},
    {&amd, "rg", "unknown event 'rg'; 'abstat list' shows all that are known here"},
    {&amd, "", "in '': an event is missing beside a comma or a brace"},
    {&amd, "cycles,", "in 'cycles,': an event is missing beside a comma or a brace"},
    {&amd, "cycles,,cs", "in 'cycles,,cs': an event is missing beside a comma or a brace"},
    {&amd, "{}", "in '{}': an event is missing beside a comma or a brace"},
    {&amd, "{cycles", "in '{cycles': a '{' has no '}'"},
    {&amd, "{cycles,{cs}}", "in '{cycles,{cs}}': a '{' has no '}'"},
    {&amd, "cycles}", "in 'cycles}': a brace stands where a comma belongs"},
    {&amd, "{cycles}cs", "in '{cycles}cs': a brace stands where a comma belongs"},
    {&amd, "{cycles}:", "in '{cycles}:': modifiers are missing after '}:'"},
    {&amd, "{cycles,duration_time}",
     "in '{cycles,duration_time}': a tool event is not counted by a counter and cannot be in a "
     "group"},
    {&amd, "cycles:x",
     "'cycles:x': unknown modifier 'x'; modifiers are u (user), k (kernel), h (hypervisor), G "
     "(guest), H (host), "
     "p, pp, ppp, P (precise), D (pinned), e (exclusive)"},
    {&amd, "cycles:S",
     "'cycles:S': the modifier S is for sampling: abstat counts, and reads no samples"},
    {&amd, "cycles:pppp", "'cycles:pppp': the modifier p may be given three times at most"},
    {&amd, "duration_time:u",
     "'duration_time:u': duration_time is not counted by a counter and takes no modifiers"},
    {&amd, "cpu/event=1",
     "in 'cpu/event=1': a '/' has no second one: terms are written PMU/TERM,.../"},
    {&amd, "cpu/event=0x1000/",
     "'cpu/event=0x1000/': 0x1000 is too big for the term 'event', which holds at most 0xfff"},
    {&amd, "cpu/event=a/", "'cpu/event=a/': 'a' is not a number for the term 'event'"},
    {&amd, "cpu/event=/",
     "'cpu/event=/': between the slashes belong TERM or TERM=VALUE, separated by commas"},
    {&amd, "cpu/evnt=1/",
     "'cpu/evnt=1/': the PMU 'cpu' has no term or event 'evnt'; its terms: cmask, edge, event, "
     "inv, umask; for its "
     "events see 'abstat list cpu/'"},
    {&amd, "foo/event=1/",
     "'foo/event=1/': this machine has no PMU 'foo'; it has: amd_df, breakpoint, cpu, software, "
     "tracepoint"},
    {&arm, "ccn/hnf_cache_miss/",
     "'ccn/hnf_cache_miss/': the event 'hnf_cache_miss' needs a value: ccn/hnf_cache_miss,node=N/"},
    {&none, "sched:sched_switch",
     "the tracepoint 'sched:sched_switch' cannot be looked up: tracefs is not mounted; mount it "
     "with 'mount -t "
     "tracefs tracefs /sys/kernel/tracing'"},
    {&amd, "sched:sched_swich",
     "unknown event 'sched:sched_swich'; did you mean: sched:sched_switch; 'abstat list' shows all "
     "that are known here"},
    {&amd, "mem:xyz", "'mem:xyz': an address must follow 'mem:'"},
    {&amd, "mem:0x10/9:r", "'mem:0x10/9:r': a length is 1 to 8 bytes"},
    {&amd, "mem:0x10:q",
     "'mem:0x10:q': a breakpoint is mem:ADDRESS[/LENGTH][:ACCESS], ACCESS of r, w and x"},
#ifdef __x86_64__
    {&amd, "amd64_fam19h_zen4::RETIRED_OOPS",
     "'amd64_fam19h_zen4::RETIRED_OOPS': libpfm4 knows no such event of the PMU amd64_fam19h_zen4 "
     "(AMD64 Fam19h Zen4); did you mean: RETIRED_OPS"},
#endif
};

static void test_mistakes(void **state)
{
	struct event_list list = {0};
	char err[512];

	(void)state;
	assert_int_equal(event_list_parse(&list, "{cs}", &none, err, sizeof(err)), 0);
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		int e = event_list_parse(&list, mistakes[i].text, mistakes[i].machine, err,
					 sizeof(err));

		if (strstr(err, "tracefs is not mounted") ? e != -EACCES
							  : e != -EINVAL && e != -ENOENT)
			fail_msg("%s: returned %d", mistakes[i].text, e);
		assert_string_equal(err, mistakes[i].expected);
		assert_int_equal(list.n, 1);
		assert_int_equal(list.n_groups, 1);
	}
	event_list_release(&list);
}

static void test_lists_are_appended(void **state)
{
	struct event_list list = {0};
	char err[512], text[512];

	(void)state;
	assert_int_equal(event_list_parse(&list, "{cs,faults}", &amd, err, sizeof(err)), 0);
	assert_int_equal(event_list_parse(&list, "cycles,{r1}", &amd, err, sizeof(err)), 0);
	describe(&list, text, sizeof(text));
	assert_string_equal(text, "cs 1:3 {0; faults 1:2 {0; cycles 0:0; r1 4:1 {1");
	assert_int_equal(list.n_groups, 2);
	event_list_release(&list);
}

static void test_facts_beside_the_encoding(void **state)
{
	struct event_list list = {0};
	const struct event *e;
	char err[512];

	(void)state;
	assert_int_equal(event_list_parse(&list,
					  "energy-pkg,cycles:u,task-clock,max_rss,"
					  "uncore_imc_0/cas_count_read/",
					  &hybrid, err, sizeof(err)),
			 0);
	e = list.events;
	assert_string_equal(e[0].unit, "Joules");
	assert_true(e[0].scale > 2.3e-10 && e[0].scale < 2.4e-10);
	assert_true(e[0].system_wide_only);
	assert_int_equal(e[0].n_cpus, 1);
	assert_string_equal(e[0].pmu, "power");
	assert_false(e[0].software);
	assert_string_equal(e[1].asked, "cycles:u");
	assert_string_equal(e[1].pmu, "cpu_core");
	assert_int_equal(e[1].n_cpus, 8);
	assert_false(e[1].system_wide_only);
	assert_string_equal(e[2].pmu, "cpu_atom");
	assert_int_equal(e[2].cpus[0], 8);
	assert_string_equal(e[3].unit, "ns");
	assert_true(e[3].software);
	assert_string_equal(e[4].unit, "bytes");
	assert_int_equal(e[4].tool, TOOL_MAX_RSS);
	assert_string_equal(e[5].unit, "MiB");
	event_list_release(&list);
}

static void test_words_of_expressions(void **state)
{
	(void)state;
	assert_true(event_name_known("cycles+x", 6, &amd));
	assert_true(event_name_known("cycles:u", 8, &amd));
	assert_true(event_name_known("user_time", 9, &amd));
	assert_true(event_name_known("cpu_core/cycles/u", 17, &hybrid));
	assert_false(event_name_known("cycle", 5, &amd));
	assert_false(event_name_known("", 0, &amd));
	assert_false(event_name_known("cycles:q", 8, &amd));
}

static void test_what_counts_without_a_pmu(void **state)
{
	struct event_list list = {0};
	char err[512];

	(void)state;
	assert_int_equal(event_list_parse(&list,
					  "task-clock,duration_time,cpu/event=0x3c/,"
					  "page-faults:u,cs",
					  &none, err, sizeof(err)),
			 0);
	event_list_probe(&list, false, &none);
	assert_int_equal(list.events[0].reason, EVENT_OK);
	assert_int_equal(list.events[1].reason, EVENT_OK);
	assert_int_equal(list.events[2].reason, EVENT_NO_PMU);
	assert_int_equal(list.events[3].reason, EVENT_OK);
	assert_false(list.events[3].user_only_fallback);
	event_list_release(&list);
}

static void test_uncore_events_are_for_the_whole_machine(void **state)
{
	struct event_list list = {0};
	char err[512];

	(void)state;
	assert_int_equal(event_list_parse(&list, "energy-pkg", &hybrid, err, sizeof(err)), 0);
	event_list_probe(&list, false, &hybrid);
	assert_int_equal(list.events[0].reason, EVENT_SYSTEM_WIDE_ONLY);
	event_list_release(&list);
}

struct seen {
	unsigned n;
	const struct event_roots *roots;
};

static int resolve_again(void *context, const struct event_known *known)
{
	struct seen *seen = context;

	seen->n++;
	/* A name that is listed can be used, except where sysfs asks for a parameter. */
	if (!strchr(known->help, '?') &&
	    !event_name_known(known->name, strlen(known->name), seen->roots))
		fail_msg("'%s' is listed but not known", known->name);
	if (known->alias && !event_name_known(known->alias, strlen(known->alias), seen->roots))
		if (!strchr(known->help, '?'))
			fail_msg("'%s' is listed but not known", known->alias);
	return 0;
}

static int stop(void *context, const struct event_known *known)
{
	(void)context;
	return !strcmp(known->kind, "tool") ? 7 : 0;
}

static void test_every_listed_name_resolves(void **state)
{
	static const struct event_roots *const machines[] = {&hybrid, &amd, &arm, &none};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct seen seen = {0, machines[i]};

		assert_int_equal(event_enumerate(machines[i], resolve_again, &seen), 0);
		assert_true(seen.n > 60);
	}
	assert_int_equal(event_enumerate(&none, stop, NULL), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_notations),
	    cmocka_unit_test(test_mistakes),
	    cmocka_unit_test(test_lists_are_appended),
	    cmocka_unit_test(test_facts_beside_the_encoding),
	    cmocka_unit_test(test_words_of_expressions),
	    cmocka_unit_test(test_what_counts_without_a_pmu),
	    cmocka_unit_test(test_uncore_events_are_for_the_whole_machine),
	    cmocka_unit_test(test_every_listed_name_resolves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
