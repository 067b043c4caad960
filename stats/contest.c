/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contest.c - the methods behind judge(), each seen through the same four questions.
 */
#include "contest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fieller.h"
#include "pairrank.h"
#include "summary.h"
#include "unpaired.h"

static int rank_against(struct contest *c, double fraction, double *p_greater, double *p_less)
{
	struct pairrank_p p;

	if (c->unit == JUDGE_RATIO)
		pairrank_test_ratio(c->pairs, 1 + fraction, &p);
	else
		pairrank_test(c->pairs, fraction * c->base, &p);
	*p_greater = p.p_greater;
	*p_less = p.p_less;
	return 0;
}

static int rank_two_sided(struct contest *c, double *p, double *p_greater, double *p_less)
{
	struct pairrank_p all;

	pairrank_test(c->pairs, 0, &all);
	*p = all.p;
	*p_greater = all.p_greater;
	*p_less = all.p_less;
	return 0;
}

static int rank_estimate(struct contest *c, double *effect)
{
	return pairrank_estimate(c->pairs, effect);
}

static int rank_bound(struct contest *c, double alpha, bool lower, double *effect)
{
	return lower ? pairrank_lower(c->pairs, alpha, effect)
		     : pairrank_upper(c->pairs, alpha, effect);
}

static int mann_whitney_against(struct contest *c, double fraction, double *p_greater,
				double *p_less)
{
	struct mann_whitney mw;
	int err;

	err = c->unit == JUDGE_RATIO ? unpaired_test_ratio(c->samples, 1 + fraction, &mw)
				     : unpaired_test(c->samples, fraction * c->base, &mw);
	if (err)
		return err;
	*p_greater = mw.p_greater;
	*p_less = mw.p_less;
	return 0;
}

static int mann_whitney_two_sided(struct contest *c, double *p, double *p_greater, double *p_less)
{
	struct mann_whitney mw;
	int err = unpaired_test(c->samples, 0, &mw);

	if (err)
		return err;
	*p = mw.p;
	*p_greater = mw.p_greater;
	*p_less = mw.p_less;
	return 0;
}

static int mann_whitney_estimate(struct contest *c, double *effect)
{
	return unpaired_estimate(c->samples, effect);
}

static double unbounded(const struct contest *c, bool lower)
{
	if (lower)
		return c->unit == JUDGE_RATIO ? 0 : -INFINITY;
	return INFINITY;
}

static int mann_whitney_bound(struct contest *c, double alpha, bool lower, double *effect)
{
	struct unpaired_interval ui;
	int err = unpaired_interval_normal(c->samples, 1 - 2 * alpha, &ui);

	if (!err)
		*effect = !ui.reached ? unbounded(c, lower) : lower ? ui.low : ui.high;
	return err;
}

/* A fraction of the baseline's mean as it was measured. */
static int welch_against(struct contest *c, double fraction, double *p_greater, double *p_less)
{
	double base = c->unit == JUDGE_RATIO ? c->welch.mean_a : c->base;

	return welch_test_against(&c->welch, 1, fraction * base, p_greater, p_less);
}

static int welch_two_sided(struct contest *c, double *p, double *p_greater, double *p_less)
{
	*p = c->welch.p;
	*p_greater = c->welch.p_greater;
	*p_less = c->welch.p_less;
	return 0;
}

static int welch_estimate(struct contest *c, double *effect)
{
	*effect = c->unit == JUDGE_RATIO ? 1 + c->welch.diff / c->welch.mean_a : c->welch.diff;
	return 0;
}

static int welch_bound(struct contest *c, double alpha, bool lower, double *effect)
{
	struct fieller f;
	double low, high;
	int err;

	if (c->unit == JUDGE_RATIO) {
		err = fieller_interval(&f, &c->welch, 1 - 2 * alpha);
		low = f.bounded ? f.low : unbounded(c, true);
		high = f.high;
	} else {
		err = welch_interval(&c->welch, 1 - 2 * alpha, &low, &high);
	}
	if (!err)
		*effect = lower ? low : high;
	return err;
}

/* Neither side varies: a threshold is passed, or it is not. */
static int exact_against(struct contest *c, double fraction, double *p_greater, double *p_less)
{
	double base = c->unit == JUDGE_RATIO ? c->welch.mean_a : c->base;
	double over = c->welch.diff - fraction * base;

	/* At the threshold but for the rounding of a product: nothing is shown. */
	if (fraction != 0 && fabs(over) <= 4.5e-16 * fabs(c->welch.mean_a))
		over = 0;
	*p_greater = over > 0 ? 0 : 1;
	*p_less = over < 0 ? 0 : 1;
	return 0;
}

