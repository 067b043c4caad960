/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the text renderer, one a kind of report. */
#ifndef ABSTAT_RENDER_TEXT_H
#define ABSTAT_RENDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "render.h"

struct text_page {
	FILE *out;
	const struct report *report;
	const struct render_options *options;
	unsigned flags; /* of text_put() */
	size_t width;   /* columns to fit in where that is possible */
};

/* Names wider than this are printed on a line of their own, so that they do not spread the table.
 */
#define TEXT_NAME_WIDTH 28

/* One variant, as perf stat shows it. */
void text_variant(const struct text_page *page, size_t variant);

/* All comparisons: the heading, a table each, what is known beyond the verdicts. */
void text_comparisons(const struct text_page *page);

/* The scopes of one variant: a table each, then the rest. */
void text_scopes(const struct text_page *page, size_t variant);

/*
 * The scopes of a comparison: a table of what is tested, the reasons of what could not be, a table of what is not, and the
 * effect of probing.
 */
void text_scopes_compared(const struct text_page *page, const struct report_comparison *comparison);

/* Whether it is known what probing did to the whole of variant V; and that, in a paragraph after
 * LABEL. */
bool text_has_probing(const struct text_page *page, const struct report_variant *v);
void text_probing(const struct text_page *page, const struct report_variant *v, const char *label);

/* The metrics that have no value in any of the N variants of WHICH, a line a reason; scopes say it themselves. */
void text_missing(const struct text_page *page, const size_t *which, size_t n);

/*
 * A paragraph a reason, with the names of all that have it: "a, b: reason". REASON_OF gives the reason of number I of N,
 * or NULL, and its name.
 */
void text_reasons(const struct text_page *page, const void *what, size_t n,
		  const char *(*reason_of)(const void *what, size_t i, const char **name));

/* printf() to the page, cleaned. */
void text_printf(const struct text_page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* LABEL, then TEXT wrapped to the page's width and indented under itself. Both are cleaned. */
void text_paragraph(const struct text_page *page, const char *label, const char *text);

/* True if NAME, as it is printed, is short enough for a row. */
bool text_name_fits(const struct text_page *page, const char *name);

#endif
