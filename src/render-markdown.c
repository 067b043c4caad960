/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markdown: tables to paste into a mail or a review. Names are code spans; nothing else is markup.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "render.h"
#include "text.h"

struct markdown {
	FILE *out;
	const struct report *report;
	unsigned flags;
};

static size_t longest_run(const char *text, char c)
{
	size_t longest = 0;

	for (const char *p = text; *p;) {
		size_t n = 0;

		while (p[n] == c)
			n++;
		longest = n > longest ? n : longest;
		p += n ? n : 1;
	}
	return longest;
}

/* A code span: its fence is longer than any run of backticks inside, and a table's bars are
 * escaped. */
static void put_code(const struct markdown *m, const char *text)
{
	char *clean = text_clean(text, m->flags);
	size_t fence = clean ? longest_run(clean, '`') + 1 : 1;

	for (size_t i = 0; i < fence; i++)
		fputc('`', m->out);
	if (fence > 1)
		fputc(' ', m->out);
	for (const char *p = clean ? clean : "?"; *p; p++) {
		if (*p == '|')
			fputc('\\', m->out);
		fputc(*p, m->out);
	}
	if (fence > 1)
		fputc(' ', m->out);
	for (size_t i = 0; i < fence; i++)
		fputc('`', m->out);
	free(clean);
}

/* Running text, which may hold names and commands: what Markdown or HTML would take for markup is
 * escaped. */
static void put_plain(const struct markdown *m, const char *text)
{
	char *clean = text_clean(text, m->flags);

	for (const char *p = clean ? clean : "?"; *p; p++) {
		if (*p == '<')
			fputs("&lt;", m->out);
		else if (*p == '&')
			fputs("&amp;", m->out);
		else {
			if (strchr("\\`*_[]|#~!", *p))
				fputc('\\', m->out);
			fputc(*p, m->out);
		}
	}
	free(clean);
}

/* A number that we formatted: safe but for the brackets of an interval, which are no link. */
static void put_cell(const struct markdown *m, const char *text)
{
	fputs(" ", m->out);
	text_put(m->out, text, m->flags);
	fputs(" |", m->out);
}

static void put_mean(const struct markdown *m, const struct report_metric *metric,
		     const struct report_cell *c)
{
	char value[FORMAT_SIZE], spread[FORMAT_SIZE], cell[2 * FORMAT_SIZE + 8];

	if (!c->n) {
		put_cell(m, "");
		return;
	}
	format_value(value, sizeof(value), strpbrk(metric->unit, "|<`") ? "" : metric->unit,
		     c->mean, report_cell_se(c));
	if (c->n > 1)
		snprintf(cell, sizeof(cell), "%s%s ±%s", c->upper_bound ? "≤" : "", value,
			 format_spread(spread, sizeof(spread), c->sd > 0 ? c->sem_percent : 0));
	else
		snprintf(cell, sizeof(cell), "%s%s", c->upper_bound ? "≤" : "", value);
	put_cell(m, cell);
}

/* Calls of a scope of which none was lost, or whatever else may happen to them. */
static bool is_empty_count(const struct report_metric *m, const struct report_cell *c)
{
	return m->source == METRIC_SCOPE && !m->of && m->part != PART_CALLS && !(c->n && c->mean > 0);
}

static void put_variant(const struct markdown *m, const struct report_variant *v)
{
	const struct report *r = m->report;

	put_code(m, v->command ? v->command : v->name);
	fprintf(m->out, ", %" PRIu64 " run%s", v->runs, v->runs == 1 ? "" : "s");
	if (v->failed)
		fprintf(m->out, ", %" PRIu64 " failed", v->failed);
	text_put(m->out,
		 ":\n\n| metric | mean ± standard error | median | min | max | n |\n"
		 "|---|---:|---:|---:|---:|---:|\n",
		 m->flags | TEXT_LINES);
	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct report_metric *metric = &r->metrics[i];
		const struct report_cell *c = &v->cells[i];
		const double values[] = {c->median, c->min, c->max};
		char buf[FORMAT_SIZE];

		if ((!metric->shown && !metric->beside) || is_empty_count(metric, c))
			continue;
		fputs("| ", m->out);
		put_code(m, metric->name);
		fputs(" |", m->out);
		if (!c->n) {
			fputs(" ", m->out);
			put_plain(m, c->reason ? c->reason : "no value");
			fputs(" | | | | 0 |\n", m->out);
			continue;
		}
		put_mean(m, metric, c);
		for (size_t k = 0; k < 3; k++)
			put_cell(m, format_value(buf, sizeof(buf), metric->unit, values[k],
						 report_cell_se(c)));
		put_cell(m, format_count(buf, sizeof(buf), c->n));
		fputc('\n', m->out);
	}
	fputc('\n', m->out);
}

