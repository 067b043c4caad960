/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simrules.c - decision rules of abstat (fixed n), hyperfine, poop, ministat and benchstat.
 */
#include "simrules.h"

#include <math.h>
#include <stdlib.h>

#include "dist.h"
#include "judge.h"
#include "summary.h"
#include "unpaired.h"
#include "welch.h"

static bool abstat_differs(const double *a, const double *b, size_t n)
{
	struct judge_data data = {.a = {.values = a, .n = n},
				  .b = {.values = b, .n = n},
				  .paired = true};
	struct judge_rules rules = {.margin = 0.01, .gate = -1};
	struct judge_plan plan;
	struct judgement j;
	enum judge_decision decision;

	if (judge_plan_fixed(&plan, n, 0.05) || judge_plan_rules(&plan, 0, &rules) ||
	    judge(&j, &data, &rules, JUDGE_TESTS))
		abort();
	decision = judge_look(&j, &rules, j.p, true);
	return decision == JUDGE_HIGHER || decision == JUDGE_LOWER;
}

/* The script welch_ttest.py that comes with hyperfine: p < .05. */
static bool hyperfine_differs(const double *a, const double *b, size_t n)
{
	struct welch w;

	if (welch_of(&w, a, n, b, n))
		abort();
	return w.p < 0.05;
}

/* "1.40 +- 0.03 times faster": is 1 outside ratio +- propagated standard deviation? */
static bool hyperfine_ratio_differs(const double *a, const double *b, size_t n)
{
	struct moments ma, mb;
	double ratio, cv_a, cv_b;

	if (moments_of(&ma, a, n) || moments_of(&mb, b, n))
		abort();
	ratio = moments_mean(&mb) / moments_mean(&ma);
	cv_a = moments_sd(&ma) / moments_mean(&ma);
	cv_b = moments_sd(&mb) / moments_mean(&mb);
	return fabs(ratio - 1) > ratio * sqrt(cv_a * cv_a + cv_b * cv_b);
}

/* Student's pooled interval at 95 %. */
static void pooled(const double *a, const double *b, size_t n, double *mean_a, double *diff,
		   double *half)
{
	struct moments ma, mb;

	if (moments_of(&ma, a, n) || moments_of(&mb, b, n))
		abort();
	*mean_a = moments_mean(&ma);
	*diff = moments_mean(&mb) - *mean_a;
	*half = dist_t_quantile(0.975, 2 * (double)n - 2) *
		sqrt((moments_variance(&ma) + moments_variance(&mb)) / (double)n);
}

/* poop: the whole interval is beyond 1 % on one side. */
static bool poop_differs(const double *a, const double *b, size_t n)
{
	double mean_a, diff, half;

	pooled(a, b, n, &mean_a, &diff, &half);
	return (fabs(diff) - half) / mean_a >= 0.01;
}

/* ministat at its default of 95 %. */
static bool ministat_differs(const double *a, const double *b, size_t n)
{
	double mean_a, diff, half;

	pooled(a, b, n, &mean_a, &diff, &half);
	return fabs(diff) > half;
}

/* benchstat: Mann-Whitney, p < .05. */
static bool benchstat_differs(const double *a, const double *b, size_t n)
{
	struct mann_whitney mw;

	if (mann_whitney(&mw, a, n, b, n))
		abort();
	return mw.p < 0.05;
}

const struct sim_rule sim_rules[] = {
	{"abstat", "randomisation test on pooled ranks, p <= .05", abstat_differs},
	{"hyperfine", "its script: Welch, p < .05", hyperfine_differs},
	{"its ratio", "hyperfine's ratio +- sd leaves out 1", hyperfine_ratio_differs},
	{"poop", "Student pooled, 95 %, wholly beyond 1 %", poop_differs},
	{"ministat", "Student pooled, 95 %", ministat_differs},
	{"benchstat", "Mann-Whitney, p < .05", benchstat_differs},
};

const size_t sim_rule_count = sizeof(sim_rules) / sizeof(*sim_rules);
