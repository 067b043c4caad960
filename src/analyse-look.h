/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks: the levels that a verdict is held against, from what was planned and how the measurement stopped.
 */
#ifndef ABSTAT_ANALYSE_LOOK_H
#define ABSTAT_ANALYSE_LOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "judge.h"
#include "record.h"

struct look {
	struct judge_rules rules; /* alpha and the levels; margin, gate and direction are for the caller */
	bool last;		  /* nothing follows: what is open now stays unclear */
	bool none;		  /* not a look at all: interrupted, no alpha was spent, everything is unclear */
};

/*
 * The look at N pairs (or values of the smaller side). PLAN is NULL for data that were not run to a plan: one look with
 * all of ALPHA. 0, or -EINVAL for an alpha outside (0, 1).
 */
int look_at(struct look *look, const struct record_plan *plan, size_t n, double alpha);

/* The blocks of the first look after N, for the plan before it has ended; max_blocks if there is none. */
size_t look_next(const struct record_plan *plan, size_t n);

#endif
