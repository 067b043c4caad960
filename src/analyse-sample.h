/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples: what is known of one metric on one side, ready for the statistics: values with their blocks, values
 * that are means of boots, or a summary that another tool printed.
 */
#ifndef ABSTAT_ANALYSE_SAMPLE_H
#define ABSTAT_ANALYSE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyse.h"
#include "judge.h"
#include "series.h"

struct sample {
	struct series series; /* of all sources, one after the other */
	bool summary;	      /* no values: n, mean and sd */
	size_t n;
	double mean, sd;
	bool sd_borrowed;
	size_t runs, failed;  /* of the side: measured, and of these failed */
	double running_percent; /* NaN: no counter counts it */
	bool upper_bound;
	enum null_reason missing; /* the commonest reason why runs have no value */
	const char *reason;   /* in words, NULL if every run has a value */
};

/*
 * Takes METRIC (by its name as counted) of SIDE. A side without such a metric gives n = 0 and a reason. 0 or -ENOMEM.
 */
int sample_take(struct sample *s, const struct analyse_side *side, const char *metric);

/* Replaces the values by the means of each boot. BOOTS (at least as many as there are sources) counts them. -ENOMEM. */
int sample_by_boot(struct sample *s, const struct analyse_side *side, const char *metric);

/* How many boots SIDE comes from; records whose boot is not known count as one each. */
size_t side_boots(const struct analyse_side *side);

/* As judge() takes it; borrowed from S. */
struct judge_side sample_side(const struct sample *s);

void sample_release(struct sample *s);

#endif
