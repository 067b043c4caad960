/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calibrating: what a machine's noise hides, and how often it makes equal commands look different,
 * from a record in which one command was run as two variants in random blocks.
 *
 * The blocks are cut into separate, contiguous stretches of n blocks, and each is judged as a
 * comparison of n runs a side. The same 2n runs are judged once more as if the first n of them, in
 * the order run, had been A's and the last n B's: what AAAA-BBBB order would have made of this
 * noise. No run serves twice, and none is moved: pairs that are drawn from a pool give a
 * false-alarm rate of alpha whatever the noise is, and prove nothing.
 */
#ifndef ABSTAT_CALIBRATE_H
#define ABSTAT_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "proportion.h"
#include "record.h"

/* The runs a side that are tried: 10, 20, 50, 100. */
enum { CALIBRATE_SIZES = 4 };
extern const size_t calibrate_sizes[CALIBRATE_SIZES];

/* Fewer stretches than this give no rate. */
enum { CALIBRATE_FEW = 5 };

/* How often equal commands were called different. Shares are NaN where there are too few stretches.
 */
struct calibrate_rate {
	size_t alarms;
	struct proportion share;
};

/* One metric at n runs a side. */
struct calibrate_row {
	size_t n;
	size_t stretches;
	double half_width; /* of the interval of the change at 1 - alpha, median of the stretches, a
			      fraction; may be infinite, or NaN */
	double visible;    /* the smallest change that n shows with 80 % power, median, a fraction;
			      NaN: not known */
	struct calibrate_rate blocks; /* random blocks, the test that `compare` uses for n pairs */
	struct calibrate_rate sequence; /* the same runs as AAAA-BBBB, Mann-Whitney */
};

struct calibrate_metric {
	const char *name, *event, *unit; /* the record's */
	bool primary;
	bool deterministic; /* every run has the same value: there is no noise */
	size_t pairs;       /* blocks with a value on both sides */
	double mean, sd;    /* of all runs in them */
	const char *reason; /* why pairs is 0, else NULL */
	struct calibrate_row rows[CALIBRATE_SIZES];
};

struct calibration {
	const struct record *record;
	double alpha;
	size_t blocks; /* measured, in which no run failed */
	struct calibrate_metric *metrics;
	size_t n_metrics;
};

/*
 * Fills *C from RECORD, whose first two variants are the same command; the record must outlive it.
 * Returns 0 or -ENOMEM; *C is to be released in any case.
 */
int calibrate(struct calibration *c, const struct record *record, double alpha);
void calibration_release(struct calibration *c);

/*
 * The row that the closing sentence is about: 20 runs a side, or 10 where there are too few
 * stretches of 20. NULL: there are too few of both.
 */
const struct calibrate_row *calibrate_typical(const struct calibrate_metric *m);

/* The closing sentence, malloc'd; NULL if out of memory. */
char *calibration_sentence(const struct calibration *c);

#endif