static int exact_bound(struct contest *c, double alpha, bool lower, double *effect)
{
	(void)alpha;
	(void)lower;
	return welch_estimate(c, effect);
}

static int none_against(struct contest *c, double fraction, double *p_greater, double *p_less)
{
	(void)c;
	(void)fraction;
	*p_greater = *p_less = 1;
	return 0;
}

static int none_two_sided(struct contest *c, double *p, double *p_greater, double *p_less)
{
	*p = 1;
	return none_against(c, 0, p_greater, p_less);
}

static int none_bound(struct contest *c, double alpha, bool lower, double *effect)
{
	(void)alpha;
	*effect = unbounded(c, lower);
	return 0;
}

const struct contest_method contest_rank = {JUDGE_RANK, rank_against, rank_two_sided,
					    rank_estimate, rank_bound};
const struct contest_method contest_mann_whitney = {JUDGE_MANN_WHITNEY, mann_whitney_against,
						    mann_whitney_two_sided, mann_whitney_estimate,
						    mann_whitney_bound};
const struct contest_method contest_welch = {JUDGE_WELCH, welch_against, welch_two_sided,
					     welch_estimate, welch_bound};
const struct contest_method contest_summary = {JUDGE_SUMMARY, welch_against, welch_two_sided,
					       welch_estimate, welch_bound};
const struct contest_method contest_exact = {JUDGE_EXACT, exact_against, welch_two_sided,
					     welch_estimate, exact_bound};
const struct contest_method contest_none = {JUDGE_NONE, none_against, none_two_sided,
					    welch_estimate, none_bound};

static int median_of(const double *x, size_t n, double *median)
{
	double *sorted = malloc(n * sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, x, n * sizeof(*sorted));
	sort_doubles(sorted, n);
	*median = sorted_median(sorted, n);
	free(sorted);
	return 0;
}

static int init_summaries(struct contest *c, const struct judge_side *a, const struct judge_side *b)
{
	int err;

	c->method = &contest_summary;
	c->unit = a->mean > 0 && b->mean > 0 ? JUDGE_RATIO : JUDGE_SHIFT;
	c->base = fabs(a->mean);
	if (a->n < 2 || b->n < 2) {
		if (!isfinite(a->mean) || !isfinite(b->mean))
			return -EINVAL;
		c->method = &contest_none;
		c->welch = (struct welch){
			.mean_a = a->mean, .mean_b = b->mean, .diff = b->mean - a->mean};
		return 0;
	}
	err = welch_of_summaries(&c->welch, a->mean, a->sd, a->n, b->mean, b->sd, b->n);
	c->has_welch = !err;
	return err;
}

static int init_values(struct contest *c, const struct judge_data *data)
{
	const struct judge_side *a = &data->a, *b = &data->b;
	struct moments ma, mb;
	bool logs;
	int err;

	err = moments_of(&ma, a->values, a->n);
	if (!err)
		err = moments_of(&mb, b->values, b->n);
	if (!err)
		err = median_of(a->values, a->n, &c->base);
	if (err)
		return err;
	logs = ma.min > 0 && mb.min > 0;
	c->unit = logs ? JUDGE_RATIO : JUDGE_SHIFT;
	c->base = fabs(c->base);
	if (ma.n < 2 || mb.n < 2) {
		c->method = &contest_none;
		c->welch = (struct welch){.mean_a = moments_mean(&ma),
					  .mean_b = moments_mean(&mb),
					  .diff = moments_mean(&mb) - moments_mean(&ma)};
		return 0;
	}
	err = welch_of_moments(&c->welch, &ma, &mb);
	if (err)
		return err;
	c->has_welch = true;
	if (c->welch.deterministic) {
		c->method = &contest_exact;
		return 0;
	}
	c->method = &contest_welch;
	if (a->n < JUDGE_LOW_N || b->n < JUDGE_LOW_N)
		return 0;
	c->method = data->paired ? &contest_rank : &contest_mann_whitney;
	if (data->paired)
		return pairrank_new(&c->pairs, a->values, b->values, a->n, logs);
	return unpaired_new(&c->samples, a->values, a->n, b->values, b->n, logs);
}

int contest_init(struct contest *c, const struct judge_data *data)
{
	bool values = data->a.values && data->b.values;

	*c = (struct contest){.method = &contest_none};
	if (data->a.n == 0 || data->b.n == 0 || (values && data->paired && data->a.n != data->b.n))
		return -EDOM;
	if (!data->a.values != !data->b.values)
		return -EINVAL;
	return values ? init_values(c, data) : init_summaries(c, &data->a, &data->b);
}

void contest_release(struct contest *c)
{
	pairrank_free(c->pairs);
	unpaired_free(c->samples);
	c->pairs = NULL;
	c->samples = NULL;
}
