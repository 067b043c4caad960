/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparing two sides.
 *
 * The primary metric first: its looks decide, adjusted by Holm over the comparisons. Then the others, one family over all
 * comparisons, and the totals of scopes, another, held against the level of the look that stopped.
 */
#include "analyse-compare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse-change.h"
#include "analyse-look.h"
#include "analyse-sample.h"
#include "judge.h"
#include "multiple.h"

struct comparing {
	struct report *report;
	const struct analyse_input *input;
	struct look *looks;	    /* one a comparison */
	struct judgement *judged;   /* comparisons × metrics */
	struct judge_rules *rules;  /* the same */
	bool *tested;		    /* the same: there is a p value */
	size_t primary;
	char *err;
	size_t err_size;
};

/* What is asked for now; else what was when it was measured. */
static double margin_of(const struct judge_options *o, const struct record *record,
			const struct report_metric *m)
{
	for (size_t i = o->n_margins; i > 0; i--)
		if (!strcmp(o->margins[i - 1].metric, m->name) ||
		    !strcmp(o->margins[i - 1].metric, m->event))
			return o->margins[i - 1].margin;
	if (!isnan(o->margin))
		return o->margin;
	if (!isnan(m->margin))
		return m->margin;
	return record->plan.margin > 0 ? record->plan.margin : MARGIN_DEFAULT;
}

static double alpha_of(const struct judge_options *o, const struct record *record)
{
	if (!isnan(o->alpha))
		return o->alpha;
	return record->plan.alpha > 0 ? record->plan.alpha : 0.05;
}

/* The gate's limit for the primary metric, negative if there is no gate. */
static double gate_of(const struct judge_options *o, const struct record *record, double margin)
{
	if (o->gate)
		return isnan(o->gate_margin) ? margin : o->gate_margin;
	return isnan(record->plan.gate) ? -1 : record->plan.gate;
}

static bool is_interleaved(const struct analyse_side *a, const struct analyse_side *b)
{
	return a->n_sources == 1 && b->n_sources == 1 &&
	       a->sources[0].record == b->sources[0].record &&
	       a->sources[0].record->plan.interleaved && !a->sources[0].record->summaries;
}

static enum boot_scope boots_of(const struct analyse_side *a, const struct analyse_side *b)
{
	const struct machine *x = &a->sources[0].record->machine, *y = &b->sources[0].record->machine;
	size_t n_a = side_boots(a), n_b = side_boots(b);

	if (n_a > 1 && n_b > 1)
		return BOOT_IS_UNIT;
	if (n_a > 1 || n_b > 1)
		return BOOT_ONE_EACH;
	if (!x->boot_id || !y->boot_id)
		return BOOT_UNKNOWN;
	return strcmp(x->boot_id, y->boot_id) ? BOOT_ONE_EACH : BOOT_SAME;
}

/* Takes both sides' samples of METRIC, as pairs where they were run in blocks. */
static int take_samples(const struct comparing *g, const struct report_comparison *c, const char *metric,
			struct sample *a, struct sample *b)
{
	const struct analyse_side *sides = g->input->sides;
	int r = sample_take(a, &sides[c->baseline], metric);

	if (r)
		return r;
	r = sample_take(b, &sides[c->variant], metric);
	if (r) {
		sample_release(a);
		return r;
	}
	if (c->interleaved) {
		series_pair(&a->series, &b->series);
		a->n = b->n = a->series.n;
	} else if (c->boots == BOOT_IS_UNIT) {
		r = sample_by_boot(a, &sides[c->baseline], metric);
		if (!r)
			r = sample_by_boot(b, &sides[c->variant], metric);
	}
	if (r) {
		sample_release(a);
		sample_release(b);
	}
	return r;
}

