/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for people: the page around the tables: paragraphs, warnings, notes, closing sentences.
 */
#include "render-text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "evidence.h"
#include "text.h"

/* Fits in mails and in most windows. */
#define DEFAULT_WIDTH 100
#define LEAST_WIDTH 60

bool text_name_fits(const struct text_page *page, const char *name)
{
	char *clean;
	bool fits;

	if (strlen(name) > (size_t)4 * TEXT_NAME_WIDTH)
		return false;
	clean = text_clean(name, page->flags);
	fits = clean && text_width(clean) <= TEXT_NAME_WIDTH;
	free(clean);
	return fits;
}

void text_printf(const struct text_page *page, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0)
		return;
	text_put(page->out, text, page->flags);
	free(text);
}

/* Up to the next place where a line may end: not between a number and its per cent. */
static size_t word_length(const char *text)
{
	size_t len = strcspn(text, " ");

	while (!strncmp(text + len, " %", 2))
		len += 2 + strcspn(text + len + 2, " ");
	return len;
}

void text_paragraph(const struct text_page *page, const char *label, const char *text)
{
	char *clean = text_clean(text, page->flags);
	size_t indent = text_width(label);
	size_t column = 0;

	text_put(page->out, label, page->flags);
	for (char *word = clean, *next; word && *word; word = next) {
		size_t len = word_length(word);
		size_t width;

		next = word + len + strspn(word + len, " ");
		word[len] = '\0';
		width = text_width(word);
		if (column && indent + column + 1 + width > page->width) {
			fprintf(page->out, "\n%*s", (int)indent, "");
			column = 0;
		} else if (column) {
			fputc(' ', page->out);
			column++;
		}
		fputs(word, page->out);
		column += width;
	}
	fputc('\n', page->out);
	free(clean);
}

static void put_evidence(const struct text_page *page)
{
	const struct evidence *e = page->report->evidence;
	bool any = false;

	for (size_t i = 0; e && i < e->n; i++) {
		if (!e->pairs[i].sentence)
			continue;
		if (!any)
			fputc('\n', page->out);
		any = true;
		text_paragraph(page, " evidence: ", e->pairs[i].sentence);
	}
}

static void put_warnings(const struct text_page *page)
{
	const struct report *r = page->report;

	if (!r->n_warnings)
		return;
	fputc('\n', page->out);
	for (size_t i = 0; i < r->n_warnings; i++) {
		const struct report_warning *w = &r->warnings[i];
		char *text = NULL;

		if (w->metric && asprintf(&text, "%s: %s", w->metric, w->text) < 0)
			text = NULL;
		text_paragraph(page, " warning: ", text ? text : w->text);
		free(text);
	}
}

static void put_notes(const struct text_page *page)
{
	const struct record *record = page->report->record;

	if (!record || !record->n_notes)
		return;
	fputc('\n', page->out);
	for (size_t i = 0; i < record->n_notes; i++)
		text_paragraph(page, " note: ", record->notes[i]);
}

static void put_sentences(const struct text_page *page)
{
	const struct report *r = page->report;

	for (size_t i = 0; i < r->n_comparisons; i++) {
		if (!r->comparisons[i].sentence)
			continue;
		fputc('\n', page->out);
		text_paragraph(page, " ", r->comparisons[i].sentence);
	}
}

static int render(const struct report *report, const struct render_options *options, FILE *out)
{
	struct text_page page = {
	    .out = out,
	    .report = report,
	    .options = options,
	    .flags = options->utf8 ? TEXT_UTF8 : 0,
	    .width = options->width > 0 ? (size_t)options->width : DEFAULT_WIDTH,
	};

	if (page.width < LEAST_WIDTH)
		page.width = LEAST_WIDTH;
	if (report->n_comparisons)
		text_comparisons(&page);
	else
		for (size_t i = 0; i < report->n_variants; i++)
			text_variant(&page, i);
	put_evidence(&page);
	put_warnings(&page);
	put_notes(&page);
	put_sentences(&page);
	fputc('\n', out);
	return render_finish(out);
}

const struct renderer render_text = {"text", render};
