/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's software events, by the names that perf gives them.
 */
#include "event-source.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

struct software_event {
	const char *name;
	const char *alias;
	uint64_t config;
	const char *unit;
	const char *help;
};

static const struct software_event software_events[] = {
    {"cpu-clock", NULL, PERF_COUNT_SW_CPU_CLOCK, "ns", "time on a CPU, by the CPU's clock"},
    {"task-clock", NULL, PERF_COUNT_SW_TASK_CLOCK, "ns", "time on a CPU, by the task's clock"},
    {"page-faults", "faults", PERF_COUNT_SW_PAGE_FAULTS, "", "page faults"},
    {"minor-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN, "",
     "page faults without input or output"},
    {"major-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "", "page faults that read from a disk"},
    {"context-switches", "cs", PERF_COUNT_SW_CONTEXT_SWITCHES, "", "switches to another task"},
    {"cpu-migrations", "migrations", PERF_COUNT_SW_CPU_MIGRATIONS, "", "moves to another CPU"},
    {"alignment-faults", NULL, PERF_COUNT_SW_ALIGNMENT_FAULTS, "",
     "unaligned accesses that the kernel had to mend"},
    {"emulation-faults", NULL, PERF_COUNT_SW_EMULATION_FAULTS, "",
     "instructions that the kernel had to emulate"},
    {"bpf-output", NULL, PERF_COUNT_SW_BPF_OUTPUT, "", "events that BPF programs wrote"},
    {"cgroup-switches", NULL, PERF_COUNT_SW_CGROUP_SWITCHES, "",
     "switches to a task of another cgroup"},
    {"dummy", NULL, PERF_COUNT_SW_DUMMY, "", "counts nothing"},
};

static int resolve(struct event_scan *scan, const char *name)
{
	for (size_t i = 0; i < sizeof(software_events) / sizeof(software_events[0]); i++) {
		const struct software_event *s = &software_events[i];
		struct event *event;

		if (strcasecmp(name, s->name) && (!s->alias || strcasecmp(name, s->alias)))
			continue;
		event = event_scan_add(scan, name, NULL);
		if (!event || event_set_string(&event->unit, s->unit) ||
		    event_set_string(&event->pmu, "software"))
			return -ENOMEM;
		event->attr.type = PERF_TYPE_SOFTWARE;
		event->attr.config = s->config;
		event->software = true;
		return 1;
	}
	return 0;
}

static int enumerate(struct event_scan *scan, event_known_fn *fn, void *context)
{
	int e = 0;

	(void)scan;
	for (size_t i = 0; i < sizeof(software_events) / sizeof(software_events[0]) && !e; i++) {
		const struct software_event *s = &software_events[i];

		e = fn(context, &(struct event_known){s->name, s->alias, "software", s->help});
	}
	return e;
}

const struct event_source event_source_software = {"software", resolve, enumerate};
