/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The levels that a verdict is held against. */
#include "analyse-look.h"

#include <errno.h>
#include <math.h>

static size_t looks_before(const struct judge_plan *p, size_t n)
{
	size_t k = 0;

	while (k < p->difference.looks && p->difference.n[k] < n)
		k++;
	return k;
}

/* Nobody looks on the way: an exact number of runs, a precision, or runs without a limit, as `stat` makes them. */
static bool is_one_look(const struct record_plan *plan)
{
	return !plan || plan->fixed || !plan->max_blocks || !isnan(plan->precision) ||
	       plan->stopped == STOPPED_PRECISION;
}

int look_at(struct look *look, const struct record_plan *plan, size_t n, double alpha)
{
	struct judge_plan p;
	size_t k = 0;

	*look = (struct look){.last = true, .rules = {.gate = -1}};
	if (is_one_look(plan)) {
		look->none = plan && (plan->stopped == STOPPED_INTERRUPT || plan->stopped == STOPPED_FAILED);
		if (judge_plan_fixed(&p, n ? n : 1, alpha))
			return -EINVAL;
		return judge_plan_rules(&p, 0, &look->rules);
	}
	if (judge_plan_sequential(&p, plan->max_blocks, alpha))
		return -EINVAL;
	int at = judge_plan_look(&p, n);
	size_t before = looks_before(&p, n);

	if (at >= 0)
		k = (size_t)at;
	else
		k = before < p.difference.looks ? before : p.difference.looks - 1;
	switch (plan->stopped) {
	case STOPPED_BLOCKS:
	case STOPPED_TIME:
		/* Nothing came in since the last look, which decided nothing: there is nothing to spend the rest on. */
		if (judge_plan_end(&p, before, n))
			look->none = true;
		else
			k = before;
		break;
	case STOPPED_NOT:
	case STOPPED_VERDICT:
		look->last = k + 1 == p.difference.looks;
		look->none = at < 0;
		break;
	case STOPPED_PRECISION:
	case STOPPED_INTERRUPT:
	case STOPPED_FAILED:
		look->none = true;
		break;
	}
	return judge_plan_rules(&p, k, &look->rules);
}

size_t look_next(const struct record_plan *plan, size_t n)
{
	struct judge_plan p;

	if (plan->fixed || judge_plan_sequential(&p, plan->max_blocks, plan->alpha))
		return plan->max_blocks;
	for (size_t k = 0; k < p.difference.looks; k++)
		if (p.difference.n[k] > n)
			return p.difference.n[k];
	return plan->max_blocks;
}