/* Judges A and B. *JUDGED: there are numbers. Returns why there can be no verdict, or NULL. */
static const char *judge_samples(struct comparing *g, size_t at, const struct sample *a,
				 const struct sample *b, struct judge_data *data, bool *judged)
{
	*judged = false;
	/* Pairs are lost on both sides, also where only one has a reason. */
	if (!a->n || !b->n)
		return !a->n && a->reason ? a->reason
		       : b->reason	  ? b->reason
					  : "no block has a value on both sides";
	/* Equal bounds are no equal values. */
	if (a->upper_bound && b->upper_bound)
		return "both are upper bounds: programs this small use less than can be told";
	/* A mean beside values: the values are summarised too. */
	if (a->summary != b->summary) {
		data->a = (struct judge_side){.n = a->n, .mean = a->mean, .sd = a->sd};
		data->b = (struct judge_side){.n = b->n, .mean = b->mean, .sd = b->sd};
	}
	int r = judge(&g->judged[at], data, &g->rules[at],
		      g->input->detail == ANALYSE_TESTS ? JUDGE_TESTS : JUDGE_ALL);

	if (r == -ERANGE)
		return "the values are too large to compute with";
	if (r)
		return r == -ENOMEM ? "out of memory" : "the values cannot be compared";
	*judged = true;
	g->tested[at] = g->judged[at].method != JUDGE_NONE;
	return g->tested[at] ? NULL : "a single run a side is no evidence";
}

static int judge_metric(struct comparing *g, size_t comparison, size_t metric)
{
	struct report_comparison *c = &g->report->comparisons[comparison];
	const struct report_metric *m = &g->report->metrics[metric];
	size_t at = comparison * g->report->n_metrics + metric;
	struct judge_rules *rules = &g->rules[at];
	struct report_change *change = &c->changes[metric];
	const struct record *record = g->input->records[0];
	struct sample a, b;
	int r = take_samples(g, c, m->name, &a, &b);

	if (r)
		return r;
	change_unknown(change);
	change->n_baseline = a.n;
	change->n_variant = b.n;
	change->n = a.n < b.n ? a.n : b.n;
	if (metric == g->primary) {
		const struct record_plan *plan = c->interleaved ? &record->plan : NULL;

		if (look_at(&g->looks[comparison], plan, change->n, alpha_of(g->input->judge, record))) {
			snprintf(g->err, g->err_size, "alpha must be more than 0 and less than 1");
			r = -EINVAL;
		}
	}
	*rules = g->looks[comparison].rules;
	rules->margin = margin_of(g->input->judge, record, m);
	rules->gate = metric == g->primary ? gate_of(g->input->judge, record, rules->margin) : -1;
	rules->larger_better = m->direction == DIRECTION_HIGHER;
	change->alpha = rules->level;
	struct judge_data data = {sample_side(&a), sample_side(&b), c->interleaved};
	bool judged;

	change->reason = judge_samples(g, at, &a, &b, &data, &judged);
	if (judged)
		change_fill(change, &g->judged[at], &data, rules, m->direction);
	if (g->tested[at] && a.sd_borrowed + b.sd_borrowed)
		change->reason = "a side's standard deviation is not known: the other's was borrowed";
	sample_release(&a);
	sample_release(&b);
	return r;
}

/* The variant failed more often than the baseline: whatever it gains may come from the work that it did not do. */
static bool fails_more(const struct report *report, const struct report_comparison *c)
{
	const struct report_variant *a = &report->variants[c->baseline], *b = &report->variants[c->variant];

	return (double)b->failed * (double)a->runs > (double)a->failed * (double)b->runs;
}

static enum verdict verdict_of(const struct comparing *g, size_t comparison, size_t metric, double p)
{
	struct report_comparison *c = &g->report->comparisons[comparison];
	size_t at = comparison * g->report->n_metrics + metric;
	enum direction direction = g->report->metrics[metric].direction;
	const struct judgement *j = &g->judged[at];
	struct report_change *change = &c->changes[metric];

