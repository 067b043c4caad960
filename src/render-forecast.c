/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A forecast, printed. */
#include "render-forecast.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "format.h"
#include "json-out.h"
#include "json-put.h"
#include "render-table.h"
#include "render-text.h"
#include "text.h"
#include "version.h"

enum { TEXT_WIDTH = 100, TEXT_LEAST_WIDTH = 60 };

enum column {
	COLUMN_METRIC,
	COLUMN_SD,
	COLUMN_PILOT,
	COLUMN_FIXED,
	COLUMN_FIXED_TIME,
	COLUMN_MOST,
	COLUMN_EXPECTED,
	COLUMN_EXPECTED_TIME,
	COLUMN_N,
	COLUMN_SHOWN,
	COLUMNS,
};

static void set_heads(struct table *t, struct table_row *first, struct table_row *second,
		      bool times)
{
	table_row_clear(first);
	table_row_clear(second);
	table_set(t, second, COLUMN_SD, "sd");
	table_set(t, second, COLUMN_PILOT, "pilot");
	table_set(t, first, COLUMN_FIXED, "exactly");
	table_set(t, second, COLUMN_FIXED, "-r");
	if (times) {
		table_set(t, second, COLUMN_FIXED_TIME, "time");
		table_set(t, second, COLUMN_EXPECTED_TIME, "time");
	}
	table_set(t, first, COLUMN_MOST, "at most");
	table_set(t, second, COLUMN_MOST, "--max-runs");
	table_set(t, second, COLUMN_EXPECTED, "expected");
	table_set(t, first, COLUMN_N, "these");
	table_set(t, second, COLUMN_N, "runs");
	table_set(t, first, COLUMN_SHOWN, "could");
	table_set(t, second, COLUMN_SHOWN, "show");
}

static void set_span(struct table *t, struct table_row *row, size_t column, double seconds)
{
	char buf[FORMAT_SIZE];

	if (!isnan(seconds))
		table_set(t, row, column, "%s", format_span(buf, sizeof(buf), seconds));
}

static void set_row(struct table *t, struct table_row *row, const struct forecast_metric *m)
{
	char buf[FORMAT_SIZE];

	table_row_clear(row);
	table_set(t, row, COLUMN_METRIC, "%s%s", m->primary ? "*" : " ", m->name);
	table_set(t, row, COLUMN_SD, "%s", format_fraction(buf, sizeof(buf), m->sd));
	if (!isnan(m->inflation))
		table_set(t, row, COLUMN_PILOT, "×%.2f", m->inflation);
	if (m->n)
		table_set(t, row, COLUMN_N, "%s", format_count(buf, sizeof(buf), m->n));
	if (!isnan(m->shown) && m->source != SPREAD_NONE)
		table_set(t, row, COLUMN_SHOWN, "%s", format_fraction(buf, sizeof(buf), m->shown));
	if (!m->runs.fixed) {
		table_set(t, row, COLUMN_FIXED, "-");
		table_set(t, row, COLUMN_MOST, "-");
		return;
	}
	table_set(t, row, COLUMN_FIXED, "%s", format_count(buf, sizeof(buf), m->runs.fixed));
	table_set(t, row, COLUMN_MOST, "%s", format_count(buf, sizeof(buf), m->runs.max_blocks));
	set_span(t, row, COLUMN_FIXED_TIME, m->block_seconds * (double)m->runs.fixed);
	set_span(t, row, COLUMN_EXPECTED_TIME, m->block_seconds * m->runs.expected);
	table_set(t, row, COLUMN_EXPECTED, "%s",
		  format_count(buf, sizeof(buf), (uint64_t)ceil(m->runs.expected)));
}

static bool has_row(const struct forecast_metric *m)
{
	return m->source != SPREAD_UNKNOWN && m->source != SPREAD_NONE;
}

static void put_table(const struct text_page *page, const struct forecast *f)
{
	struct table t = {.out = page->out, .flags = page->flags, .n = COLUMNS};
	struct table_row rows[2];

	for (size_t i = 0; i < COLUMNS; i++)
		t.columns[i] = (struct table_column){.right = i != COLUMN_METRIC, .gap = 2};
	t.columns[COLUMN_METRIC].gap = 1;
	for (int print = 0; print <= 1; print++) {
		set_heads(&t, &rows[0], &rows[1], !isnan(f->metrics[f->primary].block_seconds));
		for (size_t i = 0; i < 2; i++)
			(print ? table_print(&t, &rows[i]) : table_measure(&t, &rows[i]));
		for (size_t i = 0; i < f->n_metrics; i++) {
			if (!has_row(&f->metrics[i]))
				continue;
			set_row(&t, &rows[0], &f->metrics[i]);
			(print ? table_print(&t, &rows[0]) : table_measure(&t, &rows[0]));
		}
	}
}

static void put_deterministic(const struct text_page *page, const struct forecast *f)
{
	for (size_t i = 0; i < f->n_metrics; i++) {
		const struct forecast_metric *m = &f->metrics[i];

		if (m->source != SPREAD_NONE)
			continue;
		text_printf(page,
			    " %s%s: deterministic, every run has the same value: %zu runs suffice",
			    m->primary ? "*" : " ", m->name, m->runs.fixed);
		fputc('\n', page->out);
	}
}

static const char *reason_of(const void *what, size_t i, const char **name)
{
	const struct forecast_metric *m = &((const struct forecast *)what)->metrics[i];

	*name = m->name;
	return m->source == SPREAD_UNKNOWN ? m->reason : NULL;
}

