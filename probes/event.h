/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events: from the names that users write to what perf_event_open(2) takes.
 *
 * A list such as "cycles,{cache-misses,cache-references}:u,r4,cpu/event=0x3c/,sched:sched_switch"
 * is parsed and every name resolved: perf's own names, hardware cache names, raw rNNN, pmu/terms/
 * from sysfs, tracepoints from tracefs, libpfm4's names, and the tool events, which no counter
 * counts. Whether an event can be counted here is found out by opening it once and closing it
 * again.
 */
#ifndef ABSTAT_EVENT_H
#define ABSTAT_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where to read the machine from; fixtures of other machines are directories with the same layout.
 */
struct event_roots {
	const char *sysfs;   /* "/sys" */
	const char *procfs;  /* "/proc" */
	const char *tracefs; /* NULL: found by itself, /sys/kernel/tracing or .../debug/tracing */
};

extern const struct event_roots event_roots_default;

/* Numbers that abstat takes from the clock and from wait4(2), named where events are named. */
enum tool_event {
	TOOL_NONE = 0,
	TOOL_DURATION_TIME,        /* ns, spawn to the command's own exit */
	TOOL_USER_TIME,            /* ns, rusage */
	TOOL_SYSTEM_TIME,          /* ns, rusage */
	TOOL_MAX_RSS,              /* bytes, rusage */
	TOOL_MINOR_FAULTS,         /* rusage */
	TOOL_MAJOR_FAULTS,         /* rusage */
	TOOL_SWITCHES,             /* "switches", rusage: ru_nvcsw + ru_nivcsw */
	TOOL_VOLUNTARY_SWITCHES,   /* rusage: ru_nvcsw */
	TOOL_INVOLUNTARY_SWITCHES, /* rusage: ru_nivcsw */
	TOOL_BLOCK_READS,          /* rusage: ru_inblock, 512-byte units */
	TOOL_BLOCK_WRITES,         /* rusage: ru_oublock, 512-byte units */
	TOOL_EVENTS
};

struct tool_event_info {
	const char *name; /* "duration_time" */
	const char *unit; /* "ns", "bytes", "" */
	const char *help; /* one line for `abstat list` */
};

/* Indexed by enum tool_event; the entry of TOOL_NONE is empty. */
extern const struct tool_event_info tool_events[TOOL_EVENTS];

enum event_reason {
	EVENT_OK = 0,
	EVENT_NO_PMU,           /* no hardware counters here (a virtual machine without a PMU) */
	EVENT_NOT_SUPPORTED,    /* the PMU has no such event */
	EVENT_NOT_PERMITTED,    /* perf_event_paranoid or a missing capability */
	EVENT_SYSTEM_WIDE_ONLY, /* an uncore event: needs -a or -C */
	EVENT_FAILED,           /* anything else: see `error` */
};

struct event {
	char *asked;  /* as the user wrote it, modifiers included: "cycles", "cache-misses:u" */
	char *name;   /* as counted: "cycles:u" after the fall-back, "cpu_atom/cycles/" on a hybrid
			 PMU */
	char *unit;   /* of the scaled value: "ns" for clocks, sysfs .unit, "" for a plain count */
	double scale; /* raw count × scale = value in `unit` */
	enum tool_event tool; /* TOOL_NONE: a perf event, described by attr */
	struct perf_event_attr
	    attr;      /* type, config*, exclude_*, precise_ip as resolved; the rest zero */
	int group;     /* number of the {group} in the list, from 0, counted together; -1: none */
	bool pinned;   /* modifier D */
	bool software; /* never takes a hardware counter: software, tracepoint, uprobe, breakpoint,
			  tool */
	char *pmu; /* sysfs name of its PMU: "cpu", "cpu_atom", "software", ...; "" if unknown */
	int *cpus; /* those where it can be opened: cpumask of an uncore PMU, CPUs of a core PMU;
		      NULL: any */
	size_t n_cpus;
	bool system_wide_only;    /* of an uncore PMU: cannot be counted for a process */
	enum event_reason reason; /* EVENT_OK, or why it cannot be counted here */
	int error;                /* errno of the attempt to open it, 0 if EVENT_OK */
	bool user_only_fallback;  /* the kernel part was not permitted; name ends in :u */
};

struct event_list {
	struct event *events;
	size_t n;
	int n_groups;
};

/*
 * Appends the events of TEXT to LIST. An event on a hybrid machine gives one entry a core PMU.
 * Returns 0, or -EINVAL (syntax), -ENOENT (no such event), -EACCES (a tracepoint, which cannot be
 * looked up here), -ENOMEM with a message in ERR that names the event, and for an unknown one the
 * nearest names. On error LIST is as it was before.
 * Does not open anything.
 */
int event_list_parse(struct event_list *list, const char *text, const struct event_roots *roots,
		     char *err, size_t err_size);

/*
 * Finds out what can be counted here: opens each event once on the calling thread (system-wide:
 * on one CPU) and closes it. Where the kernel part is not permitted, retries with user space only,
 * appends ":u" to the name and sets user_only_fallback. Fills reason and error.
 */
void event_list_probe(struct event_list *list, bool system_wide, const struct event_roots *roots);

/* True if NAME, a word of an expression, resolves as an event or tool event. Nothing is opened. */
bool event_name_known(const char *name, size_t len, const struct event_roots *roots);

/* "no hardware counters in this virtual machine", ...: plain words, static storage. */
const char *event_reason_text(enum event_reason reason);

/* Takes the event at INDEX out of LIST. */
void event_list_remove(struct event_list *list, size_t index);
void event_list_release(struct event_list *list);

#endif
