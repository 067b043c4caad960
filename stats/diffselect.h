/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diffselect.h - order statistics of all m n differences between two samples, without forming
 * them.
 *
 * With both samples sorted, the differences form a matrix whose rows and columns are sorted:
 * those below a value are counted in m + n steps, and a random pivot from among the candidates
 * left cuts them down quickly. Monahan, ACM Trans. Math. Softw. 10 (1984); Johnson and
 * Mizoguchi, SIAM J. Comput. 7 (1978). Here the two pivots come from a sample of candidates
 * around the wanted rank, as in Floyd and Rivest (1975). Counts are exact, so that the random
 * numbers (a fixed sequence) decide only how long it takes: about 10 passes for 10^10
 * differences.
 *
 * Values must be finite, and sorted ascending.
 */
#ifndef ABSTAT_STATS_DIFFSELECT_H
#define ABSTAT_STATS_DIFFSELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The k-th smallest (1-based) of y[j] - x[i]. Allocates about 32 m + 16 n bytes.
 * -EDOM where k is not in 1..m n, -ERANGE where a difference overflows, -ENOMEM.
 */
int diff_select(const double *x, size_t m, const double *y, size_t n, uint64_t k, double *value);

/* The median of the differences: the mean of the two middle ones where m n is even. */
int diff_median(const double *x, size_t m, const double *y, size_t n, double *value);

/* How many of the m n differences are below v, or are v too where or_equal. */
uint64_t diff_count(const double *x, size_t m, const double *y, size_t n, double v, bool or_equal);

#endif
