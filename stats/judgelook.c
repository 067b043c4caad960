/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judgelook.c - the plan of looks, and what is decided at each.
 */
#include <errno.h>
#include <math.h>

#include "judge.h"

int judge_plan_sequential(struct judge_plan *plan, size_t max_n, double alpha)
{
	struct judge_plan p = {.alpha = alpha};
	int err;

	if (!(alpha > 0 && alpha < 0.5))
		return -EINVAL;
	err = sequential_plan(&p.difference, max_n, alpha, SEQUENTIAL_RHO);
	if (!err)
		err = sequential_respend(&p.same, &p.difference, 2 * alpha);
	if (!err)
		*plan = p;
	return err;
}

int judge_plan_fixed(struct judge_plan *plan, size_t n, double alpha)
{
	struct judge_plan p = {.alpha = alpha};
	int err;

	if (!(alpha > 0 && alpha < 0.5))
		return -EINVAL;
	err = sequential_fixed(&p.difference, n, alpha);
	if (!err)
		err = sequential_respend(&p.same, &p.difference, 2 * alpha);
	if (!err)
		*plan = p;
	return err;
}

int judge_plan_end(struct judge_plan *plan, size_t done, size_t n)
{
	struct judge_plan p = *plan;
	int err;

	err = sequential_end(&p.difference, &plan->difference, done, n);
	if (!err)
		err = sequential_end(&p.same, &plan->same, done, n);
	if (!err)
		*plan = p;
	return err;
}

int judge_plan_rules(const struct judge_plan *plan, size_t k, struct judge_rules *rules)
{
	if (k >= plan->difference.looks)
		return -EINVAL;
	rules->alpha = plan->alpha;
	rules->level = plan->difference.level[k];
	rules->same_level = plan->same.level[k] / 2;
	return 0;
}

int judge_plan_look(const struct judge_plan *plan, size_t n)
{
	for (size_t k = 0; k < plan->difference.looks; k++)
		if (plan->difference.n[k] == n)
			return (int)k;
	return -1;
}

enum judge_decision judge_look(const struct judgement *j, const struct judge_rules *rules, double p,
			       bool last)
{
	if (j->method != JUDGE_NONE) {
		if (p <= rules->level && j->p_greater != j->p_less)
			return j->p_greater < j->p_less ? JUDGE_HIGHER : JUDGE_LOWER;
		if (j->equivalence.p <= rules->same_level)
			return JUDGE_SAME;
	}
	return last ? JUDGE_UNCLEAR : JUDGE_GO_ON;
}

enum judge_gate judge_gate_look(const struct judgement *j, const struct judge_rules *rules,
				bool last)
{
	if (j->has_gate && j->method != JUDGE_NONE) {
		if (j->gate.p_pass <= rules->same_level)
			return JUDGE_GATE_PASS;
		if (j->gate.p_fail <= rules->same_level)
			return JUDGE_GATE_FAIL;
	}
	return last ? JUDGE_GATE_UNCLEAR : JUDGE_GATE_GO_ON;
}

double judge_half_width(const struct judgement *j)
{
	return (j->change.high - j->change.low) / 2;
}
