/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairsorted.h - the inside of a struct pairrank, for pairrank.c, pairbound.c and pairmany.c only.
 */
#ifndef ABSTAT_STATS_PAIRSORTED_H
#define ABSTAT_STATS_PAIRSORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pairrank.h"
#include "sidemerge.h"

struct pairwalk;
struct signflip;

struct pairrank {
	size_t n;
	bool logs;
	double *a, *b;         /* sorted, as given */
	double *scale_a;       /* sorted, on the scale of the estimate: a or its logarithms */
	double *scale_b;
	size_t *pair_a;        /* pair_a[k]: the pair that the k-th smallest a belongs to */
	size_t *pair_b;
	int64_t *d;            /* 2 (rank of b - rank of a), a pair */
	struct signflip *flip; /* NULL where n > PAIRRANK_EXACT_MAX */
	double *differences;   /* all n^2, sorted; made for the first bound, where flip is there */
	struct pairwalk *walk; /* made for the first bound, where flip is not */
	struct {
		double shift, z; /* tested last */
		double width;    /* how far the shift must grow for z to fall by 1; 0: not known */
	} last;
};

/* A range of values that holds a bound: what the test says at its ends, as a normal deviate. */
struct pair_range {
	double outer, inner;
	double f_outer, f_inner; /* < 0 and >= 0; NaN: not tested yet */
	unsigned outers, inners; /* how often in a row the one and the other was moved */
};

/* From the outermost difference on this side to the innermost. */
struct pair_range pair_range_whole(const struct pairrank *pr, bool lower);

/*
 * Where to test next: where a straight line between the ends is 0, for the deviate is nearly one;
 * where middle, or where the line does not say, the middle.
 */
double pair_range_next(const struct pair_range *r, bool middle);

/* Moves an end to v, where the deviate is f (the Illinois form of regula falsi). */
void pair_range_move(struct pair_range *r, double v, double f, bool inner);

/* The difference of the means, and its standard error as if the sides were not paired. */
void pair_means(const struct pairrank *pr, double *difference, double *se);

/*
 * The lower or upper bound of more than PAIRRANK_MANY pairs, on the scale of the estimate; walk is
 * there, and the outermost difference is known to be rejected.
 */
enum { PAIRRANK_MANY = 2000 };
double pairrank_bound_of_many(struct pairrank *pr, double alpha, bool lower);

/*
 * p values of b against what the rule makes of a, on the scale of the estimate; by the exact test
 * where exact and n allow it, else by the normal one, for which walk is used where it is there
 * and the rule is a shift without SIDE_EQUAL.
 */
void pairrank_on_scale(struct pairrank *pr, const struct side_rule *rule, bool exact,
		       struct pairrank_p *p);

#endif
