/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between two binaries, laid out: sizes, sections, symbols. */
#include "elf-page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "elf-sentence.h"
#include "format.h"

/* Rows of a table that are shown where not all are asked for. */
enum { ROWS_SHOWN = 20 };

static char *print(const char *format, va_list args)
{
	char *text;

	return vasprintf(&text, format, args) < 0 ? NULL : text;
}

struct elf_table *elf_page_table(struct elf_page *page, size_t n_columns, const char *format, ...)
{
	static struct elf_table nowhere;
	struct elf_table *grown = reallocarray(page->tables, page->n_tables + 1, sizeof(*grown));
	va_list args;

	if (!grown) {
		page->failed = true;
		return &nowhere;
	}
	page->tables = grown;
	struct elf_table *t = &grown[page->n_tables++];

	*t = (struct elf_table){.n_columns = n_columns};
	va_start(args, format);
	t->title = print(format, args);
	va_end(args);
	page->failed |= !t->title;
	return t;
}

/* N_ROWS counts cells until the page is complete. */
static void add_cell(struct elf_page *page, char *text)
{
	struct elf_table *t = page->n_tables ? &page->tables[page->n_tables - 1] : NULL;
	bool full = t && (t->n_rows & (t->n_rows - 1)) == 0;
	char **grown =
	    full ? reallocarray(t->cells, t->n_rows ? 2 * t->n_rows : 1, sizeof(*grown)) : NULL;

	if (!t || !text || (full && !grown)) {
		page->failed = true;
		free(text);
		return;
	}
	if (full)
		t->cells = grown;
	t->cells[t->n_rows++] = text;
}

void elf_page_cell(struct elf_page *page, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_cell(page, print(format, args));
	va_end(args);
}

void elf_page_name(struct elf_page *page, const char *name, const char *what)
{
	char *readable = demangle(name, strlen(name));

	elf_page_cell(page, "%s%s", readable ? readable : name, what);
	free(readable);
}

void elf_page_count(struct elf_page *page, uint64_t n)
{
	char buf[FORMAT_SIZE];

	elf_page_cell(page, "%s", format_count(buf, sizeof(buf), n));
}

void elf_page_change(struct elf_page *page, uint64_t old, uint64_t new)
{
	char buf[FORMAT_SIZE];

	elf_page_cell(page, "%s%s",
		      new > old   ? "+"
		      : new < old ? "−"
				  : "",
		      format_count(buf, sizeof(buf), new > old ? new - old : old - new));
}

void elf_page_note(struct elf_page *page, const char *format, ...)
{
	char **grown = reallocarray(page->notes, page->n_notes + 1, sizeof(*grown));
	va_list args;

	if (!grown) {
		page->failed = true;
		return;
	}
	page->notes = grown;
	va_start(args, format);
	grown[page->n_notes] = print(format, args);
	va_end(args);
	if (grown[page->n_notes])
		page->n_notes++;
	else
		page->failed = true;
}

static void lay_sizes(struct elf_page *page, const struct elf_report *r)
{
	static const char *const heads[] = {"", "text", "data", "bss", "dec", "hex", "compressed"};
	const struct elf_sizes *a = &r->sizes[ELF_OLD], *b = &r->sizes[ELF_NEW];
	bool compressed = r->has_compressed;
	uint64_t sum[ELF_SIDES] = {elf_sizes_total(a), elf_sizes_total(b)};
	struct elf_table *t = elf_page_table(page, compressed ? 7 : 6, "Sizes");

	t->name[0] = true;
	for (size_t i = 0; i < t->n_columns; i++)
		elf_page_cell(page, "%s", heads[i]);
	for (size_t side = 0; side < ELF_SIDES; side++) {
		const struct elf_sizes *s = &r->sizes[side];

		elf_page_cell(page, "%s", side == ELF_OLD ? "OLD" : "NEW");
		elf_page_cell(page, "%" PRIu64, s->text);
		elf_page_cell(page, "%" PRIu64, s->data);
		elf_page_cell(page, "%" PRIu64, s->bss);
		elf_page_cell(page, "%" PRIu64, sum[side]);
		elf_page_cell(page, "%" PRIx64, sum[side]);
		if (compressed)
			elf_page_cell(page, "%" PRIu64, r->compressed[side]);
	}
	elf_page_cell(page, "change");
	elf_page_change(page, a->text, b->text);
	elf_page_change(page, a->data, b->data);
	elf_page_change(page, a->bss, b->bss);
	elf_page_change(page, sum[0], sum[1]);
	elf_page_cell(page, "%s%" PRIx64,
		      sum[1] > sum[0]   ? "+"
		      : sum[1] < sum[0] ? "−"
					: "",
		      sum[1] > sum[0] ? sum[1] - sum[0] : sum[0] - sum[1]);
	if (compressed)
		elf_page_change(page, r->compressed[0], r->compressed[1]);
}

static bool is_changed(const struct elf_section_change *c)
{
	return c->has[0] != c->has[1] || c->size[0] != c->size[1] || c->contents;
}