	if (!g->tested[at])
		return change->n ? VERDICT_UNCLEAR : VERDICT_NONE;
	if (g->looks[comparison].none) {
		change->reason = "the measurement ended before it was complete";
		return VERDICT_UNCLEAR;
	}
	enum judge_decision d = judge_look(j, &g->rules[at], p, true);

	if (d == JUDGE_SAME)
		return VERDICT_SAME;
	if (d != JUDGE_HIGHER && d != JUDGE_LOWER)
		return VERDICT_UNCLEAR;
	change->within_margin = j->within_margin;
	if (direction == DIRECTION_NEUTRAL)
		return VERDICT_CHANGED;
	if ((d == JUDGE_HIGHER) != (direction == DIRECTION_HIGHER))
		return VERDICT_WORSE;
	if (fails_more(g->report, c)) {
		change->reason = "it failed more often than the baseline";
		return VERDICT_UNCLEAR;
	}
	return VERDICT_BETTER;
}

static void set_verdict(struct comparing *g, size_t comparison, size_t metric, double p)
{
	struct report_change *change = &g->report->comparisons[comparison].changes[metric];
	const struct judgement *j = &g->judged[comparison * g->report->n_metrics + metric];

	change->p_adjusted = p;
	change->verdict = verdict_of(g, comparison, metric, p);
	if (change->verdict == VERDICT_UNCLEAR && g->tested[comparison * g->report->n_metrics + metric] &&
	    j->runs_needed)
		change->runs_needed = (double)j->runs_needed;
}

/* Metrics that are corrected together for being many. */
enum family { FAMILY_PRIMARY, FAMILY_SCOPES, FAMILY_OTHERS, FAMILY_NONE };

static enum family family_of(const struct comparing *g, size_t metric)
{
	const struct report_metric *m = &g->report->metrics[metric];

	if (metric == g->primary)
		return FAMILY_PRIMARY;
	if (m->untested)
		return FAMILY_NONE;
	return m->source == METRIC_SCOPE ? FAMILY_SCOPES : FAMILY_OTHERS;
}

/* Adjusts the p values of FAMILY, of all comparisons, together, and gives the verdicts. */
static int judge_family(struct comparing *g, enum family family)
{
	struct report *report = g->report;
	size_t n = 0, most = report->n_comparisons * report->n_metrics;
	double *p = calloc(most + 1, sizeof(*p));
	int r = p ? 0 : -ENOMEM;

	for (size_t pass = 0; pass < 2 && !r; pass++) {
		size_t k = 0;

		for (size_t i = 0; i < report->n_comparisons; i++)
			for (size_t m = 0; m < report->n_metrics; m++) {
				bool tested = g->tested[i * report->n_metrics + m];
				bool member = tested && (report->metrics[m].shown ||
							 family == FAMILY_PRIMARY);

				if (family_of(g, m) != family)
					continue;
				if (pass == 0 && member)
					p[n++] = report->comparisons[i].changes[m].p;
				else if (pass == 1)
					set_verdict(g, i, m,
						    member   ? p[k++]
						    : tested ? report->comparisons[i].changes[m].p
							     : NAN);
			}
		if (pass == 0 && n)
			r = family == FAMILY_OTHERS && g->input->judge->fdr ? bh_adjust(p, n, p)
							     : holm_adjust(p, n, p);
	}
	free(p);
	return r;
}

