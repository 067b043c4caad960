/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * power.h - how many runs it takes to see an effect, and what a number of runs can show.
 *
 * Power of the t test by the noncentral t distribution, both tails counted. For the other tests
 * the planning rules below, found by simulation.
 */
#ifndef ABSTAT_STATS_POWER_H
#define ABSTAT_STATS_POWER_H

#include <stddef.h>

/* More runs for the rank test than for Student's, and for the looks than for a fixed n. */
#define POWER_RANK_FACTOR 1.15
#define POWER_LOOKS_FACTOR 1.09

/* The power that planning aims at. */
#define POWER_AIM 0.8

/*
 * Power of a two-sided two-sample t test with n values a side, for a true difference of delta
 * and a standard deviation of sd (> 0). NaN for n < 2 or arguments outside their domain.
 */
double power_two_sample(double n, double delta, double sd, double alpha);

/* Power of a two-sided paired t test with n pairs, sd_diff that of the differences. */
double power_paired(double n, double delta, double sd_diff, double alpha);

/*
 * The smallest n a side (pairs) with at least that power. -EINVAL for delta = 0 and arguments
 * outside their domain, -ERANGE above 10^9.
 */
int runs_for_two_sample(double delta, double sd, double alpha, double power, size_t *n);
int runs_for_paired(double delta, double sd_diff, double alpha, double power, size_t *n);

/* (qt(1 - alpha/2, df) + qt(power, df)) se. */
double smallest_visible(double se, double df, double alpha, double power);

/*
 * The standard deviation behind an interval for the difference of two groups of n, on its scale
 * (for a ratio: the logarithms of its ends), of the given level and not adjusted for looks:
 * (high - low) / (2 qt) sqrt(n / 2). NaN where it is unbounded.
 */
double sd_of_interval(double low, double high, size_t n, double level);

/*
 * What to multiply a pilot's sd by, so that it is too small in 1 of 5 plans only:
 * sqrt(df / qchisq(0.2, df)); 1.32 for 5 runs a side, 1.18 for 10, 1.12 for 20. df = 2 n - 2, or
 * as given (of a single sample: n - 1). NaN where df is not above 0.
 */
double pilot_inflation(size_t n);
double pilot_inflation_of(double df);

struct run_plan {
	size_t fixed;      /* runs a variant of a fixed-n experiment, rank test */
	size_t max_blocks; /* N of a group-sequential experiment of the same power */
	double expected;   /* blocks that one is expected to take where the effect is true: 0.79 */
};

/*
 * Runs to see delta with POWER_AIM at alpha by the rank test, where the values (logarithms) have
 * the given sd. At least 6. Errors as runs_for_two_sample().
 */
int plan_runs(struct run_plan *plan, double delta, double sd, double alpha);

#endif
