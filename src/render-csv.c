/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CSV: a header line, then a row a metric of every variant, or of every comparison. Columns are
 * rows of a table here: they are never moved, and new ones come at the end. Quoted as RFC 4180 has
 * it, with lines that end in a newline alone; what has no value is empty.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "number.h"
#include "csv-text.h"
#include "render.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct csv {
	FILE *out;
	char separator;
	bool filled; /* the line has a field */
};

static void put_field(struct csv *csv, const char *text)
{
	if (csv->filled)
		fputc(csv->separator, csv->out);
	csv->filled = true;
	csv_text(csv->out, csv->separator, text);
}

static void put_number(struct csv *csv, double value)
{
	char buf[NUMBER_SIZE];

	if (isnan(value)) {
		put_field(csv, NULL);
	} else if (isinf(value)) {
		put_field(csv, value < 0 ? "-inf" : "inf");
	} else {
		number_format(buf, value);
		put_field(csv, buf);
	}
}

static void put_count(struct csv *csv, uint64_t value)
{
	char buf[NUMBER_SIZE];

	number_format_u64(buf, value);
	put_field(csv, buf);
}

static void end_line(struct csv *csv)
{
	fputc('\n', csv->out);
	csv->filled = false;
}

/* A column that is a field of a structure. */
enum csv_type { CSV_NUMBER, CSV_COUNT, CSV_BOOL, CSV_TEXT };

struct csv_column {
	const char *name;
	enum csv_type type;
	size_t offset;
};

static void put_column(struct csv *csv, const struct csv_column *column, const void *base)
{
	const void *field = (const char *)base + column->offset;

	switch (column->type) {
	case CSV_NUMBER:
		put_number(csv, *(const double *)field);
		break;
	case CSV_COUNT:
		put_count(csv, *(const uint64_t *)field);
		break;
	case CSV_BOOL:
		put_field(csv, *(const bool *)field ? "true" : "false");
		break;
	case CSV_TEXT:
		put_field(csv, *(const char *const *)field);
		break;
	}
}

static void put_columns(struct csv *csv, const struct csv_column *columns, size_t n,
			const void *base)
{
	for (size_t i = 0; i < n; i++)
		put_column(csv, &columns[i], base);
}

static void put_names(struct csv *csv, const struct csv_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_field(csv, columns[i].name);
}

#define METRIC(name, type, field)                                                                  \
	{                                                                                          \
		name, type, offsetof(struct report_metric, field)                                  \
	}
#define CELL(name, type, field)                                                                    \
	{                                                                                          \
		name, type, offsetof(struct report_cell, field)                                    \
	}
#define CHANGE(name, type, field)                                                                  \
	{                                                                                          \
		name, type, offsetof(struct report_change, field)                                  \
	}

static const struct csv_column metric_columns[] = {
    METRIC("metric", CSV_TEXT, name),
    METRIC("event", CSV_TEXT, event),
    METRIC("unit", CSV_TEXT, unit),
    METRIC("primary", CSV_BOOL, primary),
};

static const struct csv_column cell_columns[] = {
    CELL("n", CSV_COUNT, n),
    CELL("mean", CSV_NUMBER, mean),
    CELL("sd", CSV_NUMBER, sd),
    CELL("sem_percent", CSV_NUMBER, sem_percent),
    CELL("median", CSV_NUMBER, median),
    CELL("min", CSV_NUMBER, min),
    CELL("max", CSV_NUMBER, max),
    CELL("ci_low", CSV_NUMBER, ci.low),
    CELL("ci_high", CSV_NUMBER, ci.high),
    CELL("ci_level", CSV_NUMBER, ci.level),
    CELL("running_percent", CSV_NUMBER, running_percent),
    CELL("upper_bound", CSV_BOOL, upper_bound),
    CELL("reason", CSV_TEXT, reason),
};

static const struct csv_column change_columns[] = {
    CHANGE("n", CSV_COUNT, n),
    CHANGE("n_baseline", CSV_COUNT, n_baseline),
    CHANGE("n_variant", CSV_COUNT, n_variant),
    CHANGE("absolute", CSV_BOOL, absolute),
    CHANGE("estimate", CSV_NUMBER, estimate),
    CHANGE("low", CSV_NUMBER, low),
    CHANGE("high", CSV_NUMBER, high),
    CHANGE("level", CSV_NUMBER, level),
    CHANGE("p", CSV_NUMBER, p),
    CHANGE("p_adjusted", CSV_NUMBER, p_adjusted),
    CHANGE("alpha", CSV_NUMBER, alpha),
    CHANGE("welch_estimate", CSV_NUMBER, welch.estimate),
    CHANGE("welch_low", CSV_NUMBER, welch.low),
    CHANGE("welch_high", CSV_NUMBER, welch.high),
    CHANGE("welch_level", CSV_NUMBER, welch.level),
    CHANGE("welch_t", CSV_NUMBER, welch.t),
    CHANGE("welch_df", CSV_NUMBER, welch.df),
    CHANGE("welch_p", CSV_NUMBER, welch.p),
    CHANGE("margin", CSV_NUMBER, equivalence.margin),
    CHANGE("equivalence_low", CSV_NUMBER, equivalence.low),
    CHANGE("equivalence_high", CSV_NUMBER, equivalence.high),
    CHANGE("equivalence_level", CSV_NUMBER, equivalence.level),
    CHANGE("equivalence_p", CSV_NUMBER, equivalence.p),
    CHANGE("ruled_out_above", CSV_NUMBER, ruled_out_above),
    CHANGE("smallest_visible", CSV_NUMBER, smallest_visible),
    CHANGE("runs_needed", CSV_NUMBER, runs_needed),
    CHANGE("within_margin", CSV_BOOL, within_margin),
    CHANGE("low_n", CSV_BOOL, low_n),
    CHANGE("disagree", CSV_BOOL, disagree),
    CHANGE("reason", CSV_TEXT, reason),
};

