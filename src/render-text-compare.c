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
#include "render-text-changes.h"
#include "sentence.h"
#include "text.h"

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

/* The rows of the table of the whole; those of scopes have one of their own. */
static bool has_row(const struct change_table *t, size_t metric)
{
	const struct report *r = t->page->report;

	return r->metrics[metric].shown && r->metrics[metric].source != METRIC_SCOPE &&
	       change_has_values(t, metric);
}

/* What has a verdict, or should have one. */
static bool is_judged(const struct change_table *t, size_t metric)
{
	const struct report_metric *m = &t->page->report->metrics[metric];

	return has_row(t, metric) || (m->source == METRIC_SCOPE && !m->untested && change_has_values(t, metric));
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

static void put_unclear(const struct change_table *t)
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
		if (!is_judged(t, i) || (c->verdict != VERDICT_UNCLEAR && c->verdict != VERDICT_NONE))
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

static void put_disagreements(const struct change_table *t)
{
	const struct report *r = t->page->report;
	bool first = true;

	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct report_change *c = &t->comparison->changes[i];
		char *text = NULL;

		if (!is_judged(t, i) || !c->disagree || c->method == METHOD_NONE)
			continue;
		if (first)
			fputs("\n Where the two tests disagree:\n", t->page->out);
		first = false;
		sentence_disagreement(&text, c);
		put_finding(t->page, r->metrics[i].name, text);
	}
}

/* What the marks in the table mean. */
static void put_key(const struct change_table *t)
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
	struct change_table t;

	change_table_init(&t, page, comparison);
	fputc('\n', page->out);
	change_table_print(&t, "", has_row);
	text_missing(page, both, 2);
	put_key(&t);
	text_scopes_compared(page, comparison);
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
