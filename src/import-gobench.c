/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of Go's benchmarks: a line a run of a benchmark, its iterations, and pairs of a number
 * and its unit.
 *
 *    BenchmarkDecode/small-8   	 1000000	      1053 ns/op	      16 B/op
 *
 * What comes several times (-count) are several runs.
 */
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import-build.h"
#include "import-formats.h"
#include "number.h"

static const char prefix[] = "Benchmark";
enum { MAX_WORD = 400 };

struct span {
	const char *s, *end;
};

static bool next_word(struct span *line, struct span *word)
{
	while (line->s < line->end && isspace((unsigned char)*line->s))
		line->s++;
	word->s = line->s;
	while (line->s < line->end && !isspace((unsigned char)*line->s))
		line->s++;
	word->end = line->s;
	return word->end > word->s;
}

static bool begins(struct span s, const char *with)
{
	size_t len = strlen(with);

	return (size_t)(s.end - s.s) >= len && !memcmp(s.s, with, len);
}

/* A name and a whole number of iterations; the rest of the line is left. */
static bool benchmark_line(struct span *line, struct span *name, uint64_t *iterations)
{
	struct span word;

	return next_word(line, name) && begins(*name, prefix) &&
	       name->end - name->s > (long)sizeof(prefix) - 1 && name->end - name->s < MAX_WORD &&
	       next_word(line, &word) && number_parse_u64(word.s, word.end, iterations) == word.end;
}

static bool next_line(const char **at, const char *end, struct span *line)
{
	const char *newline;

	if (*at >= end)
		return false;
	newline = memchr(*at, '\n', (size_t)(end - *at));
	*line = (struct span){*at, newline ? newline : end};
	*at = newline ? newline + 1 : end;
	return true;
}

static bool recognise(const char *text, size_t len)
{
	const char *at = text;
	struct span line, name;
	uint64_t iterations;

	while (next_line(&at, text + len, &line))
		if (begins(line, prefix) && benchmark_line(&line, &name, &iterations))
			return true;
	return false;
}

struct reader {
	const struct import *in;
	struct import_build build;
	json_t *seen; /* of each metric, how many values came */
	bool several_packages;
	char package[MAX_WORD];
};

static enum direction direction_of(const char *unit)
{
	size_t len = strlen(unit);

	if (len > 3 && !strcmp(unit + len - 3, "/op"))
		return DIRECTION_LOWER;
	if (len > 2 && !strcmp(unit + len - 2, "/s"))
		return DIRECTION_HIGHER;
	return DIRECTION_NEUTRAL;
}

static int add(struct reader *t, struct span name, double value, struct span unit_span)
{
	char unit[MAX_WORD], base[2 * MAX_WORD + 2], full[3 * MAX_WORD + 4];
	json_int_t row;
	long metric;

	name.s += sizeof(prefix) - 1;
	snprintf(unit, sizeof(unit), "%.*s", (int)(unit_span.end - unit_span.s), unit_span.s);
	snprintf(base, sizeof(base), "%s%s%.*s", t->several_packages ? t->package : "",
		 t->several_packages && *t->package ? "." : "", (int)(name.end - name.s), name.s);
	snprintf(full, sizeof(full), "%s %s", base, unit);
	metric = import_build_metric(&t->build, full, strcmp(unit, "ns/op") ? full : base, unit,
				     direction_of(unit));
	if (metric < 0)
		return (int)metric;
	row = json_integer_value(json_object_get(t->seen, full));
	if (row >= UINT32_MAX || json_object_set_new_nocheck(t->seen, full, json_integer(row + 1)))
		return import_error(t->in, -ENOMEM, "out of memory");
	return import_build_cell(&t->build, &(struct import_cell){.metric = (uint32_t)metric,
								  .row = (uint32_t)row,
								  .n = 1,
								  .value = value,
								  .sd = NAN,
								  .running = 1});
}

static int read_line(struct reader *t, struct span line)
{
	struct span name, number, unit;
	uint64_t iterations;

	if (begins(line, "pkg: ")) {
		snprintf(t->package, sizeof(t->package), "%.*s",
			 (int)strcspn(line.s + 5, " \t\r\n"), line.s + 5);
		return 0;
	}
	if (!begins(line, prefix) || !benchmark_line(&line, &name, &iterations))
		return 0;
	while (next_word(&line, &number)) {
		double value;
		int rc;

		if (number_parse(number.s, number.end, &value) != number.end ||
		    !next_word(&line, &unit) || unit.end - unit.s >= MAX_WORD)
			return import_error(
			    t->in, -EINVAL, "%.*s: expected a number and its unit at '%.*s'",
			    (int)(name.end - name.s), name.s,
			    (int)(number.end - number.s > 40 ? 40 : number.end - number.s),
			    number.s);
		rc = add(t, name, value, unit);
		if (rc)
			return rc;
	}
	return 0;
}

/* Names are told apart by their package only where there are several. */
static bool has_several_packages(const char *text, size_t len)
{
	const char *at = text;
	struct span line, first = {NULL, NULL};

	while (next_line(&at, text + len, &line)) {
		if (!begins(line, "pkg: "))
			continue;
		if (first.s && (first.end - first.s != line.end - line.s ||
				memcmp(first.s, line.s, (size_t)(line.end - line.s)) != 0))
			return true;
		first = line;
	}
	return false;
}

static int read_all(const struct import *in, struct record *r)
{
	struct reader t = {.in = in,
			   .seen = json_object(),
			   .several_packages = has_several_packages(in->text, in->len)};
	const char *at = in->text;
	struct span line;
	int rc = 0;

	import_build_init(&t.build, in, r);
	if (import_build_variant(&t.build, "go", NULL) < 0)
		rc = -ENOMEM;
	while (!rc && next_line(&at, in->text + in->len, &line))
		rc = read_line(&t, line);
	if (!rc)
		rc = import_build_finish(&t.build);
	import_build_release(&t.build);
	json_decref(t.seen);
	return rc;
}

const struct importer import_gobench = {"go test -bench", recognise, read_all};
