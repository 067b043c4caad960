/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of changes. */
#include "render-text-changes.h"

#include <math.h>

#include "format.h"
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

/* The level of the printed intervals; all of a comparison have the same where it was judged at one
 * look. */
static double common_level(const struct change_table *t)
{
	long primary = report_primary(t->page->report);
	double level = primary >= 0 ? t->comparison->changes[primary].level : NAN;

	for (size_t i = 0; isnan(level) && i < t->page->report->n_metrics; i++)
		level = t->comparison->changes[i].level;
	return level;
}

static void set_header(struct change_table *t, struct table_row *row)
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
	if (t->plain)
		return;
	table_set(&t->table, row, COLUMN_P, "p");
	table_set(&t->table, row, COLUMN_VERDICT, "verdict");
}

static void set_cell(struct change_table *t, struct table_row *row, size_t column,
		     const struct report_metric *m, const struct report_cell *c)
{
	char buf[FORMAT_SIZE];

	if (!c->n) {
		table_set(&t->table, row, column, "-");
		return;
	}
	table_set(&t->table, row, column, "%s%s", c->upper_bound ? "≤" : "",
		  format_value(buf, sizeof(buf), m->unit, c->mean, report_cell_se(c)));
	if (c->n > 1)
		table_set(&t->table, row, column + 1, "±%s",
			  format_spread(buf, sizeof(buf), c->sd > 0 ? c->sem_percent : 0));
}

static void set_main(struct change_table *t, struct table_row *row, size_t metric)
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
	if (m->untested && (c->method == METHOD_NONE || isnan(c->estimate)))
		return;
	if (c->method == METHOD_NONE || isnan(c->estimate)) {
		table_set(&t->table, row, COLUMN_VERDICT, "no verdict");
		return;
	}
	table_set(&t->table, row, COLUMN_CHANGE, "%s", format_change(buf, sizeof(buf), &f));
	table_set(&t->table, row, COLUMN_INTERVAL, "%s",
		  c->method == METHOD_EXACT ? "exact" : format_interval(buf, sizeof(buf), &f));
	if (m->untested)
		return;
	table_set(&t->table, row, COLUMN_P, "%s",
		  format_p(buf, sizeof(buf), isnan(c->p_adjusted) ? c->p : c->p_adjusted));
	table_set(&t->table, row, COLUMN_VERDICT, "%s%s", verdict_word(c->verdict),
		  c->within_margin ? ", < margin" : "");
	row->color[COLUMN_VERDICT] = verdict_color(t->page, c->verdict);
}

/* Welch's test under the row of another method. */
static bool set_welch(struct change_table *t, struct table_row *row, size_t metric)
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

bool change_has_values(const struct change_table *t, size_t metric)
{
	const struct report *r = t->page->report;

	return r->variants[t->comparison->baseline].cells[metric].n ||
	       r->variants[t->comparison->variant].cells[metric].n ||
	       t->comparison->changes[metric].method == METHOD_COMBINED;
}

static void pass_row(struct change_table *t, const struct table_row *row, bool print)
{
	if (print)
		table_print(&t->table, row);
	else
		table_measure(&t->table, row);
}

static void pass(struct change_table *t,
		 bool (*wanted)(const struct change_table *t, size_t metric), bool print)
{
	const struct report *r = t->page->report;
	struct table_row row;

	set_header(t, &row);
	pass_row(t, &row, print);
	for (size_t i = 0; i < r->n_metrics; i++) {
		if (!wanted(t, i))
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

void change_table_init(struct change_table *t, const struct text_page *page,
		       const struct report_comparison *comparison)
{
	*t = (struct change_table){
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
}

void change_table_print(struct change_table *t, const char *heading,
			bool (*wanted)(const struct change_table *t, size_t metric))
{
	bool any = false;

	for (size_t i = 0; i < t->page->report->n_metrics && !any; i++)
		any = wanted(t, i);
	if (!any)
		return;
	fputs(heading, t->page->out);
	pass(t, wanted, false);
	/* Where there is no room, the spreads of the means go first: the interval holds their news.
	 */
	if (table_width(&t->table) > t->page->width)
		t->table.columns[COLUMN_A_SPREAD].dropped =
		    t->table.columns[COLUMN_B_SPREAD].dropped = true;
	pass(t, wanted, true);
}
