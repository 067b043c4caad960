/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of text in two passes. */
#include "render-table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define COLOR_OFF "\033[0m"

void table_row_clear(struct table_row *row)
{
	for (size_t i = 0; i < TABLE_COLUMNS; i++) {
		row->cell[i][0] = '\0';
		row->color[i] = NULL;
	}
}

void table_set(const struct table *table, struct table_row *row, size_t column, const char *format,
	       ...)
{
	char raw[TABLE_CELL];
	char *clean;
	va_list args;

	va_start(args, format);
	vsnprintf(raw, sizeof(raw), format, args);
	va_end(args);
	clean = text_clean(raw, table->flags);
	snprintf(row->cell[column], TABLE_CELL, "%s", clean ? clean : "?");
	free(clean);
}

void table_measure(struct table *table, const struct table_row *row)
{
	for (size_t i = 0; i < table->n; i++) {
		size_t width = text_width(row->cell[i]);

		if (width > table->columns[i].width)
			table->columns[i].width = width;
	}
}

static void put_blanks(FILE *out, size_t n)
{
	for (; n; n--)
		fputc(' ', out);
}

void table_print(const struct table *table, const struct table_row *row)
{
	size_t pending = 0; /* blanks that are owed, and never printed at the end of a line */

	for (size_t i = 0; i < table->n; i++) {
		const struct table_column *c = &table->columns[i];
		size_t width = text_width(row->cell[i]);

		if (c->dropped || !c->width)
			continue;
		pending += c->gap;
		if (!width) {
			pending += c->width;
			continue;
		}
		put_blanks(table->out, pending + (c->right ? c->width - width : 0));
		if (row->color[i])
			fputs(row->color[i], table->out);
		fputs(row->cell[i], table->out);
		if (row->color[i])
			fputs(COLOR_OFF, table->out);
		pending = c->right ? 0 : c->width - width;
	}
	fputc('\n', table->out);
}

size_t table_width(const struct table *table)
{
	size_t width = 0;

	for (size_t i = 0; i < table->n; i++)
		if (table->columns[i].width && !table->columns[i].dropped)
			width += table->columns[i].gap + table->columns[i].width;
	return width;
}
