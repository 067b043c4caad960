/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairsorted.h - the inside of a struct pairrank, for pairrank.c and pairbound.c only.
 */
#ifndef ABSTAT_STATS_PAIRSORTED_H
#define ABSTAT_STATS_PAIRSORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pairrank.h"
#include "sidemerge.h"

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
};

/*
 * p values of b against what the rule makes of a, on the scale of the estimate; by the exact test
 * where exact and n allow it, else by the normal one.
 */
void pairrank_on_scale(struct pairrank *pr, const struct side_rule *rule, bool exact,
		       struct pairrank_p *p);

#endif
