/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairrank.h - Fisher's randomisation test on the pooled ranks of pairs.
 *
 * n pairs (a[i], b[i]), each run in an order drawn at random. All 2n values are ranked together
 * (midranks; the rank transform of Conover and Iman, American Statistician 35, 1981), and
 * d[i] = 2 (rank of b[i] - rank of a[i]). Under "a and b are the same" the sign of each d[i] was
 * drawn by the experimenter, so that the distribution of S, the sum of the positive d[i], over
 * the 2^n sign-flips is exact, whatever the noise is. Evaluated by dynamic programming up to
 * PAIRRANK_EXACT_MAX pairs, beyond it by z = sum d / sqrt(sum d^2).
 *
 * Estimate: the median of the n^2 differences b[j] - a[i] (Hodges and Lehmann, 1963), on
 * logarithms a ratio. Interval: the values that the test does not reject.
 *
 * Limits: the test is exact for "same distribution"; the interval further assumes that b is a,
 * shifted (or scaled). With n pairs no one-sided p is below 2^-n, so that an interval may be
 * unbounded. With ties the interval is closed: a value at its very end may be one that the test
 * rejects.
 */
#ifndef ABSTAT_STATS_PAIRRANK_H
#define ABSTAT_STATS_PAIRRANK_H

#include <stdbool.h>
#include <stddef.h>

enum { PAIRRANK_EXACT_MAX = 200 };

struct pairrank; /* the pairs, sorted, and room to work in */

struct pairrank_p {
	double p;         /* min(1, 2 min(p_greater, p_less)) */
	double p_greater; /* evidence for b > a: P(S* >= S) */
	double p_less;    /* evidence for b < a: P(S* <= S) */
};

/*
 * Prepares the n pairs. logs: estimate and interval are of the ratio b / a; all values must be
 * above 0. Allocates about 100 n bytes, and up to 24 n^2 more for n <= PAIRRANK_EXACT_MAX; the
 * caller frees *out by pairrank_free(). The tests below allocate nothing more, the estimate what
 * diff_select() does. For more pairs than that the first bound allocates 32 n bytes, which stay,
 * and up to 2000 pairs every bound also what diff_select() does.
 * -EDOM for n = 0, -EINVAL for NaN, infinities, or logs of values <= 0, -ENOMEM.
 */
int pairrank_new(struct pairrank **out, const double *a, const double *b, size_t n, bool logs);
void pairrank_free(struct pairrank *pr);

/* Tests b[i] - shift against a[i] (as given, not their logarithms). shift = 0: are they same? */
void pairrank_test(struct pairrank *pr, double shift, struct pairrank_p *p);

/*
 * Tests b[i] against ratio * a[i], ratio > 0. Values that differ by rounding only (2 units in
 * the last place) are ties.
 */
void pairrank_test_ratio(struct pairrank *pr, double ratio, struct pairrank_p *p);

/* The ratio (logs) or else the shift, by Hodges and Lehmann. -ERANGE, -ENOMEM. */
int pairrank_estimate(struct pairrank *pr, double *estimate);

/*
 * One-sided bounds of the ratio or shift: the smallest, largest value not rejected at alpha in
 * (0, 1). Where none is rejected, -infinity (0 for a ratio) or infinity. It is one of the
 * differences (ratios) of two runs: the one at which the test turns or, beyond 2000 pairs, one
 * where the test's normal deviate is within 1e-5 of that of alpha.
 * -EINVAL, -ERANGE, -ENOMEM.
 */
int pairrank_lower(struct pairrank *pr, double alpha, double *bound);
int pairrank_upper(struct pairrank *pr, double alpha, double *bound);

/* Two-sided interval: both bounds at (1 - level) / 2. */
int pairrank_interval(struct pairrank *pr, double level, double *low, double *high);

#endif
