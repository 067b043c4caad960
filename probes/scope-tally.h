/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums and the distribution of the calls of one run, in memory that does not grow with their
 * number; and the sums of those of each CPU, where these are to be told apart.
 *
 * A distribution is a histogram: exact for costs below 2048, and from there on 1024 intervals for
 * each power of two, so that a percentile is within 0.05 % of a value that occurred.
 */
#ifndef ABSTAT_SCOPE_TALLY_H
#define ABSTAT_SCOPE_TALLY_H

#include <stdint.h>

#include "scope-pair.h"
#include "scope-set.h"

#define HISTOGRAM_BLOCKS 55

struct histogram {
	uint64_t *blocks[HISTOGRAM_BLOCKS]; /* the first of 2048 counts, others of 1024; or NULL */
	uint64_t n;
	double min, max;
};

/* Values below 0 count as 0. Returns 0 or -ENOMEM. */
int histogram_add(struct histogram *h, double value);

/* The value at or below which the fraction Q (0 to 1) of them is; NAN where there is none. */
double histogram_quantile(const struct histogram *h, double q);
void histogram_reset(struct histogram *h);
void histogram_release(struct histogram *h);

struct tally;

/* LAYOUT and CONFIG are borrowed. NULL: no memory. */
struct tally *tally_new(const struct pair_layout *layout, const struct scope_config *config);
void tally_free(struct tally *t);
void tally_reset(struct tally *t);

/* Where calls go: into this tally. */
struct pair_sink tally_sink(struct tally *t);

/* True where memory ran out, so that percentiles are not to be had. */
bool tally_failed(const struct tally *t);

/* Fills in costs, outermost and those of CPUs of RESULT; costs that no member counts are NAN. */
void tally_result(const struct tally *t, struct scope_result *result);

#endif
