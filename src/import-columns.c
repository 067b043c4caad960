/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain columns of numbers, as ministat reads them: a line a run, fields separated by blanks, tabs,
 * commas or semicolons, comments behind '#'. The names of the columns are a first line that holds
 * words, or the last comment before the numbers that has as many words as there are columns; else
 * their numbers.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import-build.h"
#include "import-formats.h"
#include "number.h"

enum { MAX_COLUMNS = 1000 };

struct span {
	const char *s, *end;
};

struct reader {
	const struct import *in;
	struct import_build build;
	const char *at, *end;
	size_t line;
	const char *blanks; /* what separates fields */
	struct span names[MAX_COLUMNS];
	size_t n_names;
	struct span fields[MAX_COLUMNS];
	size_t n_columns;
	long metric[MAX_COLUMNS]; /* -1: the column was not asked for */
	uint32_t rows;
};

/* Cuts a line into fields. Blanks count as one, commas and semicolons do not. -1: too many. */
static long cut(struct span line, const char *blanks, struct span *fields)
{
	bool strict = *blanks == ',' || *blanks == ';';
	size_t n = 0;

	while (line.s < line.end) {
		struct span f;

		while (line.s < line.end && isspace((unsigned char)*line.s))
			line.s++;
		if (line.s == line.end && !strict)
			break;
		f.s = line.s;
		while (line.s < line.end &&
		       !(strict ? *line.s == *blanks : isspace((unsigned char)*line.s)))
			line.s++;
		f.end = line.s;
		while (f.end > f.s && isspace((unsigned char)f.end[-1]))
			f.end--;
		if (f.end - f.s > 1 && *f.s == '"' && f.end[-1] == '"')
			f.s++, f.end--;
		if (n == MAX_COLUMNS)
			return -1;
		fields[n++] = f;
		line.s += line.s < line.end;
	}
	return (long)n;
}

static bool number_of(struct span f, double *value)
{
	return f.s < f.end && number_parse(f.s, f.end, value) == f.end;
}

/* The next line with something before its '#'; comments on the way are given to NAMES. */
static bool next_line(struct reader *t, struct span *line)
{
	while (t->at < t->end) {
		const char *newline = memchr(t->at, '\n', (size_t)(t->end - t->at)), *hash;

		*line = (struct span){t->at, newline ? newline : t->end};
		t->at = newline ? newline + 1 : t->end;
		t->line++;
		hash = memchr(line->s, '#', (size_t)(line->end - line->s));
		if (hash && hash == line->s && !t->n_columns) {
			long n = cut((struct span){hash + 1, line->end}, " ", t->fields);

			if (n > 0) {
				memcpy(t->names, t->fields, (size_t)n * sizeof(*t->names));
				t->n_names = (size_t)n;
			}
		}
		if (hash)
			line->end = hash;
		while (line->s < line->end && isspace((unsigned char)*line->s))
			line->s++;
		while (line->end > line->s && isspace((unsigned char)line->end[-1]))
			line->end--;
		if (line->s < line->end)
			return true;
	}
	return false;
}

static const char *separator_of(struct span line)
{
	size_t len = (size_t)(line.end - line.s);

	return memchr(line.s, ';', len) ? ";" : memchr(line.s, ',', len) ? "," : " ";
}

static size_t count_numbers(const struct span *fields, size_t n)
{
	size_t numbers = 0;
	double value;

	for (size_t i = 0; i < n; i++)
		numbers += number_of(fields[i], &value);
	return numbers;
}

/* Reads up to the first line of numbers, which LINE holds then, cut into t->fields. 0 or -errno
 * with a message. */
static int read_head(struct reader *t, struct span *line)
{
	bool header = false;

	while (next_line(t, line)) {
		long n;

		t->blanks = separator_of(*line);
		n = cut(*line, t->blanks, t->fields);
		if (n < 0)
			return import_error(t->in, -E2BIG, "line %zu: more than %d columns",
					    t->line, MAX_COLUMNS);
		if (count_numbers(t->fields, (size_t)n)) {
			t->n_columns = (size_t)n;
			if (t->n_names != t->n_columns)
				t->n_names = 0;
			return 0;
		}
		if (header)
			return import_error(t->in, -EINVAL, "line %zu: no numbers in it", t->line);
		header = true;
		memcpy(t->names, t->fields, (size_t)n * sizeof(*t->names));
		t->n_names = (size_t)n;
	}
	return import_error(t->in, -ENODATA, "there are no numbers in it");
}

