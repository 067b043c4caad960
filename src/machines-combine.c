/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One estimate from the same comparison on several machines: random effects on the logarithm of the
 * ratio. */
#include "machines-combine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "dist.h"

/* The standard error of the logarithm of a ratio, from its interval. False where there is none. */
static bool log_error(const struct report_change *c, double *estimate, double *se)
{
	bool by_t = c->method == METHOD_WELCH || c->method == METHOD_SUMMARY;
	double upper = 1 - (1 - c->level) / 2, q;

	if (c->absolute || !isfinite(c->low) || !isfinite(c->high) || !(c->low > -1) ||
	    !(c->estimate > -1))
		return false;
	q = by_t ? dist_t_quantile(upper, c->welch.df) : dist_normal_quantile(upper);
	*estimate = log1p(c->estimate);
	*se = (log1p(c->high) - log1p(c->low)) / (2 * q);
	return isfinite(*se) && *se > 0;
}

/* Machines whose changes point in opposite directions, by more than chance, have no effect in
 * common. */
bool machines_disagree(const struct report_change *rows, size_t n, const struct combined *c)
{
	bool up = false, down = false, surely_up = false, surely_down = false;

	for (size_t i = 0; i < n; i++) {
		up |= rows[i].estimate > 0;
		down |= rows[i].estimate < 0;
		surely_up |= rows[i].low > 0;
		surely_down |= rows[i].high < 0;
	}
	return up && down && ((surely_up && surely_down) || (c->k && c->q_p < HETEROGENEITY_P));
}

/* One-sided p of an effect beyond FRACTION, from the combined estimate. */
static double beyond(const struct combined *c, double fraction, bool above)
{
	double t = (c->estimate - log1p(fraction)) / c->se;

	return dist_t_tail(above ? t : -t, (double)c->k - 1);
}

/* Combines the rows of a comparison. *C has k = 0 where that is not possible. */
int machines_combine(struct machines *m, const struct report_change *rows, struct combined *c,
		     double level)
{
	double *values = calloc(2 * m->n, sizeof(*values));
	size_t k = 0;
	int r;

	*c = (struct combined){0};
	if (!values)
		return machines_no_memory(m);
	for (size_t i = 0; i < m->n; i++)
		k += log_error(&rows[i], &values[k], &values[m->n + k]);
	r = k == m->n ? combine(c, values, values + m->n, k, level) : -EDOM;
	free(values);
	if (r)
		*c = (struct combined){0};
	return 0;
}

/* The combined row. P is adjusted for the number of comparisons. */
void machines_fill_combined(struct report_comparison *to, struct report_change *row,
			    const struct combined *c, const struct report_change *first,
			    enum direction direction, double p)
{
	double margin = first->equivalence.margin;
	bool larger_better = direction == DIRECTION_HIGHER;
	double same = fmax(beyond(c, -margin, true), beyond(c, margin, false));

	to->heterogeneity.machines = c->k;
	to->heterogeneity.q = c->q;
	to->heterogeneity.p = c->q_p;
	to->heterogeneity.i2 = c->i2;
	to->heterogeneity.tau2 = c->tau2;
	row->n = row->n_baseline = row->n_variant = c->k;
	row->estimate = expm1(c->estimate);
	row->low = expm1(c->low);
	row->high = expm1(c->high);
	row->level = 1 - first->alpha;
	row->method = METHOD_COMBINED;
	row->p = c->p;
	row->p_adjusted = p;
	row->alpha = first->alpha;
	row->equivalence.margin = margin;
	row->equivalence.p = same;
	row->within_margin = same <= first->alpha;
	if (p <= first->alpha && direction == DIRECTION_NEUTRAL)
		row->verdict = VERDICT_CHANGED;
	else if (p <= first->alpha)
		row->verdict = (c->estimate > 0) == larger_better ? VERDICT_BETTER : VERDICT_WORSE;
	else
		row->verdict = same <= first->alpha ? VERDICT_SAME : VERDICT_UNCLEAR;
}

void machines_fill_gate(struct report_comparison *to, const struct report_comparison *first,
			const struct combined *c, enum direction direction, double alpha)
{
	double threshold = direction == DIRECTION_HIGHER ? -first->gate_margin : first->gate_margin;

	to->gate = first->gate == GATE_NONE ? GATE_NONE : GATE_UNCLEAR;
	if (to->gate == GATE_NONE || !c->k)
		return;
	to->gate_margin = first->gate_margin;
	to->gate_metric = first->gate_metric;
	to->gate_p_worse = beyond(c, threshold, direction != DIRECTION_HIGHER);
	to->gate_p_ruled_out = 1 - to->gate_p_worse;
	if (to->gate_p_worse <= alpha)
		to->gate = GATE_WORSE;
	else if (to->gate_p_ruled_out <= alpha)
		to->gate = GATE_PASSED;
}
