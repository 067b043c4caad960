/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A calibration, printed. */
#include "render-calibration.h"

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
	COLUMN_N,
	COLUMN_WIDTH,
	COLUMN_VISIBLE,
	COLUMN_BLOCKS,
	COLUMN_BLOCKS_INTERVAL,
	COLUMN_SEQUENCE,
	COLUMN_SEQUENCE_INTERVAL,
	COLUMN_STRETCHES,
	COLUMNS,
};

static void set_rate(struct table *t, struct table_row *row, size_t column,
		     const struct calibrate_rate *rate)
{
	const struct proportion *p = &rate->share;

	if (isnan(p->share))
		return;
	table_set(t, row, column, "%.1f %%", 100 * p->share);
	table_set(t, row, column + 1, "[%.1f, %.1f]", 100 * p->low, 100 * p->high);
}

static void set_fraction(struct table *t, struct table_row *row, size_t column, const char *sign,
			 double fraction)
{
	char buf[FORMAT_SIZE];

	if (isnan(fraction))
		table_set(t, row, column, "-");
	else
		table_set(t, row, column, "%s%s", sign,
			  format_fraction(buf, sizeof(buf), fraction));
}

static void set_row(struct table *t, struct table_row *row, const struct calibrate_row *r)
{
	table_row_clear(row);
	table_set(t, row, COLUMN_N, "%zu", r->n);
	if (!r->stretches) {
		table_set(t, row, COLUMN_BLOCKS, "too few");
		table_set(t, row, COLUMN_STRETCHES, "0");
		return;
	}
	set_fraction(t, row, COLUMN_WIDTH, "±", r->half_width);
	set_fraction(t, row, COLUMN_VISIBLE, "", r->visible);
	if (r->stretches < CALIBRATE_FEW) {
		table_set(t, row, COLUMN_BLOCKS, "too few");
		table_set(t, row, COLUMN_SEQUENCE, "too few");
	}
	set_rate(t, row, COLUMN_BLOCKS, &r->blocks);
	set_rate(t, row, COLUMN_SEQUENCE, &r->sequence);
	table_set(t, row, COLUMN_STRETCHES, "%zu", r->stretches);
}

static void pass_row(struct table *t, const struct table_row *row, bool print)
{
	if (print)
		table_print(t, row);
	else
		table_measure(t, row);
}

static void set_heads(struct table *t, struct table_row *first, struct table_row *second)
{
	table_row_clear(first);
	table_row_clear(second);
	table_set(t, first, COLUMN_N, "runs");
	table_set(t, second, COLUMN_N, "a side");
	table_set(t, first, COLUMN_WIDTH, "half the");
	table_set(t, second, COLUMN_WIDTH, "interval");
	table_set(t, first, COLUMN_VISIBLE, "smallest");
	table_set(t, second, COLUMN_VISIBLE, "visible");
	table_set(t, first, COLUMN_BLOCKS, "random");
	table_set(t, second, COLUMN_BLOCKS, "blocks");
	table_set(t, second, COLUMN_BLOCKS_INTERVAL, "95 %%");
	table_set(t, first, COLUMN_SEQUENCE, "AAAA");
	table_set(t, second, COLUMN_SEQUENCE, "BBBB");
	table_set(t, second, COLUMN_SEQUENCE_INTERVAL, "95 %%");
	table_set(t, second, COLUMN_STRETCHES, "of");
}

static void put_metric_rows(struct table *t, const struct calibrate_metric *m, bool print)
{
	struct table_row row;

	for (size_t i = 0; i < CALIBRATE_SIZES; i++) {
		set_row(t, &row, &m->rows[i]);
		if (i == 0)
			table_set(t, &row, COLUMN_METRIC, " %s%s", m->primary ? "*" : " ", m->name);
		pass_row(t, &row, print);
	}
}