static void put_variants(struct csv *csv, const struct report *r)
{
	put_field(csv, "variant");
	put_names(csv, metric_columns, ARRAY_SIZE(metric_columns));
	put_field(csv, "runs");
	put_field(csv, "failed");
	put_names(csv, cell_columns, ARRAY_SIZE(cell_columns));
	end_line(csv);
	for (size_t v = 0; v < r->n_variants; v++)
		for (size_t i = 0; i < r->n_metrics; i++) {
			struct report_cell cell = r->variants[v].cells[i];

			if (!cell.n) {
				cell = report_no_cell;
				cell.reason = r->variants[v].cells[i].reason;
			}
			put_field(csv, r->variants[v].name);
			put_columns(csv, metric_columns, ARRAY_SIZE(metric_columns),
				    &r->metrics[i]);
			put_count(csv, r->variants[v].runs);
			put_count(csv, r->variants[v].failed);
			put_columns(csv, cell_columns, ARRAY_SIZE(cell_columns), &cell);
			end_line(csv);
		}
}

static void put_mean(struct csv *csv, const struct report_cell *cell)
{
	put_number(csv, cell->n ? cell->mean : NAN);
	put_number(csv, cell->n ? cell->sem_percent : NAN);
}

/* Where a cost only moved, what the total of a scope won or lost. */
static const char *moved_word(const struct report_comparison *c, const struct report_metric *m)
{
	const struct report_moved *moved = c->moved;

	if (!moved || moved->kind != MOVED_MOVED || m->part != PART_TOTAL || m->on_cpu ||
	    strcmp(m->of, moved->metric) != 0)
		return NULL;
	for (size_t i = 0; i < moved->n_parts; i++)
		if (!strcmp(moved->parts[i].scope, m->scope))
			return moved->parts[i].role == MOVED_WON    ? "won"
			       : moved->parts[i].role == MOVED_LOST ? "lost"
								    : NULL;
	return NULL;
}

static void put_comparison(struct csv *csv, const struct report *r,
			   const struct report_comparison *c)
{
	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct report_change *change = &c->changes[i];
		bool none = change->verdict == VERDICT_NONE;

		put_field(csv, r->variants[c->baseline].name);
		put_field(csv, r->variants[c->variant].name);
		put_columns(csv, metric_columns, ARRAY_SIZE(metric_columns), &r->metrics[i]);
		put_field(csv, none ? NULL : verdict_word(change->verdict));
		put_field(csv, change->method == METHOD_NONE ? NULL
							     : change_method_word(change->method));
		put_mean(csv, &r->variants[c->baseline].cells[i]);
		put_mean(csv, &r->variants[c->variant].cells[i]);
		put_columns(csv, change_columns, ARRAY_SIZE(change_columns), change);
		put_field(csv, moved_word(c, &r->metrics[i]));
		end_line(csv);
	}
}

static void put_comparisons(struct csv *csv, const struct report *r)
{
	static const char *const means[] = {
	    "mean_baseline",
	    "sem_percent_baseline",
	    "mean_variant",
	    "sem_percent_variant",
	};

	put_field(csv, "baseline");
	put_field(csv, "variant");
	put_names(csv, metric_columns, ARRAY_SIZE(metric_columns));
	put_field(csv, "verdict");
	put_field(csv, "method");
	for (size_t i = 0; i < ARRAY_SIZE(means); i++)
		put_field(csv, means[i]);
	put_names(csv, change_columns, ARRAY_SIZE(change_columns));
	put_field(csv, "moved");
	end_line(csv);
	for (size_t i = 0; i < r->n_comparisons; i++)
		put_comparison(csv, r, &r->comparisons[i]);
}

static int render(const struct report *report, const struct render_options *options, FILE *out)
{
	struct csv csv = {.out = out, .separator = options->separator ? options->separator : ','};

	if (report->n_comparisons)
		put_comparisons(&csv, report);
	else
		put_variants(&csv, report);
	return render_finish(out);
}

const struct renderer render_csv = {"csv", render};
