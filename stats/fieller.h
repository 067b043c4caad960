/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fieller.h - the interval of a ratio of two means.
 *
 * Fieller, J. R. Stat. Soc. B 16 (1954): the ratios r for which mean_b - r mean_a is not
 * rejected, with Welch's degrees of freedom. Where the baseline's mean cannot be told from 0,
 * the set has no ends: then the interval is (-inf, inf) and bounded is false.
 */
#ifndef ABSTAT_STATS_FIELLER_H
#define ABSTAT_STATS_FIELLER_H

#include <stdbool.h>

struct welch;

struct fieller {
	double ratio; /* mean_b / mean_a */
	double low, high;
	bool bounded;
};

/* -EDOM where mean_a is 0, -EINVAL for a level outside (0, 1), -ERANGE on overflow. */
int fieller_interval(struct fieller *f, const struct welch *w, double level);

#endif
