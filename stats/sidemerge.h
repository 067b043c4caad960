/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sidemerge.h - how two sorted sides are merged when b is compared with a + shift or a * ratio.
 *
 * For use inside stats/: the values themselves are left alone, so that a comparison is as exact
 * as one subtraction.
 */
#ifndef ABSTAT_STATS_SIDEMERGE_H
#define ABSTAT_STATS_SIDEMERGE_H

#include <math.h>
#include <stddef.h>

/* How a difference of exactly the shift counts. */
enum side_tie { SIDE_EQUAL, SIDE_BELOW, SIDE_ABOVE };

struct side_rule {
	double shift;
	double ratio; /* > 0: by ratio, shift and tie are not used */
	enum side_tie tie;
};

/* < 0, 0, > 0: b is below, at, above what a becomes. */
static inline int side_order(const struct side_rule *rule, double a, double b)
{
	if (rule->ratio > 0) {
		double scaled = a * rule->ratio;

		/* A product of two decimals is off by a rounding: 2 units in the last place. */
		if (rule->ratio != 1 && fabs(b - scaled) <= 4.5e-16 * fabs(scaled))
			return 0;
		return (b > scaled) - (b < scaled);
	}
	if (b - a != rule->shift)
		return b - a < rule->shift ? -1 : 1;
	return rule->tie == SIDE_EQUAL ? 0 : rule->tie == SIDE_BELOW ? -1 : 1;
}

/* Where the values equal to x[i] end. */
static inline size_t side_tied(const double *x, size_t n, size_t i)
{
	size_t end = i + 1;

	while (end < n && x[end] == x[i])
		end++;
	return end;
}

/* The next group of equal values: a[i..*end_a - 1] and b[j..*end_b - 1]; not both sides empty. */
static inline void side_group(const struct side_rule *rule, const double *a, size_t n_a, size_t i,
			      const double *b, size_t n_b, size_t j, size_t *end_a, size_t *end_b)
{
	int order = i == n_a ? -1 : j == n_b ? 1 : side_order(rule, a[i], b[j]);

	*end_a = order >= 0 ? side_tied(a, n_a, i) : i;
	*end_b = order <= 0 ? side_tied(b, n_b, j) : j;
}

#endif
