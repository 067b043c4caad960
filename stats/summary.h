/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.h - what a sample looks like: mean, variance, order statistics, extremes.
 *
 * All functions of stats/ share these conventions:
 *   0 on success, else -errno and the result untouched:
 *   -EINVAL  a value is NaN or infinite, or a parameter is outside its domain;
 *   -EDOM    the quantity is not defined for this many values (n = 0, n = 1, ...);
 *   -ERANGE  finite values, but a result overflows;
 *   -ENOMEM  the memory that the comment names could not be had.
 * Nothing is allocated unless the comment says so, and what is allocated is freed again before
 * the function returns.
 */
#ifndef ABSTAT_STATS_SUMMARY_H
#define ABSTAT_STATS_SUMMARY_H

#include <stddef.h>

#include "sortvalues.h"

/* 1 / the upper quartile of the standard normal: MAD times this estimates its sd. */
#define MAD_TO_SD 1.482602218505602

/*
 * Mean and variance, one value at a time (Welford, Technometrics 4, 1962), of the values less
 * the first one, so that counts of 1e15 that differ by 1 keep every digit.
 * Start from {0}; the mean is moments_mean(), not a field.
 */
struct moments {
	size_t n;
	double origin; /* the first value */
	double offset; /* mean less origin */
	double m2;     /* sum of squared deviations from the mean */
	double min, max;
};

/* Adds x. -EINVAL and m unchanged where x is NaN or infinite, -ERANGE where it overflows. */
int moments_add(struct moments *m, double x);

/* All of x[0..n-1] into *m, which is started anew. n = 0 is allowed. */
int moments_of(struct moments *m, const double *x, size_t n);

/* Adds all that went into other (Chan, Golub and LeVeque, 1979). -ERANGE on overflow. */
int moments_merge(struct moments *m, const struct moments *other);

double moments_mean(const struct moments *m); /* NaN for n = 0 */

/*
 * Divisor n - 1; NaN for n < 2. The deviations are from the mean as a double holds it, as in R and
 * numpy: it is that mean which is compared. The difference shows only where the values differ in
 * their last bits.
 */
double moments_variance(const struct moments *m);
double moments_sd(const struct moments *m);       /* NaN for n < 2 */
double moments_sem(const struct moments *m);      /* standard error of the mean; NaN for n < 2 */

struct summary {
	size_t n;
	double mean;
	double variance, sd, sem; /* NaN for n = 1 */
	double sem_percent;       /* what perf prints as "+-": 100 sem / |mean|; NaN for mean 0 */
	double min, max;
	double median;
	double mad; /* median absolute deviation from the median, not scaled */
	double q25, q75, q90, q95, q99;
};

/*
 * Summarises x[0..n-1]. scratch holds n doubles, or is NULL: then n doubles are allocated for
 * the time of the call. Sorting them may need more, see sort_doubles(). -EDOM for n = 0.
 */
int summary_of(struct summary *s, const double *x, size_t n, double *scratch);

/* 0 where all values are finite, else -EINVAL. */
int check_finite(const double *x, size_t n);

/*
 * Quantile of sorted values, type 7 of Hyndman and Fan (American Statistician 50, 1996), R's
 * default: linear between the order statistics at (n - 1) p. NaN for n = 0 or p outside [0, 1].
 */
double sorted_quantile(const double *sorted, size_t n, double p);
double sorted_median(const double *sorted, size_t n);

/* Median absolute deviation from centre; scratch holds n doubles. NaN for n = 0. */
double mad_about(const double *x, size_t n, double centre, double *scratch);

#endif
