/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Analysing: records to a report. Calls the statistics, never prints, measures nothing.
 *
 * Measuring calls it at each look, for the primary metric alone, and once at the end; `diff` and `report` call it
 * for what was saved or imported. The same runs give the same comparisons whichever way they came.
 */
#ifndef ABSTAT_ANALYSE_H
#define ABSTAT_ANALYSE_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"
#include "record.h"
#include "report.h"

/* One variant of one record. */
struct analyse_source {
	const struct record *record;
	size_t variant;
};

/* One side of comparisons: a variant, in one record or in those of several boots. */
struct analyse_side {
	const char *name;
	struct analyse_source *sources;
	size_t n_sources; /* at least 1 */
};

/* How much is computed. */
enum analyse_detail {
	ANALYSE_TESTS,	 /* the primary metric's tests only, for a look */
	ANALYSE_PRIMARY, /* all of the primary metric's comparisons */
	ANALYSE_ALL,
};

struct analyse_input {
	const struct analyse_side *sides;
	size_t n_sides;
	const struct record *const *records; /* all of them, the first is the report's */
	size_t n_records;
	const struct judge_options *judge;
	bool compare;	   /* false: summaries only, as for `stat` */
	enum analyse_detail detail;
};

/*
 * Fills *REPORT, which is initialised here. Returns 0, or STATUS_USAGE or STATUS_CANNOT_MEASURE with a message in ERR (an unknown
 * metric, baseline or pair; out of memory); *REPORT is to be released in any case. report->status is that of the gate.
 */
int analyse(struct report *report, const struct analyse_input *input, char *err, size_t err_size);

/* As analyse(), for all variants of one record. */
int analyse_record(struct report *report, const struct record *record, const struct judge_options *judge,
		   bool compare, enum analyse_detail detail, char *err, size_t err_size);

#endif
