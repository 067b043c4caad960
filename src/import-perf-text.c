/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text that perf stat prints, today's and that of 2009: a title with the command and the number
 * of runs, then a row an event.
 *
 *    24,344,492,146 cycles                     ( +-   0.051% )  (scaled from 50.45%)
 *              0.51 msec task-clock            #    0.231 CPUs utilized            ( +- 21.73% )
 *           0.00222 +- 0.00102 seconds time elapsed  ( +- 45.87% )
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import-formats.h"
#include "import-number.h"
#include "import-perf.h"

static const char title[] = "Performance counter stats for ";

/* A part of a line, without blanks around it. */
struct span {
	const char *s, *end;
};

static struct span trim(const char *s, const char *end)
{
	while (s < end && isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	return (struct span){s, end};
}

static const char *find(struct span in, const char *what)
{
	return in.end > in.s ? memmem(in.s, (size_t)(in.end - in.s), what, strlen(what)) : NULL;
}

static bool recognise(const char *text, size_t len)
{
	return memmem(text, len, title, sizeof(title) - 1);
}

struct reader {
	const struct import *in;
	struct import_build build;
	struct perf_notes notes;
	long variant; /* -1: no title yet */
	uint32_t row; /* of the variant: a command measured again without -r is one more run */
	uint64_t runs;
	struct title {
		char *name;
		uint64_t runs;
		uint32_t variant, rows;
	} * titles;
	size_t n_titles;
	bool table; /* inside --table's list of single measurements */
};

/* "... for 'make -j2' (100 runs):" */
static int read_title(struct reader *t, struct span line)
{
	struct span rest = {find(line, title) + sizeof(title) - 1, line.end};
	const char *open = memrchr(rest.s, '(', (size_t)(rest.end - rest.s));
	char *end, *name;
	struct title *titles;

	t->runs = 1;
	if (open && find((struct span){open, rest.end}, " runs)")) {
		t->runs = strtoull(open + 1, &end, 10);
		if (!t->runs || t->runs > UINT32_MAX || strncmp(end, " runs)", 6) != 0)
			return import_error(t->in, -EINVAL, "'%.*s' is not a number of runs",
					    (int)strcspn(open, "\n"), open);
		rest.end = open;
	}
	rest = trim(rest.s, rest.end);
	if (rest.end > rest.s && rest.end[-1] == ':')
		rest.end--;
	if (rest.end - rest.s > 1 && *rest.s == '\'' && rest.end[-1] == '\'')
		rest.s++, rest.end--;
	name = strndup(rest.s, (size_t)(rest.end - rest.s));
	if (!name)
		return import_error(t->in, -ENOMEM, "out of memory");
	for (size_t i = 0; i < t->n_titles && t->runs == 1; i++) {
		if (t->titles[i].runs == 1 && !strcmp(t->titles[i].name, name)) {
			free(name);
			t->variant = t->titles[i].variant;
			t->row = t->titles[i].rows++;
			return 0;
		}
	}
	t->variant = import_build_variant(&t->build, *name ? name : "perf stat", name);
	titles = reallocarray(t->titles, t->n_titles + 1, sizeof(*titles));
	if (titles)
		t->titles = titles;
	if (t->variant < 0 || !titles) {
		free(name);
		return t->variant < 0 ? (int)t->variant
				      : import_error(t->in, -ENOMEM, "out of memory");
	}
	titles[t->n_titles++] = (struct title){name, t->runs, (uint32_t)t->variant, 1};
	t->row = 0;
	return 0;
}

/* "( +-   0.051% )": the number, and what its last digit stands for. */
static void read_spread(struct span line, struct perf_row *p)
{
	const char *at = find(line, "( +-"), *end;
	int decimals = 0;

	if (!at) {
		/* perf leaves out a spread that is exactly nothing. */
		p->spread = p->n > 1 ? 0 : NAN;
		return;
	}
	at += 4;
	while (at < line.end && *at == ' ')
		at++;
	end = local_number_parse(at, line.end, true, &p->spread, &decimals);
	if (!end || end == line.end || *end != '%' || p->spread < 0)
		p->spread = NAN;
	p->spread_step = pow(10, -decimals);
}

/* "(50.45%)" or "(scaled from 50.45%)", the last of the line. */
static void read_running(struct span line, struct perf_row *p)
{
	const char *open = memrchr(line.s, '(', (size_t)(line.end - line.s)), *end;
	double percent;

	p->running = 1;
	if (!open || !strncmp(open, "( +-", 4))
		return;
	open++;
	if (!strncmp(open, "scaled from ", 12))
		open += 12;
	end = local_number_parse(open, line.end, true, &percent, NULL);
	if (end && end < line.end && *end == '%' && percent >= 0 && percent <= 100)
		p->running = percent / 100;
}

/* The words between the value and the notes: "msec task-clock", "cycles", "raw 0x4", "seconds time
 * elapsed". */
static bool read_words(struct span words, char *unit, char *event, size_t size)
{
	static const char *const known_units[] = {"msec", "ns",  "usec",  "sec", "Joules", "MiB",
						  "GiB",  "KiB", "Bytes", "MB",  "GB",     "Watts",
						  "C",    "Hz",  "MHz",   "GHz", "mW",     "uW"};
	size_t len = (size_t)(words.end - words.s), first = 0;

	*unit = '\0';
	if (!len || len >= size || memchr(words.s, '\0', len))
		return false;
	while (first < len && !isspace((unsigned char)words.s[first]))
		first++;
	for (size_t i = 0; i < sizeof(known_units) / sizeof(known_units[0]) && first < len; i++) {
		if (strlen(known_units[i]) != first || memcmp(known_units[i], words.s, first) != 0)
			continue;
		snprintf(unit, size, "%s", known_units[i]);
		words = trim(words.s + first, words.end);
		break;
	}
	snprintf(event, size, "%.*s", (int)(words.end - words.s), words.s);
	return isalpha((unsigned char)*event) || *event == '{' || *event == '_';
}

/* True if P is filled from LINE, whose value begins at S. */
static bool read_row(struct span line, const char *s, uint64_t n, struct perf_row *p, char *unit,
		     char *event, size_t size)
{
	/* Times and the like are printed with a fraction, counts never are. */
	bool fraction = find(line, " seconds ") || find(line, " msec ");
	const char *end;
	struct span words = {NULL, line.end};

	*p = (struct perf_row){.event = event, .unit = unit, .suffix = "", .n = n, .running = 1};
	p->reason = perf_not_a_value(s, (size_t)(line.end - s));
	if (p->reason) {
		p->value = p->spread = NAN;
		words.s = (const char *)memchr(s, '>', (size_t)(line.end - s)) + 1;
	} else {
		words.s = local_number_parse(s, line.end, fraction, &p->value, NULL);
		if (!words.s)
			return false;
		read_spread(line, p);
		read_running(line, p);
	}
	words = trim(words.s, words.end);
	if (words.end - words.s > 3 && !memcmp(words.s, "+- ", 3)) {
		words = trim(words.s + 3, words.end);
		end = local_number_parse(words.s, words.end, true, &(double){0}, NULL);
		if (!end)
			return false;
		words = trim(end, words.end);
	}
	for (end = words.s; end < words.end && *end != '#' && *end != '('; end++)
		;
	return read_words(trim(words.s, end), unit, event, size);
}

static int read_line(struct reader *t, struct span line)
{
	char unit[300], event[300], suffix[40] = "";
	struct perf_row row;
	const char *s = line.s;

	if (find(line, title))
		return read_title(t, line);
	if (line.s == line.end)
		return 0;
	if (find(line, "Table of individual measurements") || find(line, "Final result"))
		t->table = !find(line, "Final result");
	if (*line.s == '#' || t->variant < 0 || t->table) {
		if (find(line, "time") && find(line, "counts") && find(line, "unit events"))
			return import_error(t->in, -EINVAL,
					    "output of perf stat -I: its intervals are not runs");
		return 0;
	}
	/* "CPU0", "S0-D0-C1   1": what -A and its relatives put first. */
	if (isupper((unsigned char)*s)) {
		size_t len = strcspn(s, " \t\n");

		if (len < sizeof(suffix) && s + len < line.end && len >= 2 &&
		    isdigit((unsigned char)s[len - 1])) {
			snprintf(suffix, sizeof(suffix), "%.*s", (int)len, s);
			s = trim(s + len, line.end).s;
			/* But for CPUs, the number of CPUs that were added up follows. */
			if (strncmp(suffix, "CPU", 3) != 0)
				s = trim(s + strspn(s, "0123456789"), line.end).s;
		}
	}
	if (!read_row(line, s, t->runs, &row, unit, event, sizeof(event))) {
		t->notes.unread_lines++;
		return 0;
	}
	row.suffix = suffix;
	t->notes.rounded_spread |= perf_spread_is_rounded(&row);
	return perf_row_add(&t->build, (uint32_t)t->variant, t->row, &row);
}

static int read_all(const struct import *in, struct record *r)
{
	struct reader t = {.in = in, .variant = -1};
	const char *s = in->text, *end = in->text + in->len;
	int rc = 0;

	import_build_init(&t.build, in, r);
	while (s < end && !rc) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		const char *stop = newline ? newline : end;

		rc = read_line(&t, trim(s, stop));
		s = newline ? newline + 1 : end;
	}
	if (!rc)
		rc = perf_notes_add(&t.notes, in, r);
	if (!rc)
		rc = import_build_finish(&t.build);
	for (size_t i = 0; i < t.n_titles; i++)
		free(t.titles[i].name);
	free(t.titles);
	import_build_release(&t.build);
	return rc;
}

const struct importer import_perf_text = {"perf stat", recognise, read_all};
