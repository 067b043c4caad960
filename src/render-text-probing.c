/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What probing did to the whole, as text: "cycles:u +2.13 % [+2.01, +2.26] %", and so on. */
#include "render-text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"

/* Of the event that decides, and of time; with -v, of all. */
static bool is_probing_put(const struct text_page *page, const struct report_probing *p)
{
	const char *name = page->report->metrics[p->metric].name;

	return !isnan(p->change->estimate) &&
	       (page->options->verbose || !strcmp(name, "duration_time") ||
		!strcmp(name, report_scope_event(page->report)));
}

bool text_has_probing(const struct text_page *page, const struct report_variant *v)
{
	for (size_t i = 0; i < v->n_probing; i++)
		if (is_probing_put(page, &v->probing[i]))
			return true;
	return false;
}

/* " exactly" or " [+2.01, +2.26] %"; nothing if nothing is ruled out: a single run has no interval.
 */
static bool put_probing_interval(FILE *out, const struct report_change *c,
				 const struct format_change *f)
{
	char interval[FORMAT_SIZE];

	if (c->method != METHOD_EXACT && !isfinite(c->high))
		return false;
	fprintf(out, " %s",
		c->method == METHOD_EXACT ? "exactly"
					  : format_interval(interval, sizeof(interval), f));
	return true;
}

/* " (95 % intervals, 12 runs)", each with probes and without. */
static void put_probing_basis(FILE *out, const struct report_change *c, bool intervals)
{
	char level[FORMAT_SIZE], runs[FORMAT_SIZE];

	fputs(" (", out);
	if (intervals && !isnan(c->level))
		fprintf(out, "%s intervals, ", format_level(level, sizeof(level), c->level));
	fprintf(out, "%s run%s)", format_count(runs, sizeof(runs), c->n), c->n == 1 ? "" : "s");
}

void text_probing(const struct text_page *page, const struct report_variant *v, const char *label)
{
	char change[FORMAT_SIZE], *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	const struct report_change *last = NULL;
	bool intervals = false;

	for (size_t i = 0; out && i < v->n_probing; i++) {
		const struct report_metric *m = &page->report->metrics[v->probing[i].metric];
		const struct report_change *c = v->probing[i].change;
		struct format_change f = {c->absolute, m->unit, c->estimate, c->low, c->high};

		if (!is_probing_put(page, &v->probing[i]))
			continue;
		fprintf(out, "%s%s %s", last ? ", " : "", m->name,
			format_change(change, sizeof(change), &f));
		intervals |= put_probing_interval(out, c, &f);
		last = c;
	}
	if (last)
		put_probing_basis(out, last, intervals);
	if (out && !fclose(out) && last)
		text_paragraph(page, label, text);
	free(text);
}
