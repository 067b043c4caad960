/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report: the analysed record as plain data, before anything is printed. A renderer reads it and computes nothing.
 *
 * A number that has no value is NaN, and the reason beside it says why. Relative changes are fractions. Strings that
 * belong to a record are borrowed: the records outlive the report.
 */
#ifndef ABSTAT_REPORT_H
#define ABSTAT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "moved.h"
#include "record.h"

enum verdict {
	VERDICT_NONE,	/* not judged: no values */
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_CHANGED,/* different, of a metric with no good direction */
	VERDICT_SAME,	/* within the margin */
	VERDICT_UNCLEAR,
};
const char *verdict_word(enum verdict v);

enum change_method { METHOD_NONE, METHOD_RANK, METHOD_WELCH, METHOD_MANN_WHITNEY, METHOD_SUMMARY, METHOD_EXACT, METHOD_COMBINED };
const char *change_method_word(enum change_method m);

struct interval {
	double low, high, level;
};

struct report_metric {
	const char *name, *event, *unit;
	enum direction direction;
	enum metric_source source;
	const char *formula; /* of a derived metric */
	const char *beside;  /* a built-in derived metric: the event on whose row it is shown, as in perf stat; else NULL */
	const char *note;    /* and the words there: "insn per cycle" */
	bool shown;	     /* has a row of its own */
	double margin;	     /* of its own, a fraction; NaN: none */
	bool primary;
	bool probed;	     /* from the runs that were probed */
	const char *scope;   /* METRIC_SCOPE: of which scope; else NULL */
	const char *of;	     /* and of which event; NULL: of its calls */
	enum scope_part part;
	bool on_cpu; /* of one CPU only, which is... */
	int cpu;
	bool untested;	     /* comparisons carry an interval and no verdict */
};

struct report_change;

/* What probing did to the whole run of a variant, in one event: bare runs are the baseline. */
struct report_probing {
	size_t metric; /* of the whole, as counted in the bare runs */
	struct report_change *change;
};

/* One variant's metric. */
struct report_cell {
	uint64_t n;	/* runs with a value */
	double mean, sd, sem_percent, median, min, max;
	struct interval ci; /* of the mean */
	double running_percent; /* of the time that it was enabled: 100 unless multiplexed; NaN where no counter counts */
	bool upper_bound; /* max_rss at the floor: the true value is at most this */
	enum null_reason missing; /* the class of that reason, NULL_NONE if every run has a value */
	const char *reason; /* why n is 0, or why fewer runs have a value than were run */
};

/* A cell without a value: NaN where there would be a number. */
extern const struct report_cell report_no_cell;

struct report_variant {
	const char *name, *command;
	char *const *argv;
	uint64_t runs, failed;
	struct report_cell *cells; /* one a metric */
	struct report_probing *probing; /* one an event that both bare and probed runs count */
	size_t n_probing;
};

/* One metric of one comparison: the variant relative to the baseline. */
struct report_change {
	uint64_t n;	/* pairs, or the smaller side's runs */
	uint64_t n_baseline, n_variant;
	bool absolute;	/* a zero among the values: estimate and interval are shifts in the metric's unit, not ratios */
	double estimate, low, high, level; /* fractions (−0.0027 is −0.27 %), or shifts */
	double half_width; /* of the interval, always a fraction; infinite where it is not bounded */
	enum change_method method;
	double p, p_adjusted, alpha; /* alpha: the level that p_adjusted was held against */
	struct {
		double estimate, low, high, level, t, df, p;
	} welch;
	struct {
		double margin, low, high, level, p;
	} equivalence;
	double ruled_out_above;  /* a worsening by more than this is ruled out, a fraction; NaN: nothing is */
	double smallest_visible; /* the smallest change that this n shows with 80 % power, a fraction */
	double runs_needed;	 /* blocks for a verdict at the margin, NaN if not unclear */
	bool within_margin;	 /* better or worse, but smaller than the margin */
	bool low_n;		 /* fewer than 6 pairs: Welch alone */
	bool disagree;		 /* rank test and Welch come to different answers */
	enum verdict verdict;
	const char *reason;	 /* why there is no verdict */
};

/* A part of the run in a comparison: its exclusive cost. */
struct report_part {
	const char *scope;
	enum moved_role role;
	struct moved_amount amount;
	double change; /* of its total, a fraction; NaN: some runs have none left */
	double change_low, change_high; /* the same where nothing scatters */
};

/* A scope whose number of calls changed. */
struct report_calls {
	const char *scope;
	double baseline, variant; /* means a run */
};

