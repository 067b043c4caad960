/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.c - estimate, interval, tests, equivalence and gate of one metric.
 */
#include "judge.h"

#include <errno.h>
#include <math.h>

#include "contest.h"
#include "dist.h"
#include "power.h"

/* The unadjusted level that a standard deviation is read from. */
static const double SD_LEVEL = 0.95;

static bool open_unit(double x)
{
	return x > 0 && x < 1;
}

static int check_rules(const struct judge_rules *r)
{
	bool levels = open_unit(r->alpha) && r->level >= 0 && r->level < 1 &&
		      r->same_level >= 0 && r->same_level < 0.5;
	bool gate = r->gate < 0 || (isfinite(r->gate) && (!r->larger_better || r->gate < 1));

	return levels && gate && r->margin > 0 && isfinite(r->margin) ? 0 : -EINVAL;
}

static double fraction_of(const struct contest *c, double effect)
{
	if (c->unit == JUDGE_RATIO)
		return effect - 1;
	return c->base > 0 ? effect / c->base : NAN;
}

/* Nothing can be shown against a threshold that is a fraction of 0, unless both are constant. */
static int against(struct contest *c, double fraction, double *p_greater, double *p_less)
{
	bool exact = c->method->name == JUDGE_EXACT;

	if (c->unit == JUDGE_SHIFT && c->base == 0 && !exact) {
		*p_greater = *p_less = 1;
		return 0;
	}
	/* Below a ratio of 0 there is nothing: the change is always larger. */
	if (c->unit == JUDGE_RATIO && fraction <= -1) {
		*p_greater = 0;
		*p_less = 1;
		return 0;
	}
	return c->method->against(c, fraction, p_greater, p_less);
}

/*
 * The evidence against b being beyond a threshold. Constants that reach it exactly are known not
 * to be beyond it.
 */
static double p_not_beyond(const struct contest *c, double p_beyond, double p_within)
{
	if (c->method->name == JUDGE_EXACT)
		return p_beyond == 0 ? 1 : 0;
	return p_within;
}

static int equivalence_tests(struct judgement *j, struct contest *c, double margin)
{
	double p_greater, p_less;
	int err;

	j->equivalence.margin = margin;
	err = against(c, -margin, &p_greater, &p_less);
	if (err)
		return err;
	j->equivalence.p_lower = p_not_beyond(c, p_less, p_greater);
	err = against(c, margin, &p_greater, &p_less);
	if (err)
		return err;
	j->equivalence.p_upper = p_not_beyond(c, p_greater, p_less);
	j->equivalence.p = fmax(j->equivalence.p_lower, j->equivalence.p_upper);
	return 0;
}

static int gate_tests(struct judgement *j, struct contest *c, const struct judge_rules *rules)
{
	double p_greater, p_less;
	int err;

	j->has_gate = rules->gate >= 0;
	if (!j->has_gate)
		return 0;
	j->gate.threshold = rules->larger_better ? -rules->gate : rules->gate;
	err = against(c, j->gate.threshold, &p_greater, &p_less);
	if (err)
		return err;
	j->gate.p_fail = rules->larger_better ? p_less : p_greater;
	j->gate.p_pass = p_not_beyond(c, j->gate.p_fail, rules->larger_better ? p_greater : p_less);
	return 0;
}

static int tests(struct judgement *j, struct contest *c, const struct judge_rules *rules)
{
	int err;

	err = c->method->two_sided(c, &j->p, &j->p_greater, &j->p_less);
	if (!err)
		err = equivalence_tests(j, c, rules->margin);
	if (!err)
		err = gate_tests(j, c, rules);
	j->within_margin = j->equivalence.p <= rules->same_level;
	return err;
}

static int estimate(struct judgement *j, struct contest *c)
{
	double effect;
	int err = c->method->estimate(c, &effect);

	if (err)
		return err;
	j->change.estimate = fraction_of(c, effect);
	if (c->unit == JUDGE_SHIFT)
		j->shift = effect;
	return isfinite(effect) ? 0 : -ERANGE;
}

/* Both bounds at alpha a side, as effects; alpha = 0 bounds nothing. */
static int bounds(struct contest *c, double alpha, double *low, double *high)
{
	int err;

	if (alpha == 0 && c->method->name != JUDGE_EXACT) {
		*low = c->unit == JUDGE_RATIO ? 0 : -INFINITY;
		*high = INFINITY;
		return 0;
	}
	err = c->method->bound(c, alpha, true, low);
	return err ? err : c->method->bound(c, alpha, false, high);
}

static int intervals(struct judgement *j, struct contest *c, const struct judge_rules *rules)
{
	double low, high;
	int err;

	err = bounds(c, rules->level / 2, &low, &high);
	if (err)
		return err;
	j->change.low = fraction_of(c, low);
	j->change.high = fraction_of(c, high);
	j->change.level = 1 - rules->level;
	if (c->unit == JUDGE_SHIFT) {
		j->shift_low = low;
		j->shift_high = high;
	}
	err = bounds(c, rules->same_level, &low, &high);
	if (err)
		return err;
	j->ruled_out_below = j->equivalence.low = fraction_of(c, low);
	j->ruled_out_above = j->equivalence.high = fraction_of(c, high);
	j->equivalence.level = 1 - 2 * rules->same_level;
	return 0;
}

