/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of text in two passes: every row is made and measured, then made again and printed. So a
 * table of a million rows takes the memory of one.
 */
#ifndef ABSTAT_RENDER_TABLE_H
#define ABSTAT_RENDER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define TABLE_COLUMNS 12
#define TABLE_CELL 128

struct table_column {
	bool right;   /* aligned to the right */
	unsigned gap; /* blanks before it, if it is not empty throughout */
	size_t width; /* of the widest cell so far */
	bool dropped; /* not printed: there is no room */
};

struct table {
	FILE *out;
	unsigned flags; /* of text_put() */
	size_t n;
	struct table_column columns[TABLE_COLUMNS];
};

struct table_row {
	char cell[TABLE_COLUMNS][TABLE_CELL]; /* clean text; "" for none */
	const char *color[TABLE_COLUMNS];     /* an escape sequence, or NULL */
};

void table_row_clear(struct table_row *row);

/* Sets a cell from a format, cleaned for TABLE's terminal, and cut if it is far too long. */
void table_set(const struct table *table, struct table_row *row, size_t column, const char *format,
	       ...) __attribute__((format(printf, 4, 5)));

void table_measure(struct table *table, const struct table_row *row);
void table_print(const struct table *table, const struct table_row *row);

/* Columns of the whole line. */
size_t table_width(const struct table *table);

#endif
