/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scopes as text: of one variant a table a scope, with a row an event: a call's cost, then the
 * run's, and the same of each CPU; of a comparison the totals that are tested, and beside them what
 * explains them.
 */
#include "render-text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "render-table.h"
#include "render-text-changes.h"
#include "text.h"

enum {
	COLUMN_NAME,
	COLUMN_MEAN,
	COLUMN_MEAN_SPREAD,
	COLUMN_P50,
	COLUMN_P99,
	COLUMN_TOTAL,
	COLUMN_TOTAL_SPREAD,
	COLUMN_SHARE,
	COLUMN_SELF,
	COLUMNS
};

struct scope_table {
	const struct text_page *page;
	const struct report_variant *variant;
	const char *scope;
	struct table table;
};

static const struct report_cell *cell_of(const struct scope_table *t, enum scope_part part,
					 const char *of)
{
	long i = report_scope_metric(t->page->report, t->scope, part, of);

	return i < 0 || !t->variant->cells[i].n ? NULL : &t->variant->cells[i];
}

static double mean_of(const struct scope_table *t, enum scope_part part, const char *of)
{
	const struct report_cell *c = cell_of(t, part, of);

	return c ? c->mean : NAN;
}

static void set_value(struct scope_table *t, struct table_row *row, size_t column, const char *unit,
		      const struct report_cell *c)
{
	char buf[FORMAT_SIZE];

	if (c)
		table_set(&t->table, row, column, "%s",
			  format_value(buf, sizeof(buf), unit, c->mean, report_cell_se(c)));
}

static void set_spread(struct scope_table *t, struct table_row *row, size_t column,
		       const struct report_cell *c)
{
	char buf[FORMAT_SIZE];

	if (c && c->n > 1)
		table_set(&t->table, row, column, "±%s",
			  format_spread(buf, sizeof(buf), c->sd > 0 ? c->sem_percent : 0));
}

static void set_row(struct scope_table *t, struct table_row *row, const struct report_metric *m)
{
	const struct report_cell *share = cell_of(t, PART_SHARE, m->of);
	const struct report_cell *total = cell_of(t, PART_TOTAL, m->of);
	char buf[FORMAT_SIZE];

	table_row_clear(row);
	table_set(&t->table, row, COLUMN_NAME, "%s", m->of);
	set_value(t, row, COLUMN_MEAN, m->unit, cell_of(t, PART_MEAN, m->of));
	set_spread(t, row, COLUMN_MEAN_SPREAD, cell_of(t, PART_MEAN, m->of));
	set_value(t, row, COLUMN_P50, m->unit, cell_of(t, PART_P50, m->of));
	set_value(t, row, COLUMN_P99, m->unit, cell_of(t, PART_P99, m->of));
	set_value(t, row, COLUMN_TOTAL, m->unit, total);
	set_spread(t, row, COLUMN_TOTAL_SPREAD, total);
	/* Where probing was all that some runs cost, the others are a selection. */
	if (share && total && share->n == total->n)
		table_set(&t->table, row, COLUMN_SHARE, "%s%s", share->mean < 0 ? "\u2212" : "",
			  format_fraction(buf, sizeof(buf), share->mean));
	if (report_scope_nested(t->page->report, t->variant, t->scope, m->of))
		set_value(t, row, COLUMN_SELF, m->unit, cell_of(t, PART_SELF, m->of));
}

static const struct report_cell *mean_on_cpu(const struct scope_table *t,
					     const struct report_metric *m)
{
	long i =
	    m->of ? report_cpu_metric(t->page->report, t->scope, m->cpu, PART_MEAN, m->of) : -1;

	return i < 0 || !t->variant->cells[i].n ? NULL : &t->variant->cells[i];
}

/* "CPU0/calls" or "CPU0/cycles:u", as the whole's rows are called with a row a CPU. */
static void set_cpu_row(struct scope_table *t, struct table_row *row, size_t metric)
{
	const struct report_metric *m = &t->page->report->metrics[metric];
	const struct report_cell *mean = mean_on_cpu(t, m), *total = &t->variant->cells[metric];

	if (!total->n)
		total = NULL;
	table_row_clear(row);
	table_set(&t->table, row, COLUMN_NAME, "CPU%d/%s", m->cpu,
		  m->of ? m->of : scope_part_word(m->part));
	set_value(t, row, COLUMN_MEAN, m->unit, mean);
	set_spread(t, row, COLUMN_MEAN_SPREAD, mean);
	set_value(t, row, COLUMN_TOTAL, m->unit, total);
	set_spread(t, row, COLUMN_TOTAL_SPREAD, total);
}