/* True if --column asks for column I (from 0) called NAME. */
static bool wanted(const char *list, size_t i, const char *name)
{
	char number[24];

	snprintf(number, sizeof(number), "%zu", i + 1);
	for (const char *s = list; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL) {
		size_t len = strcspn(s, ",");

		if ((strlen(name) == len && !memcmp(s, name, len)) ||
		    (strlen(number) == len && !memcmp(s, number, len)))
			return true;
	}
	return !list;
}

static int choose_columns(struct reader *t)
{
	const char *list = t->in->options->column;
	size_t chosen = 0;

	for (size_t i = 0; i < t->n_columns; i++) {
		char name[200];
		double value;

		if (i < t->n_names && t->names[i].s < t->names[i].end)
			snprintf(name, sizeof(name), "%.*s", (int)(t->names[i].end - t->names[i].s),
				 t->names[i].s);
		else if (t->n_columns == 1)
			snprintf(name, sizeof(name), "value");
		else
			snprintf(name, sizeof(name), "%zu", i + 1);
		t->metric[i] = -1;
		/* Unless asked for, a column of words is passed over. */
		if (!wanted(list, i, name) || (!list && !number_of(t->fields[i], &value)))
			continue;
		t->metric[i] = import_build_metric(&t->build, name, NULL, "", DIRECTION_LOWER);
		if (t->metric[i] < 0)
			return (int)t->metric[i];
		chosen++;
	}
	if (!chosen)
		return import_error(t->in, -EINVAL, "there is no column '%s' in it",
				    list ? list : "");
	return 0;
}

static int add_row(struct reader *t, size_t n)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		struct import_cell cell = {.row = t->rows, .n = 1, .sd = NAN, .running = 1};
		int rc;

		if (t->metric[i] < 0)
			continue;
		if (i >= n || !number_of(t->fields[i], &cell.value)) {
			int len = i < n ? (int)(t->fields[i].end - t->fields[i].s) : 0;

			return import_error(
			    t->in, -EINVAL, "line %zu: column %zu: '%.*s' is not a number", t->line,
			    i + 1, len > 40 ? 40 : len, i < n ? t->fields[i].s : "");
		}
		cell.metric = (uint32_t)t->metric[i];
		rc = import_build_cell(&t->build, &cell);
		if (rc)
			return rc;
	}
	if (++t->rows == UINT32_MAX)
		return import_error(t->in, -E2BIG, "too many lines");
	return 0;
}

static int read_rows(struct reader *t)
{
	struct span line;
	long n;
	int rc = read_head(t, &line);

	if (!rc)
		rc = choose_columns(t);
	if (!rc && import_build_variant(&t->build, "data", NULL) < 0)
		rc = -ENOMEM;
	for (n = (long)t->n_columns; !rc; n = cut(line, t->blanks, t->fields)) {
		rc = n < 0 ? import_error(t->in, -E2BIG, "line %zu: more than %d columns", t->line,
					  MAX_COLUMNS)
			   : add_row(t, (size_t)n);
		if (!rc && !next_line(t, &line))
			break;
	}
	return rc ? rc : import_build_finish(&t->build);
}

static bool recognise(const char *text, size_t len)
{
	struct reader *t = calloc(1, sizeof(*t));
	struct import in = {.err = (char[1]){0}, .err_size = 1, .name = ""};
	struct span line;
	bool found;

	if (!t)
		return false;
	*t = (struct reader){.in = &in, .at = text, .end = text + len};
	found = !memchr(text, '\0', len) && !read_head(t, &line);
	free(t);
	return found;
}

static int read_all(const struct import *in, struct record *r)
{
	struct reader *t = calloc(1, sizeof(*t));
	int rc;

	if (!t)
		return import_error(in, -ENOMEM, "out of memory");
	t->in = in;
	t->at = in->text;
	t->end = in->text + in->len;
	import_build_init(&t->build, in, r);
	rc = read_rows(t);
	import_build_release(&t->build);
	free(t);
	return rc;
}

const struct importer import_columns = {"columns", recognise, read_all};
