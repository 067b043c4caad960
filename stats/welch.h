/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * welch.h - the difference of two means with unequal variances.
 *
 * Welch, Biometrika 34 (1947); degrees of freedom by Satterthwaite (1946). Assumes independent
 * values with finite variance; means are sensitive to outliers, so that a few of 5 % cost most
 * of its power. Effects are b relative to a.
 */
#ifndef ABSTAT_STATS_WELCH_H
#define ABSTAT_STATS_WELCH_H

#include <stdbool.h>
#include <stddef.h>

struct moments;

struct welch {
	size_t n_a, n_b;
	double mean_a, mean_b;
	double var_a, var_b; /* of the means: s^2 / n */
	double diff;         /* mean_b - mean_a */
	double se;           /* standard error of diff */
	double df;           /* n_a + n_b - 2 where se = 0 */
	double t;            /* 0, inf or -inf where se = 0 */
	double p;            /* two-sided */
	double p_greater;    /* evidence for b > a: P(T >= t) */
	double p_less;       /* evidence for b < a: P(T <= t) */
	bool deterministic;  /* neither side varies: p is 1 or 0, by equality */
};

/* From values. -EDOM where a side has fewer than 2, -EINVAL for NaN or infinities, -ERANGE. */
int welch_of(struct welch *w, const double *a, size_t n_a, const double *b, size_t n_b);

/* From streamed moments: as above. */
int welch_of_moments(struct welch *w, const struct moments *a, const struct moments *b);

/*
 * From published figures: mean, standard deviation and n a side. The values must have been
 * independent, which cannot be checked. -EINVAL for a negative sd.
 */
int welch_of_summaries(struct welch *w, double mean_a, double sd_a, size_t n_a, double mean_b,
		       double sd_b, size_t n_b);

/* The sd behind perf's "+- pct %", which is the standard error as a percentage of the mean. */
double sd_of_sem_percent(double mean, double sem_percent, size_t n);

/* Interval of mean_b - mean_a at level in (0, 1), else -EINVAL. */
int welch_interval(const struct welch *w, double level, double *low, double *high);

/*
 * One-sided tests of mean_b - shift against ratio * mean_a, with w's degrees of freedom, so that
 * they agree with welch_interval() (ratio = 1) and fieller_interval() (shift = 0).
 * *p_greater is the evidence for mean_b > ratio mean_a + shift, *p_less for the opposite.
 */
int welch_test_against(const struct welch *w, double ratio, double shift, double *p_greater,
		       double *p_less);

/* (qt(1 - alpha/2) + qt(power)) se: the difference that would have been seen with that power. */
double welch_smallest_visible(const struct welch *w, double alpha, double power);

#endif