static void set_header(struct scope_table *t, struct table_row *row)
{
	table_row_clear(row);
	if (strcmp(t->scope, SCOPE_REST) != 0) {
		table_set(&t->table, row, COLUMN_MEAN, "a call");
		table_set(&t->table, row, COLUMN_P50, "p50");
		table_set(&t->table, row, COLUMN_P99, "p99");
	}
	table_set(&t->table, row, COLUMN_TOTAL, "total");
	table_set(&t->table, row, COLUMN_SHARE, "share");
	for (size_t i = 0; i < t->page->report->n_metrics; i++) {
		const struct report_metric *m = &t->page->report->metrics[i];

		if (m->source == METRIC_SCOPE && m->part == PART_TOTAL && !m->on_cpu &&
		    !strcmp(m->scope, t->scope) &&
		    report_scope_nested(t->page->report, t->variant, t->scope, m->of))
			table_set(&t->table, row, COLUMN_SELF, "self");
	}
}

/* A row an event that has any value in this scope; of a CPU also one for its calls. */
static bool has_row(const struct scope_table *t, size_t metric)
{
	const struct report_metric *m = &t->page->report->metrics[metric];

	if (m->source != METRIC_SCOPE || !m->shown || strcmp(m->scope, t->scope) != 0)
		return false;
	if (m->on_cpu)
		return (m->part == PART_CALLS || m->part == PART_TOTAL) &&
		       (t->variant->cells[metric].n || mean_on_cpu(t, m));
	return m->part == PART_TOTAL &&
	       (cell_of(t, PART_TOTAL, m->of) || cell_of(t, PART_MEAN, m->of));
}

static void pass(struct scope_table *t, bool print)
{
	const struct report *r = t->page->report;
	struct table_row row;
	bool any = false;

	for (size_t i = 0; i < r->n_metrics; i++) {
		if (!has_row(t, i))
			continue;
		for (int header = !any; header >= 0; header--) {
			if (header)
				set_header(t, &row);
			else if (r->metrics[i].on_cpu)
				set_cpu_row(t, &row, i);
			else
				set_row(t, &row, &r->metrics[i]);
			if (print)
				table_print(&t->table, &row);
			else
				table_measure(&t->table, &row);
		}
		any = true;
	}
}

/* Whether there may have been calls that nothing saw. */
static bool is_unseen(const struct scope_table *t)
{
	long i = report_scope_metric(t->page->report, t->scope, PART_CALLS, NULL);

	return i >= 0 && t->variant->cells[i].missing == NULL_NOT_FOLLOWED;
}

/* What became of the calls beyond being measured; "" if nothing did. */
static void put_calls(const struct scope_table *t)
{
	static const struct {
		enum scope_part part;
		const char *word;
	} kinds[] = {
	    {PART_LOST, "lost"},
	    {PART_NOT_COUNTED, "not counted"},
	    {PART_UNFOLLOWED, "not followed"},
	    {PART_MISSED, "missed"},
	    {PART_UNRETURNED, "not returned"},
	};
	const struct report_cell *calls = cell_of(t, PART_CALLS, NULL);
	double interrupted = mean_of(t, PART_INTERRUPTED, NULL);
	char buf[FORMAT_SIZE];

	fputs("\n Scope ", t->page->out);
	text_put(t->page->out, t->scope, t->page->flags);
	if (!calls) {
		fputs(is_unseen(t) ? ": calls not known:\n" : ":\n", t->page->out);
		return;
	}
	fprintf(t->page->out, ": %s call%s a run",
		format_value(buf, sizeof(buf), "", calls->mean, report_cell_se(calls)),
		calls->mean == 1 ? "" : "s");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		double n = mean_of(t, kinds[i].part, NULL);

		if (n > 0)
			fprintf(t->page->out, ", %s %s",
				format_number(buf, sizeof(buf), n, format_decimals(n, NAN)),
				kinds[i].word);
	}
	if (interrupted > 0)
		fprintf(t->page->out, ", %s interrupted",
			format_fraction(buf, sizeof(buf), interrupted));
	fputs(":\n", t->page->out);
}

/* Why events have no value in this scope that have one in the whole, or no share of it. */
static const char *missing_reason(const void *what, size_t i, const char **name)
{
	const struct scope_table *t = what;
	const struct report_metric *m = &t->page->report->metrics[i];

	if (m->source == METRIC_SCOPE && m->part == PART_SHARE && m->shown &&
	    !strcmp(m->scope, t->scope) && t->variant->cells[i].missing == NULL_NOTHING_LEFT) {
		*name = m->name;
		return t->variant->cells[i].reason;
	}
	if (m->source != METRIC_SCOPE || m->part != PART_TOTAL || m->on_cpu || !m->shown ||
	    strcmp(m->scope, t->scope) != 0 || t->variant->cells[i].n)
		return NULL;
	for (size_t k = 0; k < t->page->report->n_metrics; k++)
		if (!strcmp(t->page->report->metrics[k].name, m->of) && !t->variant->cells[k].n)
			return NULL;
	*name = m->of;
	return t->variant->cells[i].reason;
}

