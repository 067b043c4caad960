/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's hardware cache events: CACHE[-OPERATION][-RESULT], such as L1-dcache-load-misses.
 */
#include "event-source.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The first name of each row is the one that is listed. */
struct cache_words {
	const char *words[6];
	unsigned value;
	const char *help;
};

static const struct cache_words caches[] = {
    {{"L1-dcache", "l1-d", "l1d", "L1-data"}, PERF_COUNT_HW_CACHE_L1D, "first-level data cache"},
    {{"L1-icache", "l1-i", "l1i", "L1-instruction"},
     PERF_COUNT_HW_CACHE_L1I,
     "first-level instruction cache"},
    {{"LLC", "L2"}, PERF_COUNT_HW_CACHE_LL, "last-level cache"},
    {{"dTLB", "d-tlb", "Data-TLB"}, PERF_COUNT_HW_CACHE_DTLB, "data TLB"},
    {{"iTLB", "i-tlb", "Instruction-TLB"}, PERF_COUNT_HW_CACHE_ITLB, "instruction TLB"},
    {{"branch", "branches", "bpu", "btb", "bpc"},
     PERF_COUNT_HW_CACHE_BPU,
     "branch prediction unit"},
    {{"node"}, PERF_COUNT_HW_CACHE_NODE, "memory of the NUMA node"},
};

/* The first word is that with a result after it, the second that without. */
static const struct cache_words operations[] = {
    {{"load", "loads", "read"}, PERF_COUNT_HW_CACHE_OP_READ, "reads"},
    {{"store", "stores", "write"}, PERF_COUNT_HW_CACHE_OP_WRITE, "writes"},
    {{"prefetch", "prefetches", "speculative-read", "speculative-load"},
     PERF_COUNT_HW_CACHE_OP_PREFETCH,
     "prefetches"},
};

static const struct cache_words results[] = {
    {{"refs", "Reference", "ops", "access"}, PERF_COUNT_HW_CACHE_RESULT_ACCESS, ""},
    {{"misses", "miss"}, PERF_COUNT_HW_CACHE_RESULT_MISS, " that missed"},
};

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* The caches of code and of branches are only read. */
static bool makes_sense(unsigned cache, unsigned operation)
{
	switch (cache) {
	case PERF_COUNT_HW_CACHE_L1I:
		return operation != PERF_COUNT_HW_CACHE_OP_WRITE;
	case PERF_COUNT_HW_CACHE_ITLB:
	case PERF_COUNT_HW_CACHE_BPU:
		return operation == PERF_COUNT_HW_CACHE_OP_READ;
	default:
		return true;
	}
}

/* Takes the longest word of TABLE off *TEXT, and a '-' before it. NULL if there is none. */
static const struct cache_words *take(const char **text, const struct cache_words *table, size_t n,
				      bool dash)
{
	const struct cache_words *found = NULL;
	const char *p = *text;
	size_t longest = 0;

	if (dash && *p++ != '-')
		return NULL;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < ROWS(table[i].words) && table[i].words[k]; k++) {
			size_t len = strlen(table[i].words[k]);

			if (len <= longest || strncasecmp(p, table[i].words[k], len) ||
			    (p[len] != '\0' && p[len] != '-'))
				continue;
			found = &table[i];
			longest = len;
		}
	}
	if (found)
		*text = p + longest;
	return found;
}

static int resolve(struct event_scan *scan, const char *name)
{
	const char *rest = name;
	const struct cache_words *cache = take(&rest, caches, ROWS(caches), false);
	const struct cache_words *operation = NULL, *result = NULL;
	unsigned op, res;

	if (!cache)
		return 0;
	for (int i = 0; i < 2 && *rest; i++) {
		if (!operation)
			operation = take(&rest, operations, ROWS(operations), true);
		if (!result)
			result = take(&rest, results, ROWS(results), true);
	}
	if (*rest)
		return 0;
	op = operation ? operation->value : (unsigned)PERF_COUNT_HW_CACHE_OP_READ;
	res = result ? result->value : (unsigned)PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	if (!makes_sense(cache->value, op))
		return 0;
	return event_scan_add_generic(scan, name, PERF_TYPE_HW_CACHE,
				      cache->value | op << 8 | res << 16);
}

static int enumerate(struct event_scan *scan, event_known_fn *fn, void *context)
{
	char name[64], help[96];
	int e = 0;

	(void)scan;
	for (size_t i = 0; i < ROWS(caches) * ROWS(operations) * ROWS(results) && !e; i++) {
		const struct cache_words *c = &caches[i / ROWS(results) / ROWS(operations)];
		const struct cache_words *o = &operations[i / ROWS(results) % ROWS(operations)];
		const struct cache_words *r = &results[i % ROWS(results)];
		bool missed = r->value == PERF_COUNT_HW_CACHE_RESULT_MISS;

		if (!makes_sense(c->value, o->value))
			continue;
		snprintf(name, sizeof(name), "%s-%s%s%s", c->words[0], o->words[!missed],
			 missed ? "-" : "", missed ? r->words[0] : "");
		snprintf(help, sizeof(help), "%s: %s%s", c->help, o->help, r->help);
		e = fn(context, &(struct event_known){name, NULL, "cache", help});
	}
	return e;
}

const struct event_source event_source_cache = {"cache", resolve, enumerate};