static void put_table(const struct text_page *page, const struct calibration *c)
{
	struct table t = {.out = page->out, .flags = page->flags, .n = COLUMNS};
	struct table_row first, second;

	for (size_t i = 0; i < COLUMNS; i++)
		t.columns[i] = (struct table_column){.right = i != COLUMN_METRIC, .gap = 2};
	t.columns[COLUMN_METRIC].gap = 0;
	t.columns[COLUMN_BLOCKS_INTERVAL].gap = t.columns[COLUMN_SEQUENCE_INTERVAL].gap = 1;
	for (int print = 0; print <= 1; print++) {
		set_heads(&t, &first, &second);
		pass_row(&t, &first, print);
		pass_row(&t, &second, print);
		for (size_t i = 0; i < c->n_metrics; i++)
			if (c->metrics[i].pairs && !c->metrics[i].deterministic)
				put_metric_rows(&t, &c->metrics[i], print);
	}
}

/* The metrics that never vary, each with its value. */
static void put_deterministic(const struct text_page *page, const struct calibration *c)
{
	char value[FORMAT_SIZE];

	for (size_t i = 0; i < c->n_metrics; i++) {
		const struct calibrate_metric *m = &c->metrics[i];

		if (!m->pairs || !m->deterministic)
			continue;
		text_printf(page, " %s%s: deterministic, every run has %s", m->primary ? "*" : " ",
			    m->name, format_value(value, sizeof(value), m->unit, m->mean, NAN));
		fputc('\n', page->out);
	}
}

static const char *reason_of(const void *what, size_t i, const char **name)
{
	const struct calibrate_metric *m = &((const struct calibration *)what)->metrics[i];

	*name = m->name;
	return m->reason;
}

static void put_heading(const struct text_page *page, const struct calibration_page *p)
{
	const struct record_plan *plan = &p->record->plan;
	char count[FORMAT_SIZE], *text;

	if (asprintf(&text,
		     "Calibration of '%s', against itself: %s random blocks of 2 runs (seed %llu)",
		     p->record->variants[0].command,
		     format_count(count, sizeof(count), p->calibration->blocks),
		     (unsigned long long)plan->seed) < 0)
		return;
	text_paragraph(page, " ", text);
	free(text);
}

static bool has_noise(const struct calibration *c)
{
	for (size_t i = 0; i < c->n_metrics; i++)
		if (c->metrics[i].pairs && !c->metrics[i].deterministic)
			return true;
	return false;
}

static void put_legend(const struct text_page *page, const struct calibration *c)
{
	char alpha[FORMAT_SIZE], *text;

	if (asprintf(&text,
		     "half the interval: how far the interval of the change reaches to either "
		     "side; smallest "
		     "visible: the change that is seen in 8 of 10 comparisons. Then how often the "
		     "two equal "
		     "commands were called different at alpha = %g (%s are expected): as they ran, "
		     "in random "
		     "blocks; and the same runs, as if the first half had been A and the second B; "
		     "of so many "
		     "separate stretches of the measurement.",
		     c->alpha, format_fraction(alpha, sizeof(alpha), c->alpha)) < 0)
		return;
	fputc('\n', page->out);
	text_paragraph(page, " ", text);
	free(text);
}

int render_calibration_text(const void *what, const struct render_options *options, FILE *out)
{
	const struct calibration_page *p = what;
	struct text_page page = {
	    .out = out,
	    .options = options,
	    .flags = options->utf8 ? TEXT_UTF8 : 0,
	    .width = options->width > 0 ? (size_t)options->width : TEXT_WIDTH,
	};

	if (!p->calibration)
		return render_finish(out);
	if (page.width < TEXT_LEAST_WIDTH)
		page.width = TEXT_LEAST_WIDTH;
	fputc('\n', out);
	put_heading(&page, p);
	fputc('\n', out);
	if (has_noise(p->calibration))
		put_table(&page, p->calibration);
	put_deterministic(&page, p->calibration);
	text_reasons(&page, p->calibration, p->calibration->n_metrics, reason_of);
	if (has_noise(p->calibration))
		put_legend(&page, p->calibration);
	for (size_t i = 0; i < p->record->n_notes; i++) {
		fputc('\n', out);
		text_paragraph(&page, " note: ", p->record->notes[i]);
	}
	fputc('\n', out);
	text_paragraph(&page, " ", p->sentence);
	fputc('\n', out);
	return render_finish(out);
}

