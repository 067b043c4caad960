/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpaired.h - two samples that were not run in blocks: Mann-Whitney, Hodges-Lehmann.
 *
 * Mann and Whitney (Ann. Math. Stat. 18, 1947); Hodges and Lehmann (Ann. Math. Stat. 34, 1963);
 * the order statistics of the differences by selection (diffselect.h), so that 10^5 values a
 * side are no matter.
 *
 * Limits: all runs must be independent. Runs of one side made after the other's are not
 * protected against drift by any of this. The estimate and its interval assume that b is a,
 * shifted (or scaled).
 */
#ifndef ABSTAT_STATS_UNPAIRED_H
#define ABSTAT_STATS_UNPAIRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exact only where both sides have fewer values than this, and no ties. */
enum { MANN_WHITNEY_EXACT_BELOW = 50 };

struct mann_whitney {
	double u_b;       /* pairs (i, j) with b[j] > a[i], ties a half each */
	double p;         /* two-sided */
	double p_greater; /* evidence for b > a */
	double p_less;
	bool exact;
	bool ties;
};

/*
 * The functions below sort copies: 8 (n_a + n_b) bytes, freed on return.
 * -EDOM where a side is empty, -EINVAL for NaN or infinities, -ENOMEM.
 */

/* Exact without ties below MANN_WHITNEY_EXACT_BELOW, else asymptotic. */
int mann_whitney(struct mann_whitney *mw, const double *a, size_t n_a, const double *b, size_t n_b);

/*
 * Exact distribution of U without ties, p = min(1, 2 min tail). Takes (n_a n_b)^2 steps and
 * 8 n_a n_b n_b bytes; -EDOM above 500 values a side.
 */
int mann_whitney_exact(struct mann_whitney *mw, const double *a, size_t n_a, const double *b,
		       size_t n_b);

/* Normal, variance corrected for ties, continuity correction 1/2; p = 1 where all are tied. */
int mann_whitney_asymptotic(struct mann_whitney *mw, const double *a, size_t n_a, const double *b,
			    size_t n_b);

/* Exact with ties: the rank sum of b over all choices of n_b out of n_a + n_b. */
struct rank_permutation {
	double w_b;   /* sum of the midranks of b */
	double p;     /* share with a sum as far from the middle, or farther */
	double count; /* how many they are, of total; exact up to 2^53 */
	double total;
};

/* As mann_whitney_exact(); at most 100 values in all, else -EDOM. */
int mann_whitney_permutation(struct rank_permutation *rp, const double *a, size_t n_a,
			     const double *b, size_t n_b);

/* Both samples, sorted, for tests against any threshold, the estimate and its bounds. */
struct unpaired;

/*
 * logs: estimate and bounds are of the ratio b / a; all values must be above 0. Allocates
 * 16 (n_a + n_b) bytes; freed by unpaired_free(). -EDOM, -EINVAL, -ENOMEM.
 */
int unpaired_new(struct unpaired **out, const double *a, size_t n_a, const double *b, size_t n_b,
		 bool logs);
void unpaired_free(struct unpaired *u);

/* As mann_whitney(), of b against a + shift, and of b against ratio * a (ratio > 0). -ENOMEM. */
int unpaired_test(const struct unpaired *u, double shift, struct mann_whitney *mw);
int unpaired_test_ratio(const struct unpaired *u, double ratio, struct mann_whitney *mw);

/* Median of all differences b[j] - a[i]; with logs the ratio. -ERANGE, -ENOMEM. */
int unpaired_estimate(const struct unpaired *u, double *estimate);

struct unpaired_interval {
	double low, high;      /* D(k), D(n_a n_b + 1 - k), of the sorted differences D */
	uint64_t k;            /* at least 1 */
	double achieved_level; /* exact only, else NaN: without ties; with them at least this */
	bool reached;          /* false: k would be below 1, these n cannot reach the level */
};

/* k = floor(mn/2 - z sqrt(mn (m + n + 1) / 12) + 1/2). -EINVAL for level outside (0, 1). */
int unpaired_interval_normal(const struct unpaired *u, double level, struct unpaired_interval *ui);

/* k = the alpha/2 quantile of the exact distribution of U. Sizes as mann_whitney_exact(). */
int unpaired_interval_exact(const struct unpaired *u, double level, struct unpaired_interval *ui);

#endif
