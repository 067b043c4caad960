/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of scopes beyond a row a metric. */
#include "analyse-scopes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse-change.h"
#include "analyse-look.h"
#include "analyse-sample.h"
#include "analyse-scope-doubt.h"
#include "analyse-scope-rows.h"

static const char not_tested[] =
    "not tested: of scopes only the totals of the event that decides are";

void scopes_mark(struct report *report)
{
	const char *event = report_scope_event(report);

	for (size_t i = 0; i < report->n_metrics; i++) {
		struct report_metric *m = &report->metrics[i];

		m->untested =
		    m->source == METRIC_SCOPE && !m->primary &&
		    (m->on_cpu || m->part != PART_TOTAL || !event || strcmp(m->of, event) != 0);
	}
}

void scopes_hide_cpus(struct report *report)
{
	for (size_t i = 0; i < report->n_metrics; i++) {
		struct report_metric *m = &report->metrics[i];
		bool called = m->source != METRIC_SCOPE || !m->on_cpu;
		long calls =
		    called ? -1 : report_cpu_metric(report, m->scope, m->cpu, PART_CALLS, NULL);

		for (size_t v = 0; v < report->n_variants && calls >= 0 && !called; v++)
			called = report->variants[v].cells[calls].n &&
				 report->variants[v].cells[calls].mean > 0;
		m->shown = m->shown && called;
	}
}

static void drop_share(struct report_cell *share)
{
	struct report_cell none = report_no_cell;

	if (share->missing != NULL_NOTHING_LEFT)
		return;
	none.running_percent = share->running_percent;
	none.missing = share->missing;
	none.reason = share->reason;
	*share = none;
}

void scopes_drop_shares(struct report *report)
{
	for (size_t i = 0; i < report->n_metrics; i++)
		for (size_t v = 0; v < report->n_variants && report->metrics[i].part == PART_SHARE; v++)
			if (report->metrics[i].source == METRIC_SCOPE)
				drop_share(&report->variants[v].cells[i]);
}

/* Fills CHANGE with what METRIC of SIDE, in the probed runs, is beside BARE. */
static int judge_probing(struct report_change *change, const struct analyse_side *side,
			 const char *bare, const char *probed, enum direction direction)
{
	bool paired = side->n_sources == 1 && !side->sources[0].record->summaries;
	struct sample a, b;
	struct judgement j;
	struct look look;
	int r = sample_take(&a, side, bare);

	if (r)
		return r;
	r = sample_take(&b, side, probed);
	if (r) {
		sample_release(&a);
		return r;
	}
	if (paired) {
		series_pair(&a.series, &b.series);
		a.n = b.n = a.series.n;
	}
	change_unknown(change);
	struct judge_data data = {sample_side(&a), sample_side(&b), paired};

	if (!a.n || !b.n) {
		change->reason = !a.n && a.reason ? a.reason : b.reason;
	} else if (look_at(&look, NULL, a.n < b.n ? a.n : b.n, 0.05) == 0) {
		look.rules.margin = MARGIN_DEFAULT;
		r = judge(&j, &data, &look.rules, JUDGE_ALL);
		if (!r)
			change_fill(change, &j, &data, &look.rules, direction);
		else if (r != -ENOMEM)
			r = 0;
	}
	sample_release(&a);
	sample_release(&b);
	return r;
}

static int probe_variant(struct report *report, struct report_variant *v,
			 const struct analyse_side *side)
{
	v->probing = calloc(report->n_metrics + 1, sizeof(*v->probing));
	if (!v->probing)
		return -ENOMEM;
	for (size_t i = 0; i < report->n_metrics; i++) {
		const struct report_metric *m = &report->metrics[i];
		long probed = m->source == METRIC_SCOPE
				  ? -1
				  : report_scope_metric(report, SCOPE_WHOLE, PART_PROBED, m->name);
		struct report_probing *p = &v->probing[v->n_probing];

		if (probed < 0 || m->probed)
			continue;
		p->metric = i;
		p->change = calloc(1, sizeof(*p->change));
		if (!p->change)
			return -ENOMEM;
		v->n_probing++;
		int r = judge_probing(p->change, side, m->name, report->metrics[probed].name,
				      m->direction);

		if (r)
			return r;
	}
	return 0;
}

int scopes_probing(struct report *report, const struct analyse_input *in)
{
	for (size_t i = 0; i < report->n_variants && report_scope_event(report); i++) {
		int r = probe_variant(report, &report->variants[i], &in->sides[i]);

		if (r)
			return r;
	}
	return 0;
}

