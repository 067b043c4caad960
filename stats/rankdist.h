/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rankdist.h - exact null distributions of rank sums.
 *
 * For use inside stats/. libRmath's own versions keep static tables, so they are not used.
 */
#ifndef ABSTAT_STATS_RANKDIST_H
#define ABSTAT_STATS_RANKDIST_H

#include <stddef.h>
#include <stdint.h>

/*
 * P(U <= u), u = 0..m n, of Mann and Whitney's U without ties, as an array of m n + 1 doubles
 * that the caller frees; NULL for lack of memory. Their recurrence of 1947, in probabilities:
 * (m n)^2 steps.
 */
double *mann_whitney_cdf(size_t m, size_t n);

/*
 * For each sum s = 0..max_sum: in how many ways can pick of the values be chosen with that sum?
 * An array of max_sum + 1 doubles that the caller frees, or NULL. Takes n pick max_sum steps.
 */
double *subset_counts(const uint64_t *values, size_t n, size_t pick, size_t max_sum);

/*
 * P(V <= v), v = 0..n (n + 1) / 2, of Wilcoxon's signed rank sum without ties, as an array that
 * the caller frees, or NULL.
 */
double *signed_rank_cdf(size_t n);

#endif
