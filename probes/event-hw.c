/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's generic hardware events, by the names that perf gives them.
 */
#include "event-source.h"

#include <string.h>
#include <strings.h>

struct hardware_event {
	const char *name;
	const char *alias;
	uint64_t config;
	const char *help;
};

static const struct hardware_event hardware_events[] = {
    {"cpu-cycles", "cycles", PERF_COUNT_HW_CPU_CYCLES,
     "CPU cycles, at the frequency of the moment"},
    {"instructions", NULL, PERF_COUNT_HW_INSTRUCTIONS, "retired instructions"},
    {"cache-references", NULL, PERF_COUNT_HW_CACHE_REFERENCES,
     "cache accesses, as a rule to the last level"},
    {"cache-misses", NULL, PERF_COUNT_HW_CACHE_MISSES, "cache misses, as a rule of the last level"},
    {"branch-instructions", "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "retired branches"},
    {"branch-misses", NULL, PERF_COUNT_HW_BRANCH_MISSES, "mispredicted branches"},
    {"bus-cycles", NULL, PERF_COUNT_HW_BUS_CYCLES, "cycles of the bus"},
    {"stalled-cycles-frontend", "idle-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
     "cycles without instructions from the front end"},
    {"stalled-cycles-backend", "idle-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
     "cycles in which the back end took no instruction"},
    {"ref-cycles", NULL, PERF_COUNT_HW_REF_CPU_CYCLES,
     "cycles at a constant frequency, while not halted"},
};

static int resolve(struct event_scan *scan, const char *name)
{
	for (size_t i = 0; i < sizeof(hardware_events) / sizeof(hardware_events[0]); i++) {
		const struct hardware_event *e = &hardware_events[i];

		if (!strcasecmp(name, e->name) || (e->alias && !strcasecmp(name, e->alias)))
			return event_scan_add_generic(scan, name, PERF_TYPE_HARDWARE, e->config);
	}
	return 0;
}

static int enumerate(struct event_scan *scan, event_known_fn *fn, void *context)
{
	int e = 0;

	(void)scan;
	for (size_t i = 0; i < sizeof(hardware_events) / sizeof(hardware_events[0]) && !e; i++) {
		const struct hardware_event *h = &hardware_events[i];

		e = fn(context, &(struct event_known){h->name, h->alias, "hardware", h->help});
	}
	return e;
}

const struct event_source event_source_hardware = {"hardware", resolve, enumerate};