/* The scopes of a comparison and how each is measured: TOTAL is tested, OWN (exclusive) adds up. */
struct part {
	const char *scope;
	size_t total;
	const char *own;
};

static size_t list_parts(const struct report *report, struct part *parts)
{
	const char *event = report_scope_event(report);
	size_t n = 0;

	for (size_t i = 0; i < report->n_metrics; i++) {
		const struct report_metric *m = &report->metrics[i];

		if (m->source != METRIC_SCOPE || m->on_cpu || m->part != PART_TOTAL ||
		    strcmp(m->of, event) != 0)
			continue;
		long self = report_scope_metric(report, m->scope, PART_SELF, event);

		parts[n++] =
		    (struct part){m->scope, i, self < 0 ? m->name : report->metrics[self].name};
	}
	return n;
}

/* Whether SCOPE is called another number of times: surely, for as many scopes as there are. */
static bool calls_changed(const struct report *report, const struct report_comparison *c,
			  const char *scope, size_t n_scopes, struct report_calls *calls,
			  double *ratio)
{
	long i = report_scope_metric(report, scope, PART_CALLS, NULL);
	const struct report_change *change = i < 0 ? NULL : &c->changes[i];

	*ratio = 0;
	if (!change || isnan(change->estimate) || change->estimate == 0 || isnan(change->p) ||
	    !(change->p * (double)n_scopes <= 0.05))
		return false;
	*calls = (struct report_calls){
	    scope,
	    report->variants[c->baseline].cells[i].mean,
	    report->variants[c->variant].cells[i].mean,
	};
	*ratio = change->absolute ? change->estimate / calls->baseline : change->estimate;
	return true;
}

static enum moved_side side_of(enum verdict v)
{
	return v == VERDICT_BETTER  ? MOVED_BETTER
	       : v == VERDICT_WORSE ? MOVED_WORSE
				    : MOVED_UNDECIDED;
}

/* The whole: of the event that is added up, else of the primary metric. */
static const struct report_change *
whole_change(const struct report *report, const struct report_comparison *c, const char *event)
{
	for (size_t i = 0; i < report->n_metrics; i++)
		if (report->metrics[i].source != METRIC_SCOPE &&
		    !strcmp(report->metrics[i].name, event))
			return &c->changes[i];
	return &c->changes[report_primary(report)];
}

static bool is_nested(const struct report *report, const struct report_comparison *c,
		      const struct part *part)
{
	const char *event = report->metrics[part->total].of;

	return report_scope_nested(report, &report->variants[c->baseline], part->scope, event) ||
	       report_scope_nested(report, &report->variants[c->variant], part->scope, event);
}

struct adding {
	struct report *report;
	struct report_comparison *c;
	const struct part *parts;
	size_t n;
	struct scope_rows a, b;
};

static void describe_part(const struct adding *x, size_t i, struct moved_part *to,
			  struct report_moved *moved)
{
	const struct report_change *change = &x->c->changes[x->parts[i].total];
	struct report_calls calls;

	*to = (struct moved_part){
	    .a = scope_rows_of(&x->a, i),
	    .b = scope_rows_of(&x->b, i),
	    .side = side_of(change->verdict),
	    .rest = !strcmp(x->parts[i].scope, SCOPE_REST),
	    .nested = is_nested(x->report, x->c, &x->parts[i]),
	    .change = change->estimate,
	};
	if (change->absolute)
		to->change = change->estimate /
			     x->report->variants[x->c->baseline].cells[x->parts[i].total].mean;
	to->calls_changed =
	    calls_changed(x->report, x->c, x->parts[i].scope, x->n, &calls, &to->calls);
	if (to->calls_changed)
		moved->calls[moved->n_calls++] = calls;
	moved->parts[moved->n_parts++] = (struct report_part){
	    .scope = x->parts[i].scope,
	    .change = change->absolute ? NAN : change->estimate,
	    .change_low = change->absolute ? NAN : change->low,
	    .change_high = change->absolute ? NAN : change->high,
	};
}