/* A side that has none shows a dash. */
static void lay_both(struct elf_page *page, const bool has[ELF_SIDES],
		     const uint64_t size[ELF_SIDES])
{
	for (size_t side = 0; side < ELF_SIDES; side++) {
		if (has[side])
			elf_page_count(page, size[side]);
		else
			elf_page_cell(page, "-");
	}
	elf_page_change(page, size[0], size[1]);
}

static void lay_section(struct elf_page *page, const struct elf_section_change *c)
{
	elf_page_cell(page, "%s", c->name);
	lay_both(page, c->has, c->size);
	for (size_t side = 0; side < ELF_SIDES; side++) {
		if (c->loaded)
			elf_page_count(page, c->in_symbols[side]);
		else
			elf_page_cell(page, "-");
	}
	elf_page_cell(page, "%s%s", !c->loaded ? "not loaded" : "",
		      !c->has[0]    ? (c->loaded ? "new" : ", new")
		      : !c->has[1]  ? (c->loaded ? "gone" : ", gone")
		      : c->contents ? "other contents"
				    : "");
}

static void lay_sections(struct elf_page *page, const struct elf_result *result)
{
	static const char *const heads[] = {"section",     "OLD", "NEW", "change",
					    "symbols OLD", "NEW", ""};
	const struct elf_report *r = result->report;
	struct elf_table *t;
	size_t shown = 0;

	for (size_t i = 0; i < r->n_sections; i++)
		shown += result->all || is_changed(&r->sections[i]);
	if (!shown)
		return;
	t = elf_page_table(page, 7, result->all ? "Sections" : "Sections that differ");
	t->name[0] = t->name[6] = true;
	for (size_t i = 0; i < t->n_columns; i++)
		elf_page_cell(page, "%s", heads[i]);
	for (size_t i = 0; i < r->n_sections; i++)
		if (result->all || is_changed(&r->sections[i]))
			lay_section(page, &r->sections[i]);
}

static void lay_symbol(struct elf_page *page, const struct elf_symbol_change *c)
{
	elf_page_name(page, c->name, "");
	elf_page_cell(page, "%s", c->section);
	lay_both(page, c->has, c->size);
}

static void lay_total(struct elf_page *page, const char *name, uint64_t old, uint64_t new)
{
	elf_page_cell(page, "%s", name);
	elf_page_cell(page, "%s", "");
	elf_page_count(page, old);
	elf_page_count(page, new);
	elf_page_change(page, old, new);
}

static void lay_symbols(struct elf_page *page, const struct elf_result *result)
{
	static const char *const heads[] = {"symbol", "section", "OLD", "NEW", "change"};
	const struct elf_report *r = result->report;
	const struct elf_symbol_totals *s = &r->symbol_totals;
	char grown[FORMAT_SIZE], shrunk[FORMAT_SIZE], added[FORMAT_SIZE], removed[FORMAT_SIZE];
	struct elf_table *t;

	if ((!s->bytes[0] && !s->bytes[1]) || (!r->n_symbols && !result->all))
		return;
	t = elf_page_table(
	    page, 5, "Symbols: %zu grew (+%s), %zu shrank (−%s), %zu new (+%s), %zu gone (−%s)",
	    s->grown, format_count(grown, sizeof(grown), s->grown_bytes), s->shrunk,
	    format_count(shrunk, sizeof(shrunk), s->shrunk_bytes), s->added,
	    format_count(added, sizeof(added), s->added_bytes), s->removed,
	    format_count(removed, sizeof(removed), s->removed_bytes));
	t->name[0] = t->name[1] = true;
	for (size_t i = 0; i < t->n_columns; i++)
		elf_page_cell(page, "%s", heads[i]);
	for (size_t i = 0; i < r->n_symbols; i++) {
		if (result->all || i < ROWS_SHOWN)
			lay_symbol(page, &r->symbols[i]);
		else
			t->left_out++;
	}
	lay_total(page, "all symbols", s->bytes[0], s->bytes[1]);
	lay_total(page, "in no symbol", s->outside[0], s->outside[1]);
}

static void complete(struct elf_page *page)
{
	for (size_t i = 0; i < page->n_tables; i++) {
		struct elf_table *t = &page->tables[i];

		/* Rows that are not whole were cut by a lack of memory. */
		t->n_rows /= t->n_columns;
	}
}

int elf_page_make(struct elf_page *page, const struct elf_result *result)
{
	const struct elf_report *r = result->report;

	*page = (struct elf_page){0};
	elf_page_facts(page, r);
	lay_sizes(page, r);
	lay_sections(page, result);
	lay_symbols(page, result);
	elf_page_code(page, result);
	page->sentence = elf_sentence(r);
	complete(page);
	return page->failed || !page->sentence ? -ENOMEM : 0;
}

void elf_page_release(struct elf_page *page)
{
	for (size_t i = 0; i < page->n_tables; i++) {
		struct elf_table *t = &page->tables[i];

		for (size_t k = 0; k < t->n_rows * t->n_columns; k++)
			free(t->cells[k]);
		free(t->cells);
		free(t->title);
	}
	free(page->tables);
	for (size_t i = 0; i < page->n_notes; i++)
		free(page->notes[i]);
	free(page->notes);
	free(page->sentence);
	*page = (struct elf_page){0};
}
