/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the three outputs of perf stat have in common: a row an event. */
#ifndef ABSTAT_IMPORT_PERF_H
#define ABSTAT_IMPORT_PERF_H

#include "import-build.h"

struct perf_row {
	const char *event;  /* as printed */
	const char *unit;   /* as printed: "msec", "" */
	const char *suffix; /* of -A and the like: "CPU0"; "" */
	double value;       /* as printed; NaN with a reason */
	enum null_reason reason;
	uint64_t n;         /* runs; 0: unknown */
	double spread;      /* "+-" in percent, NaN: not printed */
	double spread_step; /* what the last digit printed of it stands for */
	double running;     /* share of the time, from 0 to 1 */
};

/* Adds the row to the build, under our names and in our units. 0 or -errno with a message. */
int perf_row_add(struct import_build *b, uint32_t variant, uint32_t row, const struct perf_row *p);

/* "<not counted>" and "<not supported>": their reason; NULL_NONE for anything else. */
enum null_reason perf_not_a_value(const char *text, size_t len);

/*
 * Counts how often each event came. Where perf stat was appended to one file, an event that comes
 * again is of the next run, or, where the rows are means, of the next measurement, which becomes a
 * variant of its own.
 */
struct perf_repeats {
	json_t *seen;
};
void perf_repeats_init(struct perf_repeats *repeats);
void perf_repeats_release(struct perf_repeats *repeats);

/* perf_row_add() where the row belongs. */
int perf_repeats_add(struct perf_repeats *repeats, struct import_build *b,
		     const struct perf_row *p);

/* Says, once, what a spread or a number of runs that perf rounds or leaves out was taken for. */
struct perf_notes {
	bool rounded_spread;
	bool unknown_runs;
	size_t unread_lines;
};
int perf_notes_add(const struct perf_notes *notes, const struct import *in, struct record *r);

/* True if P will be taken with a spread of half its last digit, because 0.00% is printed for what
 * may be more. */
bool perf_spread_is_rounded(const struct perf_row *p);

#endif
