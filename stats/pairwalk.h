/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairwalk.h - the normal test of very many pairs at one shift after the other.
 *
 * For use inside stats/. What changes with the shift is how many values of the one side lie below
 * each value of the other. These counts are kept, and walk to their new places from their last
 * ones: n steps a side at most, and fewer the less far the shift moves. A pair's d (pairrank.h)
 * is then two counts and what the ranks within the sides contribute, once for all.
 */
#ifndef ABSTAT_STATS_PAIRWALK_H
#define ABSTAT_STATS_PAIRWALK_H

#include <stddef.h>

#include "sidemerge.h"

struct pairwalk; /* the counts, and the shift that they are of */

/*
 * a and b: both sides of n pairs, sorted, finite, which are used until the end; pair_a[k],
 * pair_b[k]: the pair that the k-th of a side belongs to. Allocates 32 n bytes. NULL: no memory.
 */
struct pairwalk *pairwalk_new(const double *a, const double *b, const size_t *pair_a,
			      const size_t *pair_b, size_t n);
void pairwalk_free(struct pairwalk *w);

/*
 * z = sum d / sqrt(sum d^2) of b against a + shift; tie is not SIDE_EQUAL, so that no
 * pair's ranks are equal. It falls as the shift grows.
 */
double pairwalk_z(struct pairwalk *w, double shift, enum side_tie tie);

/* The largest b[j] - a[i] that lies below the shift of the last test, -infinity where none does. */
double pairwalk_below(const struct pairwalk *w);

/* The least b[j] - a[i] that lies above it, infinity where none does. */
double pairwalk_above(const struct pairwalk *w);

#endif