static bool any_row(const struct forecast *f)
{
	for (size_t i = 0; i < f->n_metrics; i++)
		if (has_row(&f->metrics[i]))
			return true;
	return false;
}

static void put_heading(const struct text_page *page, const struct forecast *f)
{
	char effect[FORMAT_SIZE], *text;

	if (asprintf(&text,
		     "Runs a side to see a change of %s with 80 %% power at alpha = %g, from %s:",
		     format_fraction(effect, sizeof(effect), f->effect), f->alpha,
		     f->record->source ? f->record->source : "these runs") < 0)
		return;
	text_paragraph(page, " ", text);
	free(text);
}

/* Where the primary metric's spread comes from; it is the same for most others. */
static void put_legend(const struct text_page *page, const struct forecast *f)
{
	const struct forecast_metric *m = &f->metrics[f->primary];
	const struct record_variant *variants = f->record->variants;
	char *text, *from;
	int r;

	if (!has_row(m))
		return;
	if (m->source == SPREAD_VARIANT)
		r = asprintf(&from, "%s", spread_source_text(m->source));
	else
		r = asprintf(&from, "%s, %s against %s", spread_source_text(m->source),
			     variants[m->variant].name, variants[m->baseline].name);
	if (r < 0)
		return;
	r = asprintf(&text,
		     "sd: how much one run varies, from %s; pilot: what it is multiplied by, so "
		     "that it is too "
		     "small in one plan of five only; expected: how many blocks --max-runs takes "
		     "where there is "
		     "such a change.%s",
		     from,
		     isnan(m->block_seconds) ? ""
		     : record_block_runs(f->record) > f->record->n_variants
			 ? " Times are of the runs alone, two a block, each bare and probed."
			 : " Times are of the runs alone, two a block.");
	free(from);
	if (r < 0)
		return;
	fputc('\n', page->out);
	text_paragraph(page, " ", text);
	free(text);
}

int render_forecast_text(const void *what, const struct render_options *options, FILE *out)
{
	const struct forecast *f = what;
	char *sentence = forecast_sentence(f);
	struct text_page page = {
	    .out = out,
	    .options = options,
	    .flags = options->utf8 ? TEXT_UTF8 : 0,
	    .width = options->width > 0 ? (size_t)options->width : TEXT_WIDTH,
	};

	if (!sentence)
		return -ENOMEM;
	if (page.width < TEXT_LEAST_WIDTH)
		page.width = TEXT_LEAST_WIDTH;
	fputc('\n', out);
	put_heading(&page, f);
	fputc('\n', out);
	if (any_row(f))
		put_table(&page, f);
	put_deterministic(&page, f);
	text_reasons(&page, f, f->n_metrics, reason_of);
	put_legend(&page, f);
	fputc('\n', out);
	text_paragraph(&page, " ", sentence);
	fputc('\n', out);
	free(sentence);
	return render_finish(out);
}

/* Numbers of runs are null where they are not known. */
static void put_runs(struct json_out *o, const char *key, size_t n)
{
	json_out_key(o, key);
	if (n)
		json_out_u64(o, n);
	else
		json_out_null(o);
}

static void put_json_metric(struct json_out *o, const struct forecast *f,
			    const struct forecast_metric *m)
{
	bool known = m->source != SPREAD_UNKNOWN;

	json_out_next_line(o);
	json_out_open(o, '{');
	json_put_text(o, "name", m->name);
	json_put_text(o, "event", m->event);
	json_put_text(o, "unit", m->unit);
	json_put_bool(o, "primary", m->primary);
	json_put_text(o, "source", spread_source_token(m->source));
	json_put_text(o, "baseline", known ? f->record->variants[m->baseline].name : NULL);
	json_put_text(o, "variant", known ? f->record->variants[m->variant].name : NULL);
	json_put_count(o, "n", m->n);
	json_put_number(o, "sd", m->sd);
	json_put_number(o, "pilot_factor", m->inflation);
	put_runs(o, "runs", m->runs.fixed);
	put_runs(o, "max_runs", m->runs.max_blocks);
	json_put_number(o, "expected_runs", m->runs.fixed ? m->runs.expected : NAN);
	json_put_number(o, "seconds",
			m->runs.fixed ? m->block_seconds * (double)m->runs.fixed : NAN);
	json_put_number(o, "expected_seconds",
			m->runs.fixed ? m->block_seconds * m->runs.expected : NAN);
	json_put_number(o, "smallest_visible", m->shown);
	json_put_text(o, "reason", m->reason);
	json_out_close(o, '}');
}

int render_forecast_json(const void *what, const struct render_options *options, FILE *out)
{
	const struct forecast *f = what;
	char *sentence = forecast_sentence(f);
	struct json_out o;

	(void)options;
	json_out_init(&o);
	json_out_open(&o, '{');
	json_put_text(&o, "schema", "abstat-plan/1");
	json_put_text(&o, "abstat", abstat_version);
	json_put_text(&o, "source", f->record->source);
	json_put_number(&o, "effect", f->effect);
	json_put_number(&o, "alpha", f->alpha);
	json_put_number(&o, "power", POWER_AIM);
	json_put_open(&o, "metrics", '[');
	for (size_t i = 0; i < f->n_metrics; i++)
		put_json_metric(&o, f, &f->metrics[i]);
	json_out_close(&o, ']');
	json_put_text(&o, "sentence", sentence);
	json_out_close(&o, '}');
	o.failed |= !sentence;
	free(sentence);
	return render_document(&o, out);
}
