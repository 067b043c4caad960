/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat -j: an object a line and an event. "variance" is the spread in percent, and there with
 * -r only. An event that comes again (--append) begins another run.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import-formats.h"
#include "import-number.h"
#include "import-perf.h"

static const char mark[] = "\"counter-value\"";

static bool recognise(const char *text, size_t len)
{
	const char *end = text + len;

	/* Comments ("# started on ...") and blank lines may come first. */
	while (text < end && (*text == '#' || *text == '\n' || *text == '\r')) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		text = newline ? newline + 1 : end;
	}
	if (text == end || *text != '{')
		return false;
	end = memchr(text, '\n', (size_t)(end - text)) ?: end;
	return memmem(text, (size_t)(end - text), mark, sizeof(mark) - 1);
}

struct reader {
	const struct import *in;
	struct import_build build;
	struct perf_notes notes;
	struct perf_repeats repeats;
	size_t line;
};

static const char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* Values are numbers in strings; older and newer versions may write them as numbers. */
static int read_value(struct reader *t, json_t *object, struct perf_row *p)
{
	json_t *value = json_object_get(object, "counter-value");
	const char *s = json_string_value(value), *end = s ? s + strlen(s) : NULL;

	p->value = NAN;
	if (json_is_number(value)) {
		p->value = json_number_value(value);
		return 0;
	}
	p->reason = s ? perf_not_a_value(s, strlen(s)) : NULL_NONE;
	if (p->reason || (s && local_number_parse(s, end, true, &p->value, NULL) == end))
		return 0;
	return import_error(t->in, -EINVAL, "line %zu: 'counter-value' is not a number", t->line);
}

static int add(struct reader *t, json_t *object)
{
	static const char *const places[] = {"cpu",     "core",  "die",    "socket", "node",
					     "cluster", "cache", "thread", "cgroup"};
	json_t *spread = json_object_get(object, "variance");
	json_t *running = json_object_get(object, "pcnt-running");
	char suffix[100] = "";
	struct perf_row p = {.event = text_of(object, "event"),
			     .unit = text_of(object, "unit"),
			     .suffix = suffix,
			     .running = 1,
			     .spread = NAN,
			     .spread_step = 0.01};
	int rc;

	if (!*p.event) /* a row of metrics only */
		return 0;
	if (json_object_get(object, "interval"))
		return import_error(t->in, -EINVAL,
				    "output of perf stat -I: its intervals are not runs");
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !*suffix; i++) {
		const char *place = text_of(object, places[i]);

		if (*place)
			snprintf(suffix, sizeof(suffix), "%s%s",
				 strcmp(places[i], "cpu") ? "" : "CPU", place);
	}
	p.n = spread && t->in->options->runs ? t->in->options->runs : 1;
	rc = read_value(t, object, &p);
	if (rc)
		return rc;
	if (json_is_number(spread))
		p.spread = json_number_value(spread);
	if (json_is_number(running) && !p.reason)
		p.running = json_number_value(running) / 100;
	t->notes.unknown_runs |= spread && !t->in->options->runs;
	t->notes.rounded_spread |= perf_spread_is_rounded(&p);
	return perf_repeats_add(&t->repeats, &t->build, &p);
}

static int read_line(struct reader *t, const char *s, size_t len)
{
	json_error_t error;
	json_t *object;
	int rc;

	while (len && (*s == ' ' || *s == '\t' || *s == '\r'))
		s++, len--;
	if (!len || *s == '#')
		return 0;
	object = json_loadb(s, len, JSON_REJECT_DUPLICATES, &error);
	if (!json_is_object(object)) {
		rc = import_error(t->in, -EINVAL, "line %zu: %s", t->line,
				  object ? "not a JSON object" : error.text);
	} else {
		rc = add(t, object);
	}
	json_decref(object);
	return rc;
}

static int read_all(const struct import *in, struct record *r)
{
	struct reader t = {.in = in};
	const char *s = in->text, *end = in->text + in->len;
	int rc = 0;

	import_build_init(&t.build, in, r);
	perf_repeats_init(&t.repeats);
	while (s < end && !rc) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		const char *stop = newline ? newline : end;

		t.line++;
		rc = read_line(&t, s, (size_t)(stop - s));
		s = newline ? newline + 1 : end;
	}
	if (!rc)
		rc = perf_notes_add(&t.notes, in, r);
	if (!rc)
		rc = import_build_finish(&t.build);
	perf_repeats_release(&t.repeats);
	import_build_release(&t.build);
	return rc;
}

const struct importer import_perf_json = {"perf stat -j", recognise, read_all};