/* What is said across the scopes of a comparison. */
struct report_moved {
	enum moved_kind kind;
	bool grew; /* the whole is worse, by more than the margin */
	const char *metric, *unit; /* what is added up */
	uint64_t n;		   /* blocks, or the smaller side's runs */
	double level;		   /* of the intervals */
	struct report_part *parts;
	size_t n_parts;
	struct report_calls *calls;
	size_t n_calls;
	struct moved_amount won, lost, net;
	double whole, share; /* as in struct moved */
};

/* What the verdict of a comparison holds for. */
enum boot_scope {
	BOOT_UNKNOWN,
	BOOT_SAME,     /* both sides ran within the same boot or boots */
	BOOT_ONE_EACH, /* one boot a side: another boot may do otherwise */
	BOOT_IS_UNIT,  /* several boots a side: their means were compared */
};

enum gate_result { GATE_NONE, GATE_PASSED, GATE_WORSE, GATE_UNCLEAR };
const char *gate_result_word(enum gate_result g);

struct report_comparison {
	size_t baseline, variant; /* indices into variants */
	bool interleaved;
	enum boot_scope boots;
	struct report_change *changes; /* one a metric */
	enum verdict verdict;	  /* the primary metric's */
	enum gate_result gate;
	double gate_margin;
	const char *gate_metric;
	double gate_p_worse, gate_p_ruled_out;
	struct {
		size_t machines; /* 0: of one machine */
		double q, p;	 /* Cochran's Q, and its p */
		double i2, tau2; /* share of it beyond chance; variance between machines, of the logarithm of the ratio */
	} heterogeneity;
	struct report_moved *moved; /* NULL: there are no scopes, or they cannot be added up */
	char *sentence;		  /* the closing sentence in plain words */
};

struct report_warning {
	const char *code;   /* "autocorrelation" */
	const char *metric; /* NULL: of no single metric */
	char *text;	    /* what was seen and what to do */
};

struct evidence;

struct report {
	int status;	/* the exit status that goes with it */
	char *error;	/* NULL: none */
	const struct record *record; /* the first (or only) one: host, plan, notes */
	const struct record **records; /* all of them; the array is the report's */
	size_t n_records;
	size_t n_machines; /* the same comparison on several: metrics are machines then, and the last is all of them; 0: one */
	struct report_metric *metrics;
	size_t n_metrics;
	struct report_variant *variants;
	size_t n_variants;
	struct report_comparison *comparisons;
	size_t n_comparisons;
	struct report_warning *warnings;
	size_t n_warnings;
	struct evidence *evidence; /* what differs between the programs, see evidence.h; NULL: not looked at */
};

void report_init(struct report *r);

/* Frees what the report owns: the arrays in it, error, sentences and warnings' texts. Records and names are borrowed. */
void report_release(struct report *r);
/* The standard error of a cell's mean; NaN if there are fewer than two values. */
double report_cell_se(const struct report_cell *c);

/* The index of the primary metric, -1 if there is none. */
long report_primary(const struct report *r);

/* The index of what PART says of SCOPE, on all CPUs, in the event OF (NULL: of its calls); -1 if
 * there is none. */
long report_scope_metric(const struct report *r, const char *scope, enum scope_part part, const char *of);
/* Likewise what it says of the calls that ended on CPU. */
long report_cpu_metric(const struct report *r, const char *scope, int cpu, enum scope_part part,
		       const char *of);
/* The event whose totals are tested: that of the primary metric, else the first; NULL: there are no scopes. */
const char *report_scope_event(const struct report *r);
/*
 * Whether metric I of a scope helps to explain the totals that are tested: how often it is called,
 * what became of the calls if anything did, what a call costs in the event that decides, and what
 * those of each CPU do.
 */
bool report_scope_explains(const struct report *r, size_t i);
/* Whether others are nested in SCOPE of V: by itself it then costs less of OF than its total. */
bool report_scope_nested(const struct report *r, const struct report_variant *v, const char *scope,
			 const char *of);
/* True if metric I is the first of its scope. */
bool report_scope_begins(const struct report *r, size_t i);

/*
 * What a variant is called in tables and sentences: its name if that is short and was given, else a
 * letter: A, B, ..., Z, AA. Borrowed from the report or written to BUF.
 */
#define REPORT_LABEL_SIZE 8
const char *report_label(const struct report *r, size_t variant, char buf[REPORT_LABEL_SIZE]);
const char *report_letter(size_t variant, char buf[REPORT_LABEL_SIZE]);

int report_warn(struct report *r, const char *code, const char *metric, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