static void put_change(const struct markdown *m, const struct report_metric *metric,
		       const struct report_change *c)
{
	struct format_change f = {c->absolute, metric->unit, c->estimate, c->low, c->high};
	char buf[FORMAT_SIZE];

	if (c->method == METHOD_NONE) {
		fputs(" | | |", m->out);
		put_cell(m, "no verdict");
		return;
	}
	put_cell(m, format_change(buf, sizeof(buf), &f));
	put_cell(m, c->method == METHOD_EXACT ? "exact" : format_interval(buf, sizeof(buf), &f));
	if (metric->untested) {
		fputs(" | |", m->out);
		return;
	}
	put_cell(m, format_p(buf, sizeof(buf), isnan(c->p_adjusted) ? c->p : c->p_adjusted));
	snprintf(buf, sizeof(buf), "%s%s", verdict_word(c->verdict),
		 c->within_margin ? ", within the margin" : "");
	put_cell(m, buf);
}

static void put_comparison(const struct markdown *m, const struct report_comparison *c)
{
	const struct report *r = m->report;
	char buf[REPORT_LABEL_SIZE];

	fputs("| metric | ", m->out);
	put_plain(m, report_label(r, c->baseline, buf));
	fputs(" | ", m->out);
	put_plain(m, report_label(r, c->variant, buf));
	fputs(" | change | interval | p | verdict |\n|---|---:|---:|---:|---|---:|---|\n", m->out);
	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct report_cell *a = &r->variants[c->baseline].cells[i];
		const struct report_cell *b = &r->variants[c->variant].cells[i];

		if (!r->metrics[i].shown || (r->metrics[i].untested && !report_scope_explains(r, i)) ||
		    (!a->n && !b->n && c->changes[i].method != METHOD_COMBINED))
			continue;
		fputs("| ", m->out);
		put_code(m, r->metrics[i].name);
		fputs(r->metrics[i].primary ? " (primary) |" : " |", m->out);
		put_mean(m, &r->metrics[i], a);
		put_mean(m, &r->metrics[i], b);
		put_change(m, &r->metrics[i], &c->changes[i]);
		fputc('\n', m->out);
	}
	if (c->sentence) {
		fputc('\n', m->out);
		put_plain(m, c->sentence);
		fputc('\n', m->out);
	}
	fputc('\n', m->out);
}

static void put_comparisons(const struct markdown *m)
{
	const struct report *r = m->report;
	char buf[REPORT_LABEL_SIZE];

	for (size_t i = 0; i < r->n_variants; i++) {
		const struct report_variant *v = &r->variants[i];
		const char *label = report_label(r, i, buf);

		fputs("- ", m->out);
		put_plain(m, label);
		fputs(" = ", m->out);
		if (label != v->name && v->command && strcmp(v->name, v->command)) {
			put_code(m, v->name);
			fputs(": ", m->out);
		}
		put_code(m, v->command ? v->command : v->name);
		fprintf(m->out, " (%" PRIu64 " run%s", v->runs, v->runs == 1 ? "" : "s");
		if (v->failed)
			fprintf(m->out, ", %" PRIu64 " failed", v->failed);
		fputs(")\n", m->out);
	}
	fputc('\n', m->out);
	for (size_t i = 0; i < r->n_comparisons; i++)
		put_comparison(m, &r->comparisons[i]);
}

static int render(const struct report *report, const struct render_options *options, FILE *out)
{
	struct markdown m = {out, report, options->utf8 ? TEXT_UTF8 : 0};

	if (report->n_comparisons)
		put_comparisons(&m);
	else
		for (size_t i = 0; i < report->n_variants; i++)
			put_variant(&m, &report->variants[i]);
	for (size_t i = 0; i < report->n_warnings; i++) {
		fputs("- warning: ", out);
		if (report->warnings[i].metric) {
			put_code(&m, report->warnings[i].metric);
			fputs(": ", out);
		}
		put_plain(&m, report->warnings[i].text);
		fputc('\n', out);
	}
	for (size_t i = 0; report->record && i < report->record->n_notes; i++) {
		fputs("- note: ", out);
		put_plain(&m, report->record->notes[i]);
		fputc('\n', out);
	}
	return render_finish(out);
}

const struct renderer render_markdown = {"markdown", render};