static int judge_gates(struct comparing *g)
{
	struct report *report = g->report;
	double *p = calloc(report->n_comparisons + 1, sizeof(*p));
	size_t n = 0, k = 0;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < report->n_comparisons; i++) {
		size_t at = i * report->n_metrics + g->primary;

		if (g->tested[at] && g->judged[at].has_gate)
			p[n++] = g->judged[at].gate.p_fail;
	}
	int r = n ? holm_adjust(p, n, p) : 0;

	for (size_t i = 0; i < report->n_comparisons && !r; i++) {
		struct report_comparison *c = &report->comparisons[i];
		size_t at = i * report->n_metrics + g->primary;
		struct judgement *j = &g->judged[at];

		if (g->rules[at].gate < 0)
			continue;
		c->gate = GATE_UNCLEAR;
		c->gate_margin = g->rules[at].gate;
		c->gate_metric = report->metrics[g->primary].name;
		if (!g->tested[at] || !j->has_gate)
			continue;
		j->gate.p_fail = p[k++];
		c->gate_p_worse = j->gate.p_fail;
		c->gate_p_ruled_out = j->gate.p_pass;
		if (g->looks[i].none)
			continue;
		enum judge_gate result = judge_gate_look(j, &g->rules[at], true);

		if (result == JUDGE_GATE_FAIL)
			c->gate = GATE_WORSE;
		else if (result == JUDGE_GATE_PASS && !fails_more(report, c))
			c->gate = GATE_PASSED;
	}
	free(p);
	return r;
}

static int judge_all(struct comparing *g)
{
	struct report *report = g->report;
	int r = 0;

	for (size_t i = 0; i < report->n_comparisons && !r; i++)
		r = judge_metric(g, i, g->primary);
	for (size_t i = 0; i < report->n_comparisons && g->input->detail == ANALYSE_ALL; i++)
		for (size_t m = 0; m < report->n_metrics && !r; m++)
			if (m != g->primary)
				r = judge_metric(g, i, m);
	if (!r)
		r = judge_family(g, FAMILY_PRIMARY);
	if (!r && g->input->detail == ANALYSE_ALL)
		r = judge_family(g, FAMILY_SCOPES);
	if (!r && g->input->detail == ANALYSE_ALL)
		r = judge_family(g, FAMILY_OTHERS);
	if (!r)
		r = judge_gates(g);
	for (size_t i = 0; i < report->n_comparisons; i++)
		report->comparisons[i].verdict = report->comparisons[i].changes[g->primary].verdict;
	return r;
}

static int init(struct comparing *g, const size_t *pairs, size_t n_pairs)
{
	struct report *report = g->report;
	size_t n = n_pairs * report->n_metrics;

	report->comparisons = calloc(n_pairs + 1, sizeof(*report->comparisons));
	g->looks = calloc(n_pairs + 1, sizeof(*g->looks));
	g->judged = calloc(n + 1, sizeof(*g->judged));
	g->rules = calloc(n + 1, sizeof(*g->rules));
	g->tested = calloc(n + 1, sizeof(*g->tested));
	if (!report->comparisons || !g->looks || !g->judged || !g->rules || !g->tested)
		return -ENOMEM;
	for (size_t i = 0; i < n_pairs; i++) {
		struct report_comparison *c = &report->comparisons[i];
		const struct analyse_side *a = &g->input->sides[pairs[2 * i]];
		const struct analyse_side *b = &g->input->sides[pairs[2 * i + 1]];

		*c = (struct report_comparison){
			.baseline = pairs[2 * i],
			.variant = pairs[2 * i + 1],
			.interleaved = is_interleaved(a, b),
			.boots = boots_of(a, b),
			.gate_margin = NAN,
			.gate_p_worse = NAN,
			.gate_p_ruled_out = NAN,
			.changes = calloc(report->n_metrics + 1, sizeof(*c->changes)),
		};
		if (!c->changes)
			return -ENOMEM;
		report->n_comparisons++;
		for (size_t m = 0; m < report->n_metrics; m++)
			change_unknown(&c->changes[m]);
	}
	return 0;
}

int compare_sides(struct report *report, const struct analyse_input *input, const size_t *pairs,
		  size_t n_pairs, char *err, size_t err_size)
{
	struct comparing g = {
		.report = report,
		.input = input,
		.err = err,
		.err_size = err_size,
	};

	for (size_t i = 0; i < report->n_metrics; i++)
		if (report->metrics[i].primary)
			g.primary = i;
	int r = init(&g, pairs, n_pairs);

	if (!r)
		r = judge_all(&g);
	free(g.looks);
	free(g.judged);
	free(g.rules);
	free(g.tested);
	return r;
}
