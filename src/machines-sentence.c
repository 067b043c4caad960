/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The closing sentence of a comparison on several machines. */
#include "machines-combine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "format.h"

/* "+5.0 % on a, −4.8 % on b". Returns false if out of memory. */
static bool list_changes(FILE *out, const struct machines *m, const struct report_change *rows)
{
	for (size_t i = 0; i < m->n; i++) {
		struct format_change change = {rows[i].absolute, m->report.metrics[i].unit,
					       rows[i].estimate, rows[i].low, rows[i].high};
		char text[FORMAT_SIZE];

		fprintf(out, "%s%s on %s", i ? i + 1 == m->n ? " and " : ", " : "",
			isnan(rows[i].estimate) ? "without a value"
						: format_change(text, sizeof(text), &change),
			m->names[i]);
	}
	return !ferror(out);
}

static void put_heterogeneity(FILE *out, const struct combined *c)
{
	char p[FORMAT_SIZE];

	fprintf(out,
		". Random effects over %zu machines; heterogeneity Q = %.2f, p %s%s, I² = %.0f %%: "
		"they ",
		c->k, c->q, c->q_p < 0.0001 ? "" : "= ", format_p(p, sizeof(p), c->q_p),
		100 * c->i2);
	fputs(c->q_p < HETEROGENEITY_P ? "differ by more than their own errors explain."
				       : "differ by no more than their own errors explain.",
	      out);
	if (c->k < 5)
		fprintf(out,
			" With %zu machines the spread between machines is hardly known, and the "
			"interval is wide for "
			"it.",
			c->k);
}

static void put_combined(FILE *out, const struct machines *m, const struct report_comparison *c,
			 const struct combined *combined)
{
	static const char *const verdicts[] = {
	    [VERDICT_NONE] = "is not judged against",
	    [VERDICT_BETTER] = "is better than",
	    [VERDICT_WORSE] = "is worse than",
	    [VERDICT_CHANGED] = "is changed against",
	    [VERDICT_SAME] = "is the same as",
	    [VERDICT_UNCLEAR] = "is not clearly different from",
	};
	const struct report_change *row = &c->changes[m->n];
	struct format_change change = {false, "", row->estimate, row->low, row->high};
	char a[REPORT_LABEL_SIZE], b[REPORT_LABEL_SIZE], text[FORMAT_SIZE], interval[FORMAT_SIZE],
	    p[FORMAT_SIZE];

	fprintf(out, "On all machines together, %s %s %s: %s %s %s, p %s%s",
		report_label(&m->report, c->variant, b), verdicts[row->verdict],
		report_label(&m->report, c->baseline, a), m->report.metrics[0].event,
		format_change(text, sizeof(text), &change),
		format_interval(interval, sizeof(interval), &change),
		row->p_adjusted < 0.0001 ? "" : "= ", format_p(p, sizeof(p), row->p_adjusted));
	put_heterogeneity(out, combined);
}

int machines_compose(struct machines *m, size_t i, bool disagree)
{
	struct report_comparison *c = &m->report.comparisons[i];
	size_t size;
	FILE *out = open_memstream(&c->sentence, &size);
	char a[REPORT_LABEL_SIZE], b[REPORT_LABEL_SIZE];

	if (!out)
		return machines_no_memory(m);
	if (!disagree && m->combined[i].k) {
		put_combined(out, m, c, &m->combined[i]);
	} else {
		fprintf(out,
			disagree ? "The machines disagree on %s against %s: %s is "
				 : "The machines cannot be combined on %s against %s: %s is ",
			report_label(&m->report, c->variant, b),
			report_label(&m->report, c->baseline, a), m->report.metrics[0].event);
		list_changes(out, m, c->changes);
		fputs(
		    disagree
			? ". No single number is true of all of them, so there is none."
			: ". Without an interval of a ratio on each there is no combined estimate.",
		    out);
	}
	return fclose(out) ? machines_no_memory(m) : 0;
}
