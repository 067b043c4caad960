/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons as text: who was compared, a table each with a row a metric and Welch's test under
 * it, then what is known of the metrics that have no clear verdict.
 */
#include "render-text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "render-table.h"
#include "sentence.h"
#include "text.h"

enum {
	COLUMN_NAME,
	COLUMN_A,
	COLUMN_A_SPREAD,
	COLUMN_B,
	COLUMN_B_SPREAD,
	COLUMN_CHANGE,
	COLUMN_INTERVAL,
	COLUMN_P,
	COLUMN_VERDICT,
	COLUMNS
};

#define GREEN "\033[32m"
#define RED "\033[31m"
#define YELLOW "\033[33m"

struct compare_table {
	const struct text_page *page;
	const struct report_comparison *comparison;
	struct table table;
};

static const char *verdict_color(const struct text_page *page, enum verdict verdict)
{
	if (!page->options->color)
		return NULL;
	switch (verdict) {
	case VERDICT_BETTER:
		return GREEN;
	case VERDICT_WORSE:
		return RED;
	case VERDICT_UNCLEAR:
		return YELLOW;
	default:
		return NULL;
	}
}

static const char *stop_words(enum stop_reason stopped)
{
	switch (stopped) {
	case STOPPED_VERDICT:
		return "stopped by the verdict";
	case STOPPED_TIME:
		return "stopped by the time limit";
	case STOPPED_PRECISION:
		return "stopped when precise enough";
	case STOPPED_INTERRUPT:
		return "interrupted";
	case STOPPED_FAILED:
		return "stopped by a failed run";
	default:
		return NULL;
	}
}

/* Two records may each have been run in blocks, and not in the same ones. */
static bool all_interleaved(const struct report *r)
{
	for (size_t i = 0; i < r->n_comparisons; i++)
		if (!r->comparisons[i].interleaved)
			return false;
	return true;
}

static void put_heading(const struct text_page *page)
{
	const struct report *r = page->report;
	const struct record_plan *plan = r->record ? &r->record->plan : NULL;
	const char *stopped = plan ? stop_words(plan->stopped) : NULL;
	char blocks[FORMAT_SIZE], most[FORMAT_SIZE];
	FILE *out = page->out;

	fprintf(out, "\n Comparison of %zu variants", r->n_variants);
	if (r->n_machines) {
		fprintf(out, " on %zu machines", r->n_machines);
	} else if (plan && plan->interleaved && all_interleaved(r)) {
		fprintf(out, " in %s random block%s",
			format_count(blocks, sizeof(blocks), plan->blocks),
			plan->blocks == 1 ? "" : "s");
		if (stopped && plan->max_blocks > plan->blocks)
			fprintf(out, " of at most %s",
				format_count(most, sizeof(most), plan->max_blocks));
		if (stopped)
			fprintf(out, ", %s", stopped);
		fprintf(out, " (seed %" PRIu64 ")", plan->seed);
	} else {
		fputs(", not run in blocks", out);
	}
	fputs(":\n\n", out);
}

static void put_variants(const struct text_page *page)
{
	const struct report *r = page->report;
	size_t widest = 0;

	for (size_t i = 0; i < r->n_variants; i++) {
		char buf[REPORT_LABEL_SIZE];
		size_t width = text_width(report_label(r, i, buf));

		widest = width > widest ? width : widest;
	}
	for (size_t i = 0; i < r->n_variants; i++) {
		const struct report_variant *v = &r->variants[i];
		char buf[REPORT_LABEL_SIZE];
		const char *label = report_label(r, i, buf);

		fputs("   ", page->out);
		text_put(page->out, label, page->flags);
		fprintf(page->out, "%*s = ", (int)(widest - text_width(label)), "");
		/* A name that is too long for a label, such as a file's. */
		if (label != v->name && v->command && strcmp(v->name, v->command)) {
			text_put(page->out, v->name, page->flags);
			fputs(": ", page->out);
		}
		text_put(page->out, v->command ? v->command : v->name, page->flags);
		fprintf(page->out, "  (%" PRIu64 " run%s", v->runs, v->runs == 1 ? "" : "s");
		if (v->failed)
			fprintf(page->out, ", %" PRIu64 " failed", v->failed);
		fputs(")\n", page->out);
	}
}

/* The level of the printed intervals; all of a comparison have the same where it was judged at one
 * look. */
static double common_level(const struct compare_table *t)
{
	long primary = report_primary(t->page->report);
	double level = primary >= 0 ? t->comparison->changes[primary].level : NAN;

	for (size_t i = 0; isnan(level) && i < t->page->report->n_metrics; i++)
		level = t->comparison->changes[i].level;
	return level;
}

