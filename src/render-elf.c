/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between two binaries, as text and as Markdown. */
#include "render-elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "render-text.h"
#include "text.h"

enum { TEXT_WIDTH = 100, TEXT_LEAST_WIDTH = 60, COLUMN_GAP = 2, NAME_WIDTH = 56, NAME_TAIL = 16 };

output_renderer *render_elf_find(const char *format)
{
	static const struct {
		const char *name;
		output_renderer *render;
	} formats[] = {
	    {"text", render_elf_text},
	    {"json", render_elf_json},
	    {"csv", render_elf_csv},
	    {"markdown", render_elf_markdown},
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i].name, format))
			return formats[i].render;
	return render_elf_text;
}

/* A cell as it is printed: a long name in the middle of a row loses its middle. */
static char *text_cell(const struct text_page *page, const char *cell, bool cut)
{
	char *clean = text_clean(cell, page->flags);
	size_t len = clean ? strlen(clean) : 0;

	if (cut && len > NAME_WIDTH && text_width(clean) == len)
		memmove(stpcpy(clean + NAME_WIDTH - NAME_TAIL - 3, "..."), clean + len - NAME_TAIL,
			NAME_TAIL + 1);
	return clean;
}

static size_t cell_width(const struct text_page *page, const char *cell, bool cut)
{
	char *clean = text_cell(page, cell, cut);
	size_t width = clean ? text_width(clean) : 0;

	free(clean);
	return width;
}

/* The last column has room for all of it. */
static bool is_cut(const struct elf_table *t, size_t column, bool last)
{
	return t->name[column] && (t->beside || !last);
}

static void put_text_cell(const struct text_page *page, char *clean, size_t width, bool left,
			  bool last)
{
	size_t used = clean ? text_width(clean) : 0, blanks = used < width ? width - used : 0;

	if (!left)
		fprintf(page->out, "%*s", (int)blanks, "");
	fputs(clean ? clean : "?", page->out);
	if (left && !last)
		fprintf(page->out, "%*s", (int)blanks, "");
	free(clean);
}

/* Up to the last cell that holds something, so that no line ends in blanks. */
static size_t used_columns(char *const *row, size_t n)
{
	while (n && !*row[n - 1])
		n--;
	return n;
}

static void put_text_table(const struct text_page *page, const struct elf_table *t)
{
	size_t width[ELF_COLUMNS] = {0};

	for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
		size_t column = i % t->n_columns;
		size_t w =
		    cell_width(page, t->cells[i], is_cut(t, column, column + 1 == t->n_columns));

		if (w > width[i % t->n_columns])
			width[i % t->n_columns] = w;
	}
	fputc('\n', page->out);
	text_paragraph(page, " ", t->title);
	for (size_t row = 0; row < t->n_rows; row++) {
		char *const *cells = &t->cells[row * t->n_columns];
		size_t used = used_columns(cells, t->n_columns);

		fputs("  ", page->out);
		for (size_t i = 0; i < used; i++) {
			if (!width[i])
				continue;
			fprintf(page->out, "%*s", i ? COLUMN_GAP : 1, "");
			put_text_cell(page, text_cell(page, cells[i], is_cut(t, i, i + 1 == used)),
				      width[i], t->name[i], i + 1 == used);
		}
		fputc('\n', page->out);
	}
	if (t->left_out)
		fprintf(page->out, "   ... and %zu more: -v shows all\n", t->left_out);
}

int render_elf_text(const void *what, const struct render_options *options, FILE *out)
{
	struct text_page page = {
	    .out = out,
	    .options = options,
	    .flags = options->utf8 ? TEXT_UTF8 : 0,
	    .width = options->width > 0 ? (size_t)options->width : TEXT_WIDTH,
	};
	struct elf_page p;
	int r = elf_page_make(&p, what);

	if (page.width < TEXT_LEAST_WIDTH)
		page.width = TEXT_LEAST_WIDTH;
	for (size_t i = 0; !r && i < p.n_tables; i++)
		put_text_table(&page, &p.tables[i]);
	if (!r && p.n_notes)
		fputc('\n', out);
	for (size_t i = 0; !r && i < p.n_notes; i++)
		text_paragraph(&page, " note: ", p.notes[i]);
	if (!r) {
		fputc('\n', out);
		text_paragraph(&page, " ", p.sentence);
		fputc('\n', out);
	}
	elf_page_release(&p);
	return r ? r : render_finish(out);
}

/* What Markdown or HTML would take for markup is escaped; names are code. */
static void put_markdown(FILE *out, const char *text, bool code, unsigned flags)
{
	char *clean = text_clean(text, flags);
	/* A backtick ends a code span, so such a name is plain text. */
	bool span = code && clean && *clean && !strchr(clean, '`');

	if (span)
		fputc('`', out);
	for (const char *p = clean ? clean : "?"; *p; p++) {
		if (*p == '<' && !span) {
			fputs("&lt;", out);
			continue;
		}
		if (*p == '|' || (!span && strchr("\\`*_[]#~!&", *p)))
			fputc('\\', out);
		fputc(*p, out);
	}
	if (span)
		fputc('`', out);
	free(clean);
}

static void put_markdown_table(FILE *out, const struct elf_table *t, unsigned flags)
{
	fputs("\n**", out);
	put_markdown(out, t->title, false, flags);
	fputs("**\n\n", out);
	for (size_t row = 0; row < t->n_rows; row++) {
		fputc('|', out);
		for (size_t i = 0; i < t->n_columns; i++) {
			fputc(' ', out);
			put_markdown(out, t->cells[row * t->n_columns + i], row && t->name[i],
				     flags);
			fputs(" |", out);
		}
		fputc('\n', out);
		if (row)
			continue;
		fputc('|', out);
		for (size_t i = 0; i < t->n_columns; i++)
			fputs(t->name[i] ? "---|" : "--:|", out);
		fputc('\n', out);
	}
	if (t->left_out)
		fprintf(out, "\n... and %zu more.\n", t->left_out);
}

int render_elf_markdown(const void *what, const struct render_options *options, FILE *out)
{
	unsigned flags = options->utf8 ? TEXT_UTF8 : 0;
	struct elf_page p;
	int r = elf_page_make(&p, what);

	for (size_t i = 0; !r && i < p.n_tables; i++)
		put_markdown_table(out, &p.tables[i], flags);
	for (size_t i = 0; !r && i < p.n_notes; i++) {
		fputc('\n', out);
		put_markdown(out, p.notes[i], false, flags);
		fputc('\n', out);
	}
	if (!r) {
		fputc('\n', out);
		put_markdown(out, p.sentence, false, flags);
		fputc('\n', out);
	}
	elf_page_release(&p);
	return r ? r : render_finish(out);
}
