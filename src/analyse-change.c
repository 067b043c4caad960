/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was judged, as a report has it. */
#include "analyse-change.h"

#include <math.h>

#include "welch.h"

void change_unknown(struct report_change *c)
{
	*c = (struct report_change){
	    .estimate = NAN,
	    .low = NAN,
	    .high = NAN,
	    .level = NAN,
	    .half_width = NAN,
	    .p = NAN,
	    .p_adjusted = NAN,
	    .alpha = NAN,
	    .welch = {NAN, NAN, NAN, NAN, NAN, NAN, NAN},
	    .equivalence = {NAN, NAN, NAN, NAN, NAN},
	    .ruled_out_above = NAN,
	    .smallest_visible = NAN,
	    .runs_needed = NAN,
	};
}

static enum change_method method_of(enum judge_method m)
{
	switch (m) {
	case JUDGE_EXACT:
		return METHOD_EXACT;
	case JUDGE_RANK:
		return METHOD_RANK;
	case JUDGE_WELCH:
		return METHOD_WELCH;
	case JUDGE_MANN_WHITNEY:
		return METHOD_MANN_WHITNEY;
	case JUDGE_SUMMARY:
		return METHOD_SUMMARY;
	case JUDGE_NONE:
		break;
	}
	return METHOD_NONE;
}

/* What is ruled out on the bad side, as a fraction: upwards, downwards where higher is better, both
 * ways where neither is. */
static double ruled_out(const struct judgement *j, enum direction direction)
{
	if (direction == DIRECTION_LOWER)
		return j->ruled_out_above;
	if (direction == DIRECTION_HIGHER)
		return -j->ruled_out_below;
	return fmax(j->ruled_out_above, -j->ruled_out_below);
}

static bool tests_disagree(const struct judgement *j, const struct judge_rules *rules)
{
	if ((j->method != JUDGE_RANK && j->method != JUDGE_MANN_WHITNEY) || !j->has_welch)
		return false;
	bool rank = j->p <= rules->level, welch = j->welch.p <= rules->level;

	return rank != welch || (rank && (j->p_greater < j->p_less) != (j->welch.t > 0));
}

/* Welch's row where the change is a shift: the difference of the means, in the metric's unit. */
static void fill_welch_shift(struct report_change *c, const struct judge_data *data, double level)
{
	struct welch w;
	int r = data->a.values ? welch_of(&w, data->a.values, data->a.n, data->b.values, data->b.n)
			       : welch_of_summaries(&w, data->a.mean, data->a.sd, data->a.n,
						    data->b.mean, data->b.sd, data->b.n);

	c->welch.estimate = r ? NAN : w.diff;
	if (r || welch_interval(&w, level, &c->welch.low, &c->welch.high))
		c->welch.low = c->welch.high = NAN;
}

/* Of ratios: what is counted is never less than nothing, and can lose no more than all. */
static double no_less_than_all(double low)
{
	return low < -1 ? -1 : low;
}

void change_fill(struct report_change *c, const struct judgement *j, const struct judge_data *data,
		 const struct judge_rules *rules, enum direction direction)
{
	bool shift = j->unit == JUDGE_SHIFT;

	c->n = j->n_a < j->n_b ? j->n_a : j->n_b;
	c->n_baseline = j->n_a;
	c->n_variant = j->n_b;
	c->absolute = shift;
	c->estimate = shift ? j->shift : j->change.estimate;
	c->low = shift ? j->shift_low : j->change.low;
	c->high = shift ? j->shift_high : j->change.high;
	if (!shift)
		c->low = no_less_than_all(c->low);
	c->level = j->change.level;
	c->half_width = judge_half_width(j);
	c->method = method_of(j->method);
	c->p = j->method == JUDGE_NONE ? NAN : j->p;
	if (j->has_welch) {
		c->welch.estimate = j->welch.change.estimate;
		c->welch.low = no_less_than_all(j->welch.change.low);
		c->welch.high = j->welch.change.high;
		c->welch.level = j->welch.change.level;
		c->welch.t = j->welch.t;
		c->welch.df = j->welch.df;
		c->welch.p = j->welch.p;
		if (shift)
			fill_welch_shift(c, data, j->welch.change.level);
	}
	c->equivalence.margin = j->equivalence.margin;
	c->equivalence.low = j->equivalence.low;
	c->equivalence.high = j->equivalence.high;
	c->equivalence.level = j->equivalence.level;
	c->equivalence.p = j->equivalence.p;
	c->ruled_out_above = j->method == JUDGE_NONE ? NAN : ruled_out(j, direction);
	if (isinf(c->ruled_out_above))
		c->ruled_out_above = NAN;
	c->smallest_visible = j->smallest_visible;
	c->low_n = j->method == JUDGE_WELCH;
	c->disagree = tests_disagree(j, rules);
}
