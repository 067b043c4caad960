/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf stat's events under our names, and its "+-" as a standard deviation. */
#include "import-perf.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Names of rows, old and new, that are called otherwise here; the unit is what the value times
 * SCALE is in. */
static const struct {
	const char *perf, *name, *unit;
	double scale;
} names[] = {
    {"seconds time elapsed", "duration_time", "ns", 1e9},
    {"seconds user", "user_time", "ns", 1e9},
    {"seconds sys", "system_time", "ns", 1e9},
    {"duration_time", "duration_time", "ns", 1},
    {"user_time", "user_time", "ns", 1},
    {"system_time", "system_time", "ns", 1},
    {"task-clock-msecs", "task-clock", "ns", 1e6},
    {"cpu-clock-msecs", "cpu-clock", "ns", 1e6},
    {"CPU-migrations", "cpu-migrations", "", 1},
    {"pagefaults", "page-faults", "", 1},
    {"context switches", "context-switches", "", 1},
    {"cache references", "cache-references", "", 1},
    {"cache misses", "cache-misses", "", 1},
};

static const struct {
	const char *perf, *unit;
	double scale;
} units[] = {
    {"msec", "ns", 1e6}, {"ns", "ns", 1},        {"usec", "ns", 1e3},
    {"sec", "ns", 1e9},  {"seconds", "ns", 1e9}, {"Bytes", "bytes", 1},
};

enum null_reason perf_not_a_value(const char *text, size_t len)
{
	if (len >= 13 && !memcmp(text, "<not counted>", 13))
		return NULL_NOT_COUNTED;
	if (len >= 15 && !memcmp(text, "<not supported>", 15))
		return NULL_NOT_SUPPORTED;
	return NULL_NONE;
}

bool perf_spread_is_rounded(const struct perf_row *p)
{
	return p->n != 1 && p->spread == 0 && p->spread_step > 0 && p->value != 0 && !p->reason;
}

/*
 * "+-" is the standard error of the mean, in percent of the mean. Of n values it stands for a
 * deviation of mean × pct ÷ 100 × √n. A printed 0.00% may be as much as half of its last digit, and
 * is taken as that: a deviation of nothing would turn any difference into a certain one.
 */
static double deviation(const struct perf_row *p)
{
	double spread = perf_spread_is_rounded(p) ? p->spread_step / 2 : p->spread;

	if (p->n < 2 || p->reason)
		return NAN;
	return fabs(p->value) * spread / 100 * sqrt((double)p->n);
}

/* "raw 0x1a8" is r1a8. False if EVENT is not of that kind. */
static bool raw_name(const char *event, char *name, size_t size)
{
	char *end;
	unsigned long long config;

	if (strncmp(event, "raw ", 4) != 0)
		return false;
	event += 4 + strspn(event + 4, " ");
	if (strncmp(event, "0x", 2) != 0 || !isxdigit((unsigned char)event[2]))
		return false;
	errno = 0;
	config = strtoull(event, &end, 16);
	if (errno || *end)
		return false;
	snprintf(name, size, "r%llx", config);
	return true;
}

int perf_row_add(struct import_build *b, uint32_t variant, uint32_t row, const struct perf_row *p)
{
	char raw[32], *suffixed = NULL;
	const char *name = raw_name(p->event, raw, sizeof(raw)) ? raw : p->event, *unit = p->unit;
	double scale = 1;
	long metric;

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!strcmp(units[i].perf, p->unit)) {
			unit = units[i].unit;
			scale = units[i].scale;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(names[i].perf, name)) {
			name = names[i].name;
			if (!*p->unit) {
				unit = names[i].unit;
				scale = names[i].scale;
			}
			break;
		}
	}
	if (*p->suffix && asprintf(&suffixed, "%s/%s", p->suffix, name) < 0)
		return import_error(b->in, -ENOMEM, "out of memory");
	metric = import_build_metric(b, suffixed ? suffixed : name, suffixed ? name : NULL, unit,
				     metric_direction_of(name));
	free(suffixed);
	if (metric < 0)
		return (int)metric;
	return import_build_cell(b, &(struct import_cell){.variant = variant,
							  .metric = (uint32_t)metric,
							  .row = row,
							  .n = p->n,
							  .value = p->value * scale,
							  .sd = deviation(p) * scale,
							  .running = p->running,
							  .reason = p->reason});
}

void perf_repeats_init(struct perf_repeats *repeats)
{
	repeats->seen = json_object();
}

void perf_repeats_release(struct perf_repeats *repeats)
{
	json_decref(repeats->seen);
}

int perf_repeats_add(struct perf_repeats *repeats, struct import_build *b, const struct perf_row *p)
{
	json_int_t times;
	char *key;
	int rc;

	if (asprintf(&key, "%s@%s", p->event, p->suffix) < 0)
		return import_error(b->in, -ENOMEM, "out of memory");
	times = json_integer_value(json_object_get(repeats->seen, key));
	rc = json_object_set_new_nocheck(repeats->seen, key, json_integer(times + 1));
	free(key);
	if (rc)
		return import_error(b->in, -ENOMEM, "out of memory");
	while (b->r->n_variants <= (p->n == 1 ? 0 : (size_t)times)) {
		long variant = import_build_variant(b, "perf stat", NULL);

		if (variant < 0)
			return (int)variant;
	}
	return p->n == 1 ? perf_row_add(b, 0, (uint32_t)times, p)
			 : perf_row_add(b, (uint32_t)times, 0, p);
}

int perf_notes_add(const struct perf_notes *notes, const struct import *in, struct record *r)
{
	int rc = 0;

	if (notes->rounded_spread)
		rc = record_note(
		    r,
		    "%s: a spread printed as 0 may be as much as half of its last digit: "
		    "taken as that",
		    in->name);
	if (!rc && notes->unknown_runs)
		rc = record_note(
		    r,
		    "%s: perf stat -x and -j do not say how many runs their means are of: "
		    "each is taken as one measurement; --runs N says it",
		    in->name);
	if (!rc && notes->unread_lines)
		rc = record_note(r, "%s: %zu line%s that %s no counts passed over", in->name,
				 notes->unread_lines, notes->unread_lines == 1 ? "" : "s",
				 notes->unread_lines == 1 ? "is" : "are");
	return rc ? import_error(in, rc, "out of memory") : 0;
}
