/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One variant as text, as perf stat -r shows it: value, unit, name, what is derived from it, the
 * standard error; then the times.
 */
#include "render-text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "render-table.h"
#include "text.h"

enum {
	COLUMN_VALUE,
	COLUMN_UNIT,
	COLUMN_NAME,
	COLUMN_HASH,
	COLUMN_DERIVED,
	COLUMN_DERIVED_SPREAD,
	COLUMN_DERIVED_NOTE,
	COLUMN_SPREAD,
	COLUMN_INTERVAL,
	COLUMN_EXTRA,
	COLUMNS
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MOST_DERIVED 64

/* The times that perf stat prints below its table. */
static const struct {
	const char *metric;
	const char *text;
} bottom_times[] = {
    {"duration_time", "seconds time elapsed"},
    {"user_time", "seconds user"},
    {"system_time", "seconds sys"},
};

struct stat_table {
	const struct text_page *page;
	const struct report_variant *variant;
	struct table table;
	size_t derived[MOST_DERIVED]; /* metrics that are shown beside another */
	size_t n_derived;
	bool intervals;
};

static bool is_bottom_time(const struct report_metric *m)
{
	for (size_t i = 0; i < ARRAY_SIZE(bottom_times); i++)
		if (!strcmp(m->name, bottom_times[i].metric))
			return true;
	return false;
}

/* As perf does, clocks are in msec; what has no better unit is printed in full. */
static struct format_unit row_unit(const struct report_metric *m, double mean)
{
	if (!strcmp(m->unit, "ns"))
		return fabs(mean) < 1e4 ? (struct format_unit){1, "ns"}
					: (struct format_unit){1e6, "msec"};
	if (!*m->unit)
		return (struct format_unit){1, ""};
	return format_unit_for(m->unit, mean);
}

/* "0.981", or "2.50%" for a share. */
static void set_derived(struct stat_table *t, struct table_row *row, size_t metric)
{
	const struct report_metric *m = &t->page->report->metrics[metric];
	const struct report_cell *c = &t->variant->cells[metric];
	bool share = !strcmp(m->unit, "ratio");
	double scale = share ? 100 : 1;
	double value = c->mean * scale;
	char buf[FORMAT_SIZE];
	int decimals = format_decimals(value, report_cell_se(c) * scale);

	if (decimals < 2)
		decimals = 2;
	if (decimals > 4)
		decimals = 4;
	format_number(buf, sizeof(buf), value, decimals);
	table_set(&t->table, row, COLUMN_HASH, "#");
	table_set(&t->table, row, COLUMN_DERIVED, "%s%s", buf, share ? "%" : "");
	if (c->n > 1)
		table_set(&t->table, row, COLUMN_DERIVED_SPREAD, "±%s",
			  format_spread(buf, sizeof(buf), c->sem_percent));
	table_set(&t->table, row, COLUMN_DERIVED_NOTE, "%s", m->note);
}

static void set_extra(struct stat_table *t, struct table_row *row, const struct report_cell *c)
{
	char runs[48] = "", scaled[48] = "";

	if (c->n != t->variant->runs)
		snprintf(runs, sizeof(runs), "(%" PRIu64 " run%s)", c->n, c->n == 1 ? "" : "s");
	if (c->running_percent < 99.995)
		snprintf(scaled, sizeof(scaled), "(scaled from %.2f%%)", c->running_percent);
	table_set(&t->table, row, COLUMN_EXTRA, "%s%s%s", runs, *runs && *scaled ? " " : "",
		  scaled);
}

static void set_row(struct stat_table *t, struct table_row *row, const struct report_metric *m,
		    const struct report_cell *c)
{
	struct format_unit u = row_unit(m, c->mean);
	double se = report_cell_se(c) / u.scale;
	double mean = c->mean / u.scale;
	char buf[FORMAT_SIZE];
	int decimals = format_decimals(mean, se);

	/* perf's two decimals at least, where a time is printed in a unit larger than its own. */
	if (u.scale > 1 && decimals < 2)
		decimals = 2;
	table_set(&t->table, row, COLUMN_VALUE, "%s%s", c->upper_bound ? "≤" : "",
		  format_number(buf, sizeof(buf), mean, decimals));
	table_set(&t->table, row, COLUMN_UNIT, "%s", u.suffix);
	if (text_name_fits(t->page, m->name))
		table_set(&t->table, row, COLUMN_NAME, "%s", m->name);
	if (c->n > 1) {
		snprintf(buf, sizeof(buf), "%.2f", c->sd > 0 ? c->sem_percent : 0);
		table_set(&t->table, row, COLUMN_SPREAD, "( +-%7s%% )",
			  c->sd > 0 && isnan(c->sem_percent) ? "-" : buf);
	}
	if (c->n > 1 && c->mean != 0 && !isnan(c->ci.low)) {
		double half = (c->ci.high - c->ci.low) / 2 / fabs(c->mean) * 100;

		table_set(&t->table, row, COLUMN_INTERVAL, "%.0f%%: ±%s", c->ci.level * 100,
			  format_spread(buf, sizeof(buf), half));
		t->intervals = true;
	}
	set_extra(t, row, c);
}

/* With -v: the order statistics, under the row and in its unit. */
static void put_details(const struct stat_table *t, struct format_unit u,
			const struct report_cell *c)
{
	char median[FORMAT_SIZE], min[FORMAT_SIZE], max[FORMAT_SIZE], sd[FORMAT_SIZE];
	char low[FORMAT_SIZE], high[FORMAT_SIZE], indent[TABLE_CELL];
	char *interval = NULL, *text = NULL;
	int decimals = format_decimals(c->mean / u.scale, report_cell_se(c) / u.scale);

	if (!t->page->options->verbose || c->n < 2 || isnan(c->median))
		return;
	format_number(median, sizeof(median), c->median / u.scale, decimals);
	format_number(min, sizeof(min), c->min / u.scale, decimals);
	format_number(max, sizeof(max), c->max / u.scale, decimals);
	format_number(sd, sizeof(sd), c->sd / u.scale,
		      format_decimals(c->sd / u.scale, c->sd / u.scale));
	format_number(low, sizeof(low), c->ci.low / u.scale, decimals);
	format_number(high, sizeof(high), c->ci.high / u.scale, decimals);
	if (!isnan(c->ci.low) && asprintf(&interval, ", %.0f %% interval of the mean [%s, %s]",
					  c->ci.level * 100, low, high) < 0)
		interval = NULL;
	if (asprintf(&text, "n %" PRIu64 ", median %s, min %s, max %s, sd %s%s", c->n, median, min,
		     max, sd, interval ? interval : "") >= 0) {
		snprintf(indent, sizeof(indent), "%*s",
			 (int)t->table.columns[COLUMN_VALUE].width + 2, "");
		text_paragraph(t->page, indent, text);
		free(text);
	}
	free(interval);
}

static void find_derived(struct stat_table *t)
{
	const struct report *r = t->page->report;

	for (size_t i = 0; i < r->n_metrics && t->n_derived < MOST_DERIVED; i++)
		if (r->metrics[i].beside && t->variant->cells[i].n)
			t->derived[t->n_derived++] = i;
}

static bool belongs_to(const struct report_metric *derived, const struct report_metric *m)
{
	return m != derived && (!strcmp(derived->beside, m->name) ||
				(m->event && !strcmp(derived->beside, m->event)));
}

static void pass_row(struct stat_table *t, const struct table_row *row, bool print)
{
	if (print)
		table_print(&t->table, row);
	else
		table_measure(&t->table, row);
}

/* One metric's rows: made, and either measured or printed. */
static void pass_metric(struct stat_table *t, size_t metric, bool print)
{
	const struct report *r = t->page->report;
	const struct report_metric *m = &r->metrics[metric];
	const struct report_cell *c = &t->variant->cells[metric];
	struct table_row row;
	bool more = false;

	table_row_clear(&row);
	set_row(t, &row, m, c);
	if (print && !text_name_fits(t->page, m->name)) {
		fprintf(t->page->out, "%*s", (int)t->table.columns[COLUMN_VALUE].width + 1, "");
		text_put(t->page->out, m->name, t->page->flags);
		fputs(":\n", t->page->out);
	}
	for (size_t i = 0; i < t->n_derived; i++) {
		if (!belongs_to(&r->metrics[t->derived[i]], m))
			continue;
		if (more)
			table_row_clear(&row);
		set_derived(t, &row, t->derived[i]);
		pass_row(t, &row, print);
		more = true;
	}
	if (!more)
		pass_row(t, &row, print);
	if (print)
		put_details(t, row_unit(m, c->mean), c);
}

static void put_heading(const struct text_page *page, const struct report_variant *v)
{
	FILE *out = page->out;
	const char *command = v->command ? v->command : v->name;

	fputs("\n Performance counter stats for '", out);
	text_put(out, command, page->flags);
	fputc('\'', out);
	if (v->command && v->name && strcmp(v->command, v->name)) {
		fputs(" (", out);
		text_put(out, v->name, page->flags);
		fputc(')', out);
	}
	fprintf(out, " (%" PRIu64 " run%s", v->runs, v->runs == 1 ? "" : "s");
	if (v->failed)
		fprintf(out, ", %" PRIu64 " failed", v->failed);
	fputs("):\n\n", out);
}

static void put_time(const struct stat_table *t, const struct report_cell *c, const char *text)
{
	char mean[FORMAT_SIZE], se[FORMAT_SIZE];
	int decimals = c->n > 1 ? 6 : 9;

	/* A digit more than elsewhere, as perf has it: runs are short, and seconds a large unit. */
	if (c->n > 1 && c->sd > 0)
		decimals = format_decimals(c->mean / 1e9, report_cell_se(c) / 1e9) + 1;
	format_number(mean, sizeof(mean), c->mean / 1e9, decimals);
	format_number(se, sizeof(se), report_cell_se(c) / 1e9, decimals);
	if (c->n > 1)
		fprintf(t->page->out, "%18s +- %s %s  ( +-%6.2f%% )\n", mean, se, text,
			c->sd > 0 ? c->sem_percent : 0);
	else
		fprintf(t->page->out, "%18s %s\n", mean, text);
}

static void put_bottom_times(const struct stat_table *t)
{
	const struct report *r = t->page->report;

	for (size_t i = 0; i < ARRAY_SIZE(bottom_times); i++)
		for (size_t k = 0; k < r->n_metrics; k++) {
			if (!t->variant->cells[k].n ||
			    strcmp(r->metrics[k].name, bottom_times[i].metric))
				continue;
			if (i <= 1)
				fputc('\n', t->page->out);
			put_time(t, &t->variant->cells[k], bottom_times[i].text);
			put_details(t, (struct format_unit){1e9, "s"}, &t->variant->cells[k]);
			break;
		}
}

void text_variant(const struct text_page *page, size_t variant)
{
	const struct report *r = page->report;
	struct stat_table t = {
	    .page = page,
	    .variant = &r->variants[variant],
	    .table =
		{
		    .out = page->out,
		    .flags = page->flags,
		    .n = COLUMNS,
		    .columns =
			{
			    [COLUMN_VALUE] = {.right = true, .width = 18},
			    [COLUMN_UNIT] = {.gap = 1, .width = 4},
			    [COLUMN_NAME] = {.gap = 1, .width = 20},
			    [COLUMN_HASH] = {.gap = 1},
			    [COLUMN_DERIVED] = {.gap = 1, .right = true},
			    [COLUMN_DERIVED_SPREAD] = {.gap = 1, .right = true},
			    [COLUMN_DERIVED_NOTE] = {.gap = 1},
			    [COLUMN_SPREAD] = {.gap = 2, .right = true},
			    [COLUMN_INTERVAL] = {.gap = 2, .right = true},
			    [COLUMN_EXTRA] = {.gap = 2},
			},
		},
	};

	find_derived(&t);
	put_heading(page, t.variant);
	for (int print = 0; print <= 1; print++) {
		if (print && table_width(&t.table) > page->width)
			t.table.columns[COLUMN_INTERVAL].dropped = true;
		for (size_t i = 0; i < r->n_metrics; i++)
			if (r->metrics[i].shown && r->metrics[i].source != METRIC_SCOPE && t.variant->cells[i].n &&
			    !is_bottom_time(&r->metrics[i]))
				pass_metric(&t, i, print);
	}
	text_missing(page, &variant, 1);
	put_bottom_times(&t);
	if (t.intervals && !t.table.columns[COLUMN_INTERVAL].dropped) {
		fputc('\n', page->out);
		text_paragraph(page, " ",
			       "+-: standard error of the mean; 95%: half of the mean's 95 % "
			       "interval; both relative to the mean");
	}
	text_scopes(page, variant);
}