static void set_header(struct compare_table *t, struct table_row *row)
{
	const struct report *r = t->page->report;
	char buf[FORMAT_SIZE];
	double level = common_level(t);

	table_row_clear(row);
	table_set(&t->table, row, COLUMN_A, "%s", report_label(r, t->comparison->baseline, buf));
	table_set(&t->table, row, COLUMN_B, "%s", report_label(r, t->comparison->variant, buf));
	table_set(&t->table, row, COLUMN_CHANGE, "change");
	if (isnan(level))
		table_set(&t->table, row, COLUMN_INTERVAL, "interval");
	else
		table_set(&t->table, row, COLUMN_INTERVAL, "%s interval",
			  format_level(buf, sizeof(buf), level));
	table_set(&t->table, row, COLUMN_P, "p");
	table_set(&t->table, row, COLUMN_VERDICT, "verdict");
}

static void set_cell(struct compare_table *t, struct table_row *row, size_t column,
		     const struct report_metric *m, const struct report_cell *c)
{
	char buf[FORMAT_SIZE];
	double se = c->n > 1 ? c->sd / sqrt((double)c->n) : NAN;

	if (!c->n) {
		table_set(&t->table, row, column, "-");
		return;
	}
	table_set(&t->table, row, column, "%s%s", c->upper_bound ? "≤" : "",
		  format_value(buf, sizeof(buf), m->unit, c->mean, se));
	if (c->n > 1)
		table_set(&t->table, row, column + 1, "±%s",
			  format_spread(buf, sizeof(buf), c->sd > 0 ? c->sem_percent : 0));
}

static void set_main(struct compare_table *t, struct table_row *row, size_t metric)
{
	const struct report *r = t->page->report;
	const struct report_metric *m = &r->metrics[metric];
	const struct report_change *c = &t->comparison->changes[metric];
	struct format_change f = {c->absolute, m->unit, c->estimate, c->low, c->high};
	char buf[FORMAT_SIZE];

	table_row_clear(row);
	if (text_name_fits(t->page, m->name))
		table_set(&t->table, row, COLUMN_NAME, "%s%s", m->primary ? "*" : " ", m->name);
	set_cell(t, row, COLUMN_A, m, &r->variants[t->comparison->baseline].cells[metric]);
	set_cell(t, row, COLUMN_B, m, &r->variants[t->comparison->variant].cells[metric]);
	if (c->method == METHOD_NONE || isnan(c->estimate)) {
		table_set(&t->table, row, COLUMN_VERDICT, "no verdict");
		return;
	}
	table_set(&t->table, row, COLUMN_CHANGE, "%s", format_change(buf, sizeof(buf), &f));
	table_set(&t->table, row, COLUMN_INTERVAL, "%s",
		  c->method == METHOD_EXACT ? "exact" : format_interval(buf, sizeof(buf), &f));
	table_set(&t->table, row, COLUMN_P, "%s",
		  format_p(buf, sizeof(buf), isnan(c->p_adjusted) ? c->p : c->p_adjusted));
	table_set(&t->table, row, COLUMN_VERDICT, "%s%s", verdict_word(c->verdict),
		  c->within_margin ? ", < margin" : "");
	row->color[COLUMN_VERDICT] = verdict_color(t->page, c->verdict);
}

/* Welch's test under the row of another method. */
static bool set_welch(struct compare_table *t, struct table_row *row, size_t metric)
{
	const struct report_metric *m = &t->page->report->metrics[metric];
	const struct report_change *c = &t->comparison->changes[metric];
	struct format_change f = {c->absolute, m->unit, c->welch.estimate, c->welch.low,
				  c->welch.high};
	char buf[FORMAT_SIZE];

	if ((c->method != METHOD_RANK && c->method != METHOD_MANN_WHITNEY) || isnan(c->welch.p))
		return false;
	table_row_clear(row);
	table_set(&t->table, row, COLUMN_NAME, "   Welch, means");
	table_set(&t->table, row, COLUMN_CHANGE, "%s", format_change(buf, sizeof(buf), &f));
	table_set(&t->table, row, COLUMN_INTERVAL, "%s", format_interval(buf, sizeof(buf), &f));
	table_set(&t->table, row, COLUMN_P, "%s", format_p(buf, sizeof(buf), c->welch.p));
	table_set(&t->table, row, COLUMN_VERDICT, "%s", c->disagree ? "(disagrees)" : "");
	return true;
}

static bool has_row(const struct compare_table *t, size_t metric)
{
	const struct report *r = t->page->report;

	return r->metrics[metric].shown && (r->variants[t->comparison->baseline].cells[metric].n ||
					    r->variants[t->comparison->variant].cells[metric].n ||
					    t->comparison->changes[metric].method == METHOD_COMBINED);
}

static void pass_row(struct compare_table *t, const struct table_row *row, bool print)
{
	if (print)
		table_print(&t->table, row);
	else
		table_measure(&t->table, row);
}

static void pass(struct compare_table *t, bool print)
{
	const struct report *r = t->page->report;
	struct table_row row;

	set_header(t, &row);
	pass_row(t, &row, print);
	for (size_t i = 0; i < r->n_metrics; i++) {
		if (!has_row(t, i))
			continue;
		if (print && !text_name_fits(t->page, r->metrics[i].name)) {
			fputs(r->metrics[i].primary ? " *" : "  ", t->page->out);
			text_put(t->page->out, r->metrics[i].name, t->page->flags);
			fputs(":\n", t->page->out);
		}
		set_main(t, &row, i);
		pass_row(t, &row, print);
		if (set_welch(t, &row, i))
			pass_row(t, &row, print);
	}
}

