/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics: what one number a run is, where it comes from, and which way is good.
 */
#ifndef ABSTAT_METRIC_H
#define ABSTAT_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expr;

enum direction {
	DIRECTION_NEUTRAL, /* more is neither good nor bad: a difference is called *changed* */
	DIRECTION_LOWER,   /* lower is better */
	DIRECTION_HIGHER,
};

enum metric_source {
	METRIC_COUNTER, /* a perf event */
	METRIC_TOOL,	/* the clock or wait4(2) */
	METRIC_EXPR,	/* computed from other metrics of the same run */
	METRIC_EXTRACT, /* printed by the workload */
	METRIC_IMPORT,	/* came with a file */
};

struct metric {
	char *name;	/* as counted: "cycles:u"; unique in its list */
	char *event;	/* as asked: "cycles" */
	char *unit;	/* "ns", "bytes", "Hz", "ratio", "" for plain counts */
	enum direction direction;
	enum metric_source source;
	char *formula;	/* METRIC_EXPR: as written; METRIC_EXTRACT: the regular expression; METRIC_COUNTER: encoding; else NULL */
	struct expr *expr; /* METRIC_EXPR; NULL in a list that was read from a file */
	int group;	/* the rotation group that counts it, -1: every run has it */
	int slot;	/* METRIC_COUNTER: slot in that group's counter set; METRIC_TOOL: enum tool_event; else -1 */
	double scale;	/* METRIC_COUNTER: raw count × scale = value in unit */
	bool shown;	/* false: counted for the sake of an expression only, or a built-in without a row of its own */
	char *reason;	/* why it cannot be measured at all here, NULL if it can */
};

struct metric_list {
	struct metric *v;
	size_t n;
};

/* The index of the metric whose name, or else whose name as asked, is NAME; -1 if there is none. */
long metric_find(const struct metric_list *list, const char *name);

/* Appends a zeroed metric and returns it, NULL if out of memory. Pointers into the list become invalid. */
struct metric *metric_append(struct metric_list *list);
void metric_list_release(struct metric_list *list);

/*
 * The table of what is known about events by name: "cycles", "task-clock", "L1-dcache-load-misses". Modifiers and PMU
 * prefixes are ignored. Unknown names are neutral.
 */
enum direction metric_direction_of(const char *event);

/* One of the built-in derived metrics: IPC, GHz, miss rates, CPUs utilised. */
struct derived_info {
	const char *name;    /* "ipc" */
	const char *formula; /* "instructions / cycles" */
	const char *unit;
	enum direction direction;
	const char *beside;  /* the event on whose row perf stat shows it */
	const char *note;    /* "insn per cycle" */
};
extern const struct derived_info derived_metrics[];
extern const size_t n_derived_metrics;

#endif
