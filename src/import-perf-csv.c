/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat -x: fields without a header.
 *
 *    [where[,cpus],]value,unit,event,[spread%,]time running,percent running,metric,metric's unit
 *
 * The spread is there with -r only; how many runs there were is not said anywhere. An event that
 * comes again (--append) begins another run.
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

enum { MAX_FIELDS = 16, MAX_LINE = 2000 };

/* A line, cut into its fields in a copy. */
struct fields {
	char copy[MAX_LINE];
	char *v[MAX_FIELDS];
	size_t n;
	size_t value; /* which one is the value */
};

static bool is_value(const char *s)
{
	double value;
	const char *end = local_number_parse(s, s + strlen(s), true, &value, NULL);

	return (end && !*end) || perf_not_a_value(s, strlen(s));
}

static bool is_event(const char *s)
{
	return isalpha((unsigned char)*s) || *s == '_' || *s == '{';
}

static bool is_plain_number(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s);
}

/* Cuts [S, END) at SEPARATOR. An event such as cpu/event=0x3c,umask=0/ may hold the separator
 * itself. */
static bool cut(struct fields *f, const char *s, const char *end, char separator)
{
	size_t len = (size_t)(end - s);
	bool slash = false;

	if (len >= MAX_LINE || memchr(s, '\0', len))
		return false;
	memcpy(f->copy, s, len);
	f->copy[len] = '\0';
	f->n = 0;
	f->v[f->n++] = f->copy;
	for (char *at = f->copy; *at; at++) {
		if (*at == '/' && is_event(f->v[f->n - 1]))
			slash = !slash;
		if (*at != separator || slash)
			continue;
		*at = '\0';
		if (f->n == MAX_FIELDS)
			return false;
		f->v[f->n++] = at + 1;
	}
	return true;
}

/* Finds the value: value, unit, event, and behind them a time. */
static bool understand(struct fields *f)
{
	for (f->value = 0; f->value < 3 && f->value + 4 < f->n; f->value++) {
		char *const *v = &f->v[f->value];
		bool spread = strchr(v[3], '%');

		if (is_value(v[0]) && is_event(v[2]) && !strchr(v[1], '%') &&
		    is_plain_number(v[3 + spread]))
			return true;
	}
	return false;
}

static bool split(struct fields *f, const char *s, const char *end)
{
	static const char separators[] = ",;\t|:! ";

	for (const char *c = separators; *c; c++)
		if (cut(f, s, end, *c) && understand(f))
			return true;
	return false;
}

/* The next line that is neither empty nor a comment. */
static bool next_line(const char **at, const char *end, const char **s, const char **stop)
{
	while (*at < end) {
		const char *newline = memchr(*at, '\n', (size_t)(end - *at));

		*s = *at;
		*stop = newline ? newline : end;
		*at = newline ? newline + 1 : end;
		if (*stop > *s && (*stop)[-1] == '\r')
			(*stop)--;
		if (*stop > *s && **s != '#')
			return true;
	}
	return false;
}

static bool recognise(const char *text, size_t len)
{
	const char *at = text, *s, *stop;
	struct fields f;

	return next_line(&at, text + len, &s, &stop) && split(&f, s, stop);
}

struct reader {
	struct import_build build;
	struct perf_notes notes;
	struct perf_repeats repeats;
};

static int add(struct reader *t, const struct import *in, struct fields *f)
{
	char *const *v = &f->v[f->value];
	bool spread = strchr(v[3], '%');
	struct perf_row p = {
	    .event = v[2], .unit = v[1], .suffix = f->value ? f->v[0] : "", .spread = NAN};
	int decimals = 0;
	double percent = 100;
	const char *end = v[3] + strlen(v[3]);

	p.n = spread && in->options->runs ? in->options->runs : 1;
	p.reason = perf_not_a_value(v[0], strlen(v[0]));
	p.value = NAN;
	if (!p.reason)
		local_number_parse(v[0], v[0] + strlen(v[0]), true, &p.value, NULL);
	if (spread && !local_number_parse(v[3], end, true, &p.spread, &decimals))
		p.spread = NAN;
	p.spread_step = pow(10, -decimals);
	if (3 + (size_t)spread + 1 + f->value < f->n) {
		const char *s = v[4 + spread];

		if (!local_number_parse(s, s + strlen(s), true, &percent, NULL))
			percent = 100;
	}
	p.running = p.reason ? 1 : percent / 100;
	t->notes.unknown_runs |= spread && !in->options->runs;
	t->notes.rounded_spread |= perf_spread_is_rounded(&p);
	return perf_repeats_add(&t->repeats, &t->build, &p);
}

static int read_all(const struct import *in, struct record *r)
{
	struct reader t = {0};
	const char *at = in->text, *s, *stop;
	struct fields f;
	int rc = 0;

	import_build_init(&t.build, in, r);
	perf_repeats_init(&t.repeats);
	while (!rc && next_line(&at, in->text + in->len, &s, &stop)) {
		if (split(&f, s, stop))
			rc = add(&t, in, &f);
		else
			t.notes.unread_lines++;
	}
	if (!rc)
		rc = perf_notes_add(&t.notes, in, r);
	if (!rc)
		rc = import_build_finish(&t.build);
	perf_repeats_release(&t.repeats);
	import_build_release(&t.build);
	return rc;
}

const struct importer import_perf_csv = {"perf stat -x", recognise, read_all};