/* A paragraph of what SENTENCE says of a metric; nothing where there is no memory for it. */
static void put_finding(const struct text_page *page, const char *name, char *sentence)
{
	char *label = NULL;

	if (sentence && asprintf(&label, "   %s: ", name) >= 0)
		text_paragraph(page, label, sentence);
	free(label);
	free(sentence);
}

/* Whether anything is known of a change that is unclear. */
static bool is_bounded(const struct report_change *c)
{
	return !isnan(c->ruled_out_above) || isfinite(c->smallest_visible) ||
	       isfinite(c->runs_needed);
}

static void put_unclear(const struct compare_table *t)
{
	const struct report *r = t->page->report;
	long primary = report_primary(r);
	/* What is so for the primary metric and for others is said once, in the closing sentence.
	 */
	const char *common = primary >= 0 ? t->comparison->changes[primary].reason : NULL;
	bool first = true;

	for (size_t i = 0; i < r->n_metrics; i++) {
		struct report_change change = t->comparison->changes[i], *c = &change;
		char *text = NULL;

		if (c->verdict == VERDICT_UNCLEAR && c->reason && common &&
		    !strcmp(c->reason, common)) {
			if (!is_bounded(c))
				continue;
			c->reason = NULL;
		}
		if (!has_row(t, i) || (c->verdict != VERDICT_UNCLEAR && c->verdict != VERDICT_NONE))
			continue;
		if (first)
			fputs("\n What is known where the verdict is not clear:\n", t->page->out);
		first = false;
		if (c->verdict == VERDICT_UNCLEAR)
			sentence_known(&text, &r->metrics[i], c);
		else
			text = strdup(c->reason ? c->reason : "one side has no values");
		put_finding(t->page, r->metrics[i].name, text);
	}
}

static void put_disagreements(const struct compare_table *t)
{
	const struct report *r = t->page->report;
	bool first = true;

	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct report_change *c = &t->comparison->changes[i];
		char *text = NULL;

		if (!has_row(t, i) || !c->disagree || c->method == METHOD_NONE)
			continue;
		if (first)
			fputs("\n Where the two tests disagree:\n", t->page->out);
		first = false;
		sentence_disagreement(&text, c);
		put_finding(t->page, r->metrics[i].name, text);
	}
}

/* What the marks in the table mean. */
static void put_key(const struct compare_table *t)
{
	const struct report *r = t->page->report;
	long primary = report_primary(r);
	size_t rows = 0;
	char level[80] = "";
	char *text;

	for (size_t i = 0; i < r->n_metrics && rows < 2; i++)
		rows += has_row(t, i);
	if (rows < 2 || primary < 0)
		return;
	/* One look of several has a level of its own, which the verdicts cannot be told without. */
	if (t->comparison->changes[primary].alpha < 0.0499)
		snprintf(level, sizeof(level), "a difference needs a p of at most %.2g here; ",
			 t->comparison->changes[primary].alpha);
	if (asprintf(&text,
		     "decides; %sthe p of the others is adjusted for their number, Welch's is not",
		     level) < 0)
		return;
	text_paragraph(t->page, " * ", text);
	free(text);
}

static void put_comparison(const struct text_page *page, const struct report_comparison *comparison)
{
	const size_t both[] = {comparison->baseline, comparison->variant};
	struct compare_table t = {
	    .page = page,
	    .comparison = comparison,
	    .table =
		{
		    .out = page->out,
		    .flags = page->flags,
		    .n = COLUMNS,
		    .columns =
			{
			    [COLUMN_NAME] = {.gap = 1},
			    [COLUMN_A] = {.gap = 2, .right = true},
			    [COLUMN_A_SPREAD] = {.gap = 1, .right = true},
			    [COLUMN_B] = {.gap = 2, .right = true},
			    [COLUMN_B_SPREAD] = {.gap = 1, .right = true},
			    [COLUMN_CHANGE] = {.gap = 2, .right = true},
			    [COLUMN_INTERVAL] = {.gap = 2},
			    [COLUMN_P] = {.gap = 2, .right = true},
			    [COLUMN_VERDICT] = {.gap = 2},
			},
		},
	};

	fputc('\n', page->out);
	pass(&t, false);
	/* Where there is no room, the spreads of the means go first: the interval holds their news.
	 */
	if (table_width(&t.table) > page->width)
		t.table.columns[COLUMN_A_SPREAD].dropped =
		    t.table.columns[COLUMN_B_SPREAD].dropped = true;
	pass(&t, true);
	text_missing(page, both, 2);
	put_key(&t);
	put_disagreements(&t);
	put_unclear(&t);
}

void text_comparisons(const struct text_page *page)
{
	put_heading(page);
	put_variants(page);
	for (size_t i = 0; i < page->report->n_comparisons; i++)
		put_comparison(page, &page->report->comparisons[i]);
}
