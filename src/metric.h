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
	METRIC_SCOPE,	/* of a part of the run, by probes */
};

/* What a metric says of its scope; first what became of the calls, then what they cost. */
enum scope_part {
	PART_NONE,	  /* of no scope */
	PART_CALLS,	  /* entries, by a probe that only counts */
	PART_LOST,	  /* calls whose samples did not fit the ring buffer */
	PART_NOT_COUNTED, /* no hardware counter was free while they ran */
	PART_UNFOLLOWED,  /* in threads or processes that this kernel cannot follow */
	PART_MISSED,	  /* returns that the kernel had no slot for */
	PART_UNRETURNED,  /* never returned, or by longjmp or an exception */
	PART_INTERRUPTED, /* share of the measured calls in which a context switch or a migration fell */
	PART_MEAN,	  /* cost a call */
	PART_P50,
	PART_P99,
	PART_TOTAL,	  /* cost of all calls of a run, inclusive */
	PART_SELF,	  /* without that of other scopes nested in it */
	PART_SHARE,	  /* total, of the whole run's without what probing added */
	PART_OVERHEAD,	  /* a call: what probing added, as calibrated; it is taken off */
	PART_OVERHEAD_SE, /* and its standard error */
	PART_PROBED,	  /* the whole run's, under probes */
	SCOPE_PARTS
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
	int slot;	/* METRIC_COUNTER: index of its event; METRIC_SCOPE: likewise, -1 for time; METRIC_TOOL: enum tool_event; METRIC_EXTRACT: which; else -1 */
	int cpu;	/* with a row a CPU: its number, else -1 */
	long *operands; /* METRIC_EXPR: indices of the metrics that expr_name(expr, i) names */
	double scale;	/* METRIC_COUNTER: raw count × scale = value in unit */
	bool shown;	/* false: counted for the sake of an expression only */
	double margin;	/* differences within it are the same, a fraction; NaN: as the plan says */
	const char *note; /* a built-in derived metric: the words beside it, "insn per cycle"; else NULL */
	char *beside;	/* and the name of the metric on whose row it is shown */
	char *reason;	/* why it cannot be measured at all here, NULL if it can */
	bool probed;	/* its values come from the runs that were probed, else from those that were not */
	char *scope;	/* METRIC_SCOPE: the scope's name; SCOPE_REST: what is in no scope; SCOPE_WHOLE: all; else NULL */
	char *of;	/* METRIC_SCOPE: the event as counted, "cycles:u", or "duration_time"; NULL for counts of calls */
	enum scope_part part;
	int number;	/* METRIC_SCOPE: index of its scope where it is measured, else -1 */
};

/* Scopes that nobody can give to another part of the run. */
#define SCOPE_REST "rest"
#define SCOPE_WHOLE "probed"

/* What follows the event, or the scope's '/', in a metric's name: ".total", "calls"; PART_NONE for a word that is none. */
const char *scope_part_word(enum scope_part part);
enum scope_part scope_part_find(const char *word, size_t len);
/* True for parts that are of an event. */
static inline bool scope_part_is_cost(enum scope_part part)
{
	return part >= PART_MEAN;
}

struct metric_list {
	struct metric *v;
	size_t n;
};

/* The index of the metric whose name, or else whose name as asked, is NAME; -1 if there is none. */
long metric_find(const struct metric_list *list, const char *name);
/* The same of what was counted as NAME only: cycles, which was asked for, may have been counted as cycles:u. */
long metric_find_counted(const struct metric_list *list, const char *name);

/* Appends a zeroed metric and returns it, NULL if out of memory. Pointers into the list become invalid. */
struct metric *metric_append(struct metric_list *list);
/* Takes the metric at INDEX out of LIST; none may have it as an operand, nor one that comes after it. */
void metric_list_remove(struct metric_list *list, size_t index);
void metric_list_release(struct metric_list *list);

/*
 * Appends the metric NAME = EXPR, whose operands are looked up in LIST: on PMU (a prefix of names, "cpu_atom") first if that is not
 * NULL. Takes EXPR over in any case. 0, -ENOMEM, or with an operand in *MISSING -ENOENT (there is no such metric) or -EXDEV (it
 * comes from probed runs and those before it from bare ones, or the other way round).
 */
int metric_append_expr(struct metric_list *list, const char *name, struct expr *expr, const char *pmu,
		       const char **missing);

/* Appends the built-in derived metrics whose events are in LIST, one for each PMU, CPU and modifier. 0 or -ENOMEM. */
int metric_append_derived(struct metric_list *list);

/* The value of METRIC_EXPR metric M from VALUES, one a metric of its list; *DIVIDED as in expr_eval(). */
double metric_eval(const struct metric *m, const double *values, bool *divided);

/*
 * The table of what is known about events by name: "cycles", "task-clock", "L1-dcache-load-misses". Modifiers and PMU
 * prefixes are ignored. Unknown names are neutral.
 */
enum direction metric_direction_of(const char *event);

/*
 * One of the built-in derived metrics: IPC, GHz, miss rates, CPUs utilised. Each is a ratio of two events, shown on the
 * row of the first, as in perf stat.
 */
struct derived_info {
	const char *name; /* "ipc" */
	const char *numerator;
	const char *denominator;
	const char *unit;
	enum direction direction;
	const char *note; /* "insn per cycle" */
};
extern const struct derived_info derived_metrics[];
extern const size_t n_derived_metrics;
/* The one called NAME; NULL if there is none, or NAME is NULL. */
const struct derived_info *derived_find(const char *name);

#endif