static void put_scope(const struct text_page *page, const struct report_variant *variant,
		      const char *scope)
{
	struct scope_table t = {
	    .page = page,
	    .variant = variant,
	    .scope = scope,
	    .table =
		{
		    .out = page->out,
		    .flags = page->flags,
		    .n = COLUMNS,
		    .columns =
			{
			    [COLUMN_NAME] = {.gap = 3},
			    [COLUMN_MEAN] = {.gap = 2, .right = true, .width = 8},
			    [COLUMN_MEAN_SPREAD] = {.gap = 1, .right = true},
			    [COLUMN_P50] = {.gap = 2, .right = true, .width = 8},
			    [COLUMN_P99] = {.gap = 2, .right = true, .width = 8},
			    [COLUMN_TOTAL] = {.gap = 2, .right = true, .width = 8},
			    [COLUMN_TOTAL_SPREAD] = {.gap = 1, .right = true},
			    [COLUMN_SHARE] = {.gap = 2, .right = true},
			    [COLUMN_SELF] = {.gap = 2, .right = true},
			},
		},
	};

	if (strcmp(scope, SCOPE_REST) != 0)
		put_calls(&t);
	else
		fputs("\n The rest, which is in no scope:\n", page->out);
	pass(&t, false);
	pass(&t, true);
	text_reasons(page, &t, page->report->n_metrics, missing_reason);
}

void text_scopes(const struct text_page *page, size_t variant)
{
	const struct report *r = page->report;
	const struct report_variant *v = &r->variants[variant];

	for (size_t i = 0; i < r->n_metrics; i++)
		if (report_scope_begins(r, i) && strcmp(r->metrics[i].scope, SCOPE_WHOLE) != 0)
			put_scope(page, v, r->metrics[i].scope);
	if (text_has_probing(page, v)) {
		fputc('\n', page->out);
		text_probing(page, v, " Effect of probing: ");
	}
}

static bool is_tested(const struct change_table *t, size_t metric)
{
	const struct report_metric *m = &t->page->report->metrics[metric];

	return m->source == METRIC_SCOPE && !m->untested && change_has_values(t, metric);
}

/* With -v, all that is known. */
static bool is_explaining(const struct change_table *t, size_t metric)
{
	const struct report *r = t->page->report;
	const struct report_metric *m = &r->metrics[metric];

	if (!change_has_values(t, metric))
		return false;
	if (t->page->options->verbose)
		return m->source == METRIC_SCOPE && m->untested && m->shown;
	return report_scope_explains(r, metric);
}

/* Why a total that would be tested has no value on either side. */
static const char *untold_reason(const void *what, size_t i, const char **name)
{
	const struct change_table *t = what;
	const struct report *r = t->page->report;
	const struct report_metric *m = &r->metrics[i];
	const char *reason = r->variants[t->comparison->baseline].cells[i].reason;

	if (m->source != METRIC_SCOPE || m->part != PART_TOTAL || m->untested || !m->shown ||
	    change_has_values(t, i))
		return NULL;
	*name = m->name;
	return reason ? reason : r->variants[t->comparison->variant].cells[i].reason;
}

void text_scopes_compared(const struct text_page *page, const struct report_comparison *comparison)
{
	const size_t both[] = {comparison->baseline, comparison->variant};
	const struct report *r = page->report;
	struct change_table t;

	if (!report_scope_event(r))
		return;
	change_table_init(&t, page, comparison);
	change_table_print(&t, "\n Scopes, in the probed runs:\n\n", is_tested);
	text_reasons(page, &t, r->n_metrics, untold_reason);
	change_table_init(&t, page, comparison);
	t.plain = true;
	change_table_print(&t, "\n And what explains it, which is not tested:\n\n", is_explaining);
	if (!text_has_probing(page, &r->variants[both[0]]) &&
	    !text_has_probing(page, &r->variants[both[1]]))
		return;
	fputs("\n Effect of probing on the whole, whose own numbers are of runs without probes:\n",
	      page->out);
	for (size_t i = 0; i < 2; i++) {
		char buf[REPORT_LABEL_SIZE], label[64];

		snprintf(label, sizeof(label), "   %s: ", report_label(r, both[i], buf));
		text_probing(page, &r->variants[both[i]], label);
	}
}