static int welch_beside(struct judgement *j, struct contest *c, const struct judge_rules *rules)
{
	double effect, low, high, alpha = rules->level / 2;
	int err;

	j->has_welch = c->has_welch;
	if (!c->has_welch)
		return 0;
	err = contest_welch.estimate(c, &effect);
	if (!err && alpha > 0)
		err = contest_welch.bound(c, alpha, true, &low);
	if (!err && alpha > 0)
		err = contest_welch.bound(c, alpha, false, &high);
	if (err)
		return err;
	if (alpha == 0) {
		low = c->unit == JUDGE_RATIO ? 0 : -INFINITY;
		high = INFINITY;
	}
	j->welch.change = (struct judge_interval){fraction_of(c, effect), fraction_of(c, low),
						  fraction_of(c, high), 1 - rules->level};
	j->welch.t = c->welch.t;
	j->welch.df = c->welch.df;
	j->welch.p = c->welch.p;
	return 0;
}

/* The standard error of the effect (logarithm of a ratio) behind an unadjusted interval. */
static int standard_error(const struct judgement *j, struct contest *c, const struct judge_rules *rules,
			  double df, double *se)
{
	double low, high;
	int err = 0;

	*se = NAN;
	switch (c->method->name) {
	case JUDGE_RANK:
	case JUDGE_MANN_WHITNEY:
		/* The interval that is reported is often of this very level. */
		if (fabs(rules->level - (1 - SD_LEVEL)) > 1e-12) {
			err = bounds(c, (1 - SD_LEVEL) / 2, &low, &high);
		} else if (c->unit == JUDGE_RATIO) {
			low = 1 + j->change.low;
			high = 1 + j->change.high;
		} else {
			low = j->shift_low;
			high = j->shift_high;
		}
		if (err)
			return err;
		if (c->unit == JUDGE_RATIO) {
			low = log(low);
			high = log(high);
		}
		if (isfinite(low) && isfinite(high))
			*se = (high - low) / (2 * dist_t_quantile((1 + SD_LEVEL) / 2, df));
		return 0;
	case JUDGE_WELCH:
	case JUDGE_SUMMARY:
		*se = c->unit == JUDGE_RATIO ? c->welch.se / c->welch.mean_a : c->welch.se;
		return 0;
	default:
		return 0;
	}
}

/* What these runs could have shown, and how many would show the margin. */
static int foresight(struct judgement *j, struct contest *c, const struct judge_rules *rules)
{
	bool ranks = c->method->name == JUDGE_RANK || c->method->name == JUDGE_MANN_WHITNEY;
	double n = 2 / (1 / (double)j->n_a + 1 / (double)j->n_b);
	double df = ranks ? (double)(j->n_a + j->n_b - 2) : c->welch.df;
	double se, visible, effect;
	struct run_plan plan;
	int err;

	err = standard_error(j, c, rules, df, &se);
	if (err || isnan(se))
		return err;
	visible = smallest_visible(se, df, rules->alpha, POWER_AIM);
	if (c->unit == JUDGE_SHIFT) {
		j->smallest_visible = c->base > 0 ? visible / c->base : NAN;
		effect = rules->margin * c->base;
	} else {
		j->smallest_visible = ranks ? expm1(visible) : visible;
		effect = ranks ? log1p(rules->margin) : rules->margin;
	}
	/* Ties may leave an interval of no width: no spread to plan with. */
	if (!(se > 0 && effect > 0))
		return 0;
	if (!plan_runs(&plan, effect, se * sqrt(n / 2) * pilot_inflation((size_t)n), rules->alpha))
		j->runs_needed = plan.max_blocks;
	return 0;
}

static void unknown(struct judgement *j)
{
	*j = (struct judgement){.change = {NAN, NAN, NAN, NAN},
				.shift = NAN,
				.shift_low = NAN,
				.shift_high = NAN,
				.ruled_out_above = NAN,
				.ruled_out_below = NAN,
				.smallest_visible = NAN};
	j->equivalence.low = j->equivalence.high = j->equivalence.level = NAN;
}

int judge(struct judgement *j, const struct judge_data *data, const struct judge_rules *rules,
	  enum judge_detail detail)
{
	struct judgement result;
	struct contest c;
	int err;

	err = check_rules(rules);
	if (err)
		return err;
	err = contest_init(&c, data);
	if (!err) {
		unknown(&result);
		result.method = c.method->name;
		result.unit = c.unit;
		result.n_a = data->a.n;
		result.n_b = data->b.n;
		result.base = c.unit == JUDGE_RATIO ? 1 : c.base;
		err = tests(&result, &c, rules);
	}
	if (!err)
		err = estimate(&result, &c);
	if (!err && detail == JUDGE_ALL)
		err = intervals(&result, &c, rules);
	if (!err && detail == JUDGE_ALL)
		err = welch_beside(&result, &c, rules);
	if (!err && detail == JUDGE_ALL)
		err = foresight(&result, &c, rules);
	contest_release(&c);
	if (!err)
		*j = result;
	return err;
}