static int add_up(const struct adding *x, struct report_moved *moved)
{
	struct moved_part *parts = calloc(x->n + 1, sizeof(*parts));
	const struct report_change *whole = whole_change(x->report, x->c, moved->metric);
	struct moved found;

	if (!parts)
		return -ENOMEM;
	for (size_t i = 0; i < x->n; i++)
		describe_part(x, i, &parts[i], moved);
	int r = moved_find(
	    &found,
	    &(struct moved_input){
		.parts = parts,
		.n_parts = x->n,
		.n_a = x->a.n,
		.n_b = x->b.n,
		.paired = x->c->interleaved,
		.larger_better =
		    x->report->metrics[x->parts[0].total].direction == DIRECTION_HIGHER,
		.whole_open = whole->verdict == VERDICT_SAME || whole->verdict == VERDICT_UNCLEAR,
		.whole_better = whole->verdict == VERDICT_BETTER && !whole->within_margin,
		.level = moved->level,
	    });

	if (!r) {
		for (size_t i = 0; i < x->n; i++) {
			moved->parts[i].role = found.roles[i];
			moved->parts[i].amount = found.amounts[i];
		}
		moved->kind = found.kind;
		moved->grew = whole->verdict == VERDICT_WORSE && !whole->within_margin;
		moved->won = found.won;
		moved->lost = found.lost;
		moved->net = found.net;
		moved->whole = found.whole;
		moved->share = found.share;
	}
	moved_release(&found);
	free(parts);
	return r;
}

static int take_rows(struct adding *x, const struct analyse_side *sides)
{
	const char **names = calloc(x->n + 1, sizeof(*names));
	int r = names ? 0 : -ENOMEM;

	for (size_t i = 0; i < x->n && !r; i++)
		names[i] = x->parts[i].own;
	if (!r)
		r = scope_rows_take(&x->a, &sides[x->c->baseline].sources[0], names, x->n);
	if (!r)
		r = scope_rows_take(&x->b, &sides[x->c->variant].sources[0], names, x->n);
	if (!r && x->c->interleaved)
		scope_rows_pair(&x->a, &x->b);
	free(names);
	return r;
}

/* Runs of several boots have no common blocks, and means of boots do not say what moved within a
 * run. */
static bool can_add_up(const struct report_comparison *c, const struct analyse_side *sides)
{
	const struct analyse_side *a = &sides[c->baseline], *b = &sides[c->variant];

	return a->n_sources == 1 && b->n_sources == 1 && !a->sources[0].record->summaries &&
	       !b->sources[0].record->summaries;
}

static int compare_parts(struct report *report, struct report_comparison *c,
			 const struct part *parts, size_t n, const struct analyse_side *sides)
{
	struct adding x = {.report = report, .c = c, .parts = parts, .n = n};
	const struct report_metric *first = &report->metrics[parts[0].total];
	struct report_moved *moved;
	int r;

	if (!can_add_up(c, sides) || first->direction == DIRECTION_NEUTRAL)
		return 0;
	moved = calloc(1, sizeof(*moved));
	c->moved = moved;
	if (!moved)
		return -ENOMEM;
	moved->metric = first->of;
	moved->unit = first->unit;
	moved->parts = calloc(n + 1, sizeof(*moved->parts));
	moved->calls = calloc(n + 1, sizeof(*moved->calls));
	moved->level = c->changes[parts[0].total].level;
	if (!(moved->level > 0 && moved->level < 1))
		moved->level = 0.95;
	if (!moved->parts || !moved->calls)
		return -ENOMEM;
	r = take_rows(&x, sides);
	moved->n = x.a.n < x.b.n ? x.a.n : x.b.n;
	if (!r)
		r = add_up(&x, moved);
	scope_rows_release(&x.a);
	scope_rows_release(&x.b);
	return r;
}

/* What is not tested has no p, lest somebody take it for a test. */
static void clear_untested(struct report *report, struct report_comparison *c)
{
	for (size_t i = 0; i < report->n_metrics; i++) {
		struct report_change *change = &c->changes[i];

		if (!report->metrics[i].untested)
			continue;
		change->p = change->welch.p = change->equivalence.p = change->alpha = NAN;
		change->disagree = false;
		if (!change->reason)
			change->reason = not_tested;
	}
}

int scopes_compare(struct report *report, const struct analyse_input *in)
{
	struct part *parts;
	size_t n;
	int r = 0;

	if (!report_scope_event(report))
		return 0;
	parts = calloc(report->n_metrics + 1, sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	n = list_parts(report, parts);
	for (size_t i = 0; i < report->n_comparisons && !r; i++) {
		scope_doubt(report, &report->comparisons[i]);
		if (n)
			r = compare_parts(report, &report->comparisons[i], parts, n, in->sides);
		clear_untested(report, &report->comparisons[i]);
	}
	free(parts);
	return r;
}
