/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics without a value, as text: a line a reason, where perf stat has a row for each. */
#include "render-text.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 60
#define MOST_REASONS 16

/* The reason why METRIC has no value, NULL if any of the variants has one. */
static const char *missing_reason(const struct text_page *page, const size_t *which, size_t n,
				  size_t metric, enum null_reason *missing)
{
	const char *reason = NULL;

	/* The row of all machines together has an estimate, or the sentence says why not. */
	if (!page->report->metrics[metric].shown || page->report->metrics[metric].source == METRIC_SCOPE ||
	    (page->report->n_machines && metric == page->report->n_machines))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const struct report_cell *c = &page->report->variants[which[i]].cells[metric];

		if (c->n)
			return NULL;
		if (!reason) {
			reason = c->reason ? c->reason : "no value, for a reason that is not known";
			*missing = c->missing;
		}
	}
	return reason;
}

static const char *missing_mark(enum null_reason missing)
{
	switch (missing) {
	case NULL_NOT_SUPPORTED:
		return "   <not supported>  ";
	case NULL_NOT_PERMITTED:
		return "   <not permitted>  ";
	default:
		return "     <not counted>  ";
	}
}

static void put_names(const struct text_page *page, const size_t *which, size_t n,
		      const char *reason, enum null_reason missing)
{
	char *text = NULL;
	size_t size = 0, named = 0, more = 0;
	FILE *names = open_memstream(&text, &size);

	if (!names)
		return;
	for (size_t i = 0; i < page->report->n_metrics; i++) {
		enum null_reason m = NULL_NONE;
		const char *other = missing_reason(page, which, n, i, &m);

		if (!other || strcmp(other, reason))
			continue;
		if (named < MOST_NAMES)
			fprintf(names, "%s%s", named ? ", " : "", page->report->metrics[i].name);
		else
			more++;
		named++;
	}
	if (more)
		fprintf(names, " and %zu more", more);
	fprintf(names, ": %s", reason);
	if (!fclose(names))
		text_paragraph(page, missing_mark(missing), text);
	free(text);
}

void text_missing(const struct text_page *page, const size_t *which, size_t n)
{
	const char *reasons[MOST_REASONS];
	size_t n_reasons = 0, more = 0;

	for (size_t i = 0; i < page->report->n_metrics; i++) {
		enum null_reason missing = NULL_NONE;
		const char *reason = missing_reason(page, which, n, i, &missing);
		bool seen = !reason;

		for (size_t k = 0; k < n_reasons && !seen; k++)
			seen = !strcmp(reasons[k], reason);
		if (seen)
			continue;
		if (n_reasons == MOST_REASONS) {
			more++;
			continue;
		}
		reasons[n_reasons++] = reason;
		put_names(page, which, n, reason, missing);
	}
	if (more)
		fprintf(page->out, "%s%zu more metrics, each for a reason of its own: see -j\n",
			missing_mark(NULL_UNKNOWN), more);
}
