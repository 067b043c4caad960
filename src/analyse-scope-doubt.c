/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verdicts on scopes that rest on what probing adds.
 *
 * What it adds is measured beforehand, in a small program, and taken off. In the programs measured
 * a call's share of it is more or less by what caches and branches are like there; and variants
 * differ in that. The test knows nothing of it: it sees that the difference is no chance.
 */
#include "analyse-scope-doubt.h"

#include <math.h>
#include <string.h>

/* Standard errors of the calibration that a difference must exceed. */
#define CALIBRATION_ERRORS 2.0

static const char by_probing[] =
    "probing added more to the runs than remains without it, and more than the difference";
static const char by_calibration[] =
    "the calls differ in number, and what probing adds to them is not known well enough";

static double mean_of(const struct report_variant *v, long metric)
{
	return metric >= 0 && v->cells[metric].n ? v->cells[metric].mean : NAN;
}

/* What a scope's own cost is: its exclusive total where there is one. */
static double own_mean(const struct report *report, const struct report_variant *v,
		       const struct report_metric *total)
{
	double self = mean_of(v, report_scope_metric(report, total->scope, PART_SELF, total->of));

	return isnan(self)
		   ? mean_of(v, report_scope_metric(report, total->scope, PART_TOTAL, total->of))
		   : self;
}

static bool is_total(const struct report_metric *m, const char *of)
{
	return m->source == METRIC_SCOPE && !m->on_cpu && m->part == PART_TOTAL &&
	       !strcmp(m->of, of);
}

double scope_taken_off(const struct report *report, const struct report_variant *v, const char *of)
{
	double left = mean_of(v, report_scope_metric(report, SCOPE_WHOLE, PART_PROBED, of));

	for (size_t i = 0; i < report->n_metrics; i++)
		if (is_total(&report->metrics[i], of))
			left -= own_mean(report, v, &report->metrics[i]);
	return report_scope_metric(report, SCOPE_REST, PART_TOTAL, of) < 0 ? NAN : left;
}

bool scope_rest_is_short(const struct report *report, const struct report_variant *v,
			 const char *of)
{
	double rest = mean_of(v, report_scope_metric(report, SCOPE_REST, PART_TOTAL, of));

	return scope_taken_off(report, v, of) > rest;
}

/* What the calibration may be wrong by in the difference of SCOPE's totals: that of as many calls
 * as there are on both sides is the same, and cancels. */
static double calibration_error(const struct report *report, const struct report_comparison *c,
				const char *scope, const char *of)
{
	const struct report_variant *a = &report->variants[c->baseline];
	const struct report_variant *b = &report->variants[c->variant];
	long calls = report_scope_metric(report, scope, PART_CALLS, NULL);
	long se = report_scope_metric(report, scope, PART_OVERHEAD_SE, of);
	double error =
	    fabs(mean_of(b, calls) - mean_of(a, calls)) * fmax(mean_of(a, se), mean_of(b, se));

	return isnan(error) ? 0 : CALIBRATION_ERRORS * error;
}

static const char *doubt(const struct report *report, const struct report_comparison *c,
			 size_t metric)
{
	const struct report_variant *a = &report->variants[c->baseline];
	const struct report_variant *b = &report->variants[c->variant];
	const struct report_metric *m = &report->metrics[metric];
	double difference = fabs(b->cells[metric].mean - a->cells[metric].mean);
	bool rest = !strcmp(m->scope, SCOPE_REST);
	double error = rest ? 0 : calibration_error(report, c, m->scope, m->of);

	if (rest &&
	    (scope_rest_is_short(report, a, m->of) || scope_rest_is_short(report, b, m->of)) &&
	    difference < fmax(scope_taken_off(report, a, m->of), scope_taken_off(report, b, m->of)))
		return by_probing;
	for (size_t i = 0; i < report->n_metrics && rest; i++)
		if (is_total(&report->metrics[i], m->of))
			error += calibration_error(report, c, report->metrics[i].scope, m->of);
	return difference < error ? by_calibration : NULL;
}

static bool is_decided(enum verdict v)
{
	return v == VERDICT_BETTER || v == VERDICT_WORSE || v == VERDICT_CHANGED;
}

void scope_doubt(const struct report *report, struct report_comparison *c)
{
	for (size_t i = 0; i < report->n_metrics; i++) {
		const struct report_metric *m = &report->metrics[i];
		struct report_change *change = &c->changes[i];

		if (m->source != METRIC_SCOPE || m->untested || m->part != PART_TOTAL ||
		    m->on_cpu || !is_decided(change->verdict))
			continue;
		const char *reason = doubt(report, c, i);

		if (!reason)
			continue;
		change->verdict = VERDICT_UNCLEAR;
		change->within_margin = change->disagree = false;
		change->reason = reason;
		if (!m->primary)
			continue;
		c->verdict = VERDICT_UNCLEAR;
		if (c->gate == GATE_WORSE)
			c->gate = GATE_UNCLEAR;
	}
}
