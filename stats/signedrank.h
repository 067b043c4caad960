/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signedrank.h - tests of paired differences: Wilcoxon's signed rank, its estimate, Student's t.
 *
 * Wilcoxon, Biometrics Bulletin 1 (1945); Hodges and Lehmann (1963) for the estimate: the median
 * of the Walsh averages (d[i] + d[j]) / 2, i <= j. They assume differences that are symmetric
 * about the true one. With 5 pairs the signed rank test cannot reject at 5 %: 2/32 is the least.
 */
#ifndef ABSTAT_STATS_SIGNEDRANK_H
#define ABSTAT_STATS_SIGNEDRANK_H

#include <stddef.h>

struct signed_rank {
	double v;         /* sum of the midranks of |d| that belong to positive differences */
	size_t n_nonzero; /* zeros are dropped before ranking */
	double p;         /* two-sided; 1 where all are zero */
	double p_greater; /* evidence for differences above 0 */
	double p_less;
};

/* Each allocates about 24 n bytes. -EDOM for n = 0, -EINVAL for NaN or infinities, -ENOMEM. */

/* The distribution of V without ties: n^2 / 2 doubles more; -EDOM above n = 1000. */
int signed_rank_exact(struct signed_rank *sr, const double *d, size_t n);

/* Normal, variance corrected for ties, continuity correction 1/2. */
int signed_rank_asymptotic(struct signed_rank *sr, const double *d, size_t n);

/*
 * Exact with ties too: all sign-flips. *count of *total flips have a V as far from its mean as
 * the one seen (either may be NULL; exact up to 2^53). -EDOM above n = 1000.
 */
int signed_rank_permutation(struct signed_rank *sr, const double *d, size_t n, double *count,
			    double *total);

struct walsh_interval {
	double estimate;
	double low, high; /* the k-th smallest and largest Walsh average */
	size_t k;         /* quantile of V, at least 1 */
	double achieved_level;
};

/*
 * Estimate and interval. Forms all Walsh averages: 4 n^2 bytes, twice; -EDOM above n = 1000.
 * -EINVAL for level outside (0, 1).
 */
int paired_hodges_lehmann(struct walsh_interval *wi, const double *d, size_t n, double level);

struct paired_t {
	double mean, se, df, t, p, low, high;
};

/* Student's t of the differences. se = 0: t is 0 or infinite, p 1 or 0. -EDOM for n < 2. */
int paired_t(struct paired_t *pt, const double *d, size_t n, double level);

#endif