static void put_json_rate(struct json_out *o, const char *key, const struct calibrate_rate *rate)
{
	json_put_open(o, key, '{');
	json_put_count(o, "alarms", rate->alarms);
	json_put_number(o, "rate", rate->share.share);
	json_put_number(o, "low", rate->share.low);
	json_put_number(o, "high", rate->share.high);
	json_put_number(o, "level", rate->share.level);
	json_out_close(o, '}');
}

static void put_json_row(struct json_out *o, const struct calibrate_row *row)
{
	json_out_next_line(o);
	json_out_open(o, '{');
	json_put_count(o, "n", row->n);
	json_put_count(o, "comparisons", row->stretches);
	json_put_number(o, "half_width", row->half_width);
	json_put_number(o, "smallest_visible", row->visible);
	put_json_rate(o, "random_blocks", &row->blocks);
	put_json_rate(o, "aaaa_bbbb", &row->sequence);
	json_put_text(o, "reason",
		      row->stretches < CALIBRATE_FEW ? "too few comparisons for a rate" : NULL);
	json_out_close(o, '}');
}

static void put_json_metric(struct json_out *o, const struct calibrate_metric *m)
{
	json_out_next_line(o);
	json_out_open(o, '{');
	json_put_text(o, "name", m->name);
	json_put_text(o, "event", m->event ? m->event : m->name);
	json_put_text(o, "unit", m->unit);
	json_put_bool(o, "primary", m->primary);
	json_put_count(o, "n", m->pairs);
	json_put_number(o, "mean", m->mean);
	json_put_number(o, "sd", m->sd);
	json_put_bool(o, "deterministic", m->deterministic);
	json_put_text(o, "reason", m->reason);
	json_put_open(o, "sizes", '[');
	for (size_t i = 0; i < CALIBRATE_SIZES && m->pairs && !m->deterministic; i++)
		put_json_row(o, &m->rows[i]);
	json_out_close(o, ']');
	json_out_close(o, '}');
}

static void put_json_record(struct json_out *o, const struct record *r)
{
	json_put_text(o, "command", r->n_variants ? r->variants[0].command : NULL);
	json_put_count(o, "seed", r->plan.seed);
	json_put_text(o, "hostname", r->machine.hostname);
	json_put_text(o, "kernel", r->machine.kernel);
	json_put_text(o, "cpu", r->machine.cpu_model);
	json_put_text(o, "boot_id", r->machine.boot_id);
}

int render_calibration_json(const void *what, const struct render_options *options, FILE *out)
{
	const struct calibration_page *p = what;
	const struct calibration *c = p->calibration;
	struct json_out o;

	(void)options;
	json_out_init(&o);
	json_out_open(&o, '{');
	json_put_text(&o, "schema", "abstat-calibration/1");
	json_put_text(&o, "abstat", abstat_version);
	json_put_count(&o, "status", (uint64_t)p->status);
	json_put_text(&o, "error", p->error);
	put_json_record(&o, p->record);
	json_put_number(&o, "alpha", c ? c->alpha : NAN);
	json_put_count(&o, "blocks", c ? c->blocks : 0);
	json_put_open(&o, "metrics", '[');
	for (size_t i = 0; c && i < c->n_metrics; i++)
		put_json_metric(&o, &c->metrics[i]);
	json_out_close(&o, ']');
	json_put_text(&o, "sentence", p->sentence);
	json_out_close(&o, '}');
	return render_document(&o, out);
}
