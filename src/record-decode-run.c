/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run's line, decoded without allocating anything: a record may have a million of them. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "json-scan.h"
#include "record-decode.h"
#include "record-file.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Analysing takes a byte a block: no file may ask for more memory than it has runs for. */
enum { MAX_BLOCK = (1 << 28) - 1 };

/* The whole numbers of a run, in the order in which they are written. */
static const struct number_field {
	const char *key;
	size_t offset, size; /* in struct record_run */
	int64_t min;
	uint64_t max;
} fields[] = {
#define FIELD(key, member, min, max)                                                               \
	{                                                                                          \
		key, offsetof(struct record_run, member),                                          \
		    sizeof(((struct record_run *)0)->member), min, max                             \
	}
    FIELD("block", block, 0, MAX_BLOCK),
    FIELD("variant", variant, 0, UINT16_MAX),
    FIELD("order", position, 0, UINT16_MAX),
    FIELD("group", group, 0, INT16_MAX),
    FIELD("start_ns", start_ns, 0, INT64_MAX),
    FIELD("duration_ns", duration_ns, 0, INT64_MAX),
    FIELD("status", status, INT32_MIN, INT32_MAX),
    FIELD("cpu", cpu, 0, INT32_MAX),
    FIELD("frequency", frequency, 0, INT64_MAX),
    FIELD("migrations", migrations, 0, INT64_MAX),
    FIELD("switches", switches, 0, INT64_MAX),
    FIELD("stragglers", stragglers, 0, UINT32_MAX),
    FIELD("stragglers_killed", stragglers_killed, 0, UINT32_MAX),
#undef FIELD
};

static void store(struct record_run *run, const struct number_field *f, int64_t value)
{
	char *at = (char *)run + f->offset;
	uint16_t v16 = (uint16_t)value;
	uint32_t v32 = (uint32_t)value;

	if (f->size == sizeof(v16))
		memcpy(at, &v16, sizeof(v16));
	else if (f->size == sizeof(v32))
		memcpy(at, &v32, sizeof(v32));
	else
		memcpy(at, &value, sizeof(value));
}

/* A number; or an array of a number or a reason, and the times that it was enabled and running. */
static bool decode_reading(struct json_scan *s, struct reading *v)
{
	int64_t enabled = 0, running = 0;
	bool array = json_scan_take(s, '[');
	const char *token;
	size_t len;

	*v = (struct reading){.value = NAN};
	if (json_scan_peek(s, '"')) {
		if (!json_scan_string(s, &token, &len))
			return false;
		v->reason = null_reason_find(token, len);
	} else if (!json_scan_number(s, &v->value)) {
		if (!json_scan_null(s))
			return false;
		v->reason = NULL_UNKNOWN;
	}
	if (array && json_scan_take(s, ',') &&
	    !(json_scan_integer(s, 0, INT64_MAX, &enabled) && json_scan_take(s, ',') &&
	      json_scan_integer(s, 0, (UINT64_C(1) << 56) - 1, &running)))
		return false;
	v->enabled = (uint64_t)enabled;
	v->running = (uint64_t)running & ((UINT64_C(1) << 56) - 1);
	return !array || json_scan_take(s, ']');
}

static int decode_readings(struct json_scan *s, size_t n_metrics, struct reading *readings,
			   char *err, size_t err_size)
{
	size_t n = 0;

	if (!json_scan_take(s, '[')) {
		snprintf(err, err_size, "'readings' is not an array");
		return -EINVAL;
	}
	while (!json_scan_peek(s, ']') && n < n_metrics) {
		if ((n && !json_scan_take(s, ',')) || !decode_reading(s, &readings[n])) {
			snprintf(err, err_size,
				 "reading %zu is not a number or [number or reason, "
				 "enabled, running]",
				 n + 1);
			return -EINVAL;
		}
		n++;
	}
	if (json_scan_take(s, ']') && n == n_metrics)
		return 0;
	snprintf(err, err_size, "there must be %zu readings, one a metric", n_metrics);
	return -EINVAL;
}

/* What has been seen of what every run must have. */
enum { SEEN_BLOCK = 1, SEEN_VARIANT = 2, SEEN_OUTCOME = 4, SEEN_READINGS = 8, SEEN_ALL = 15 };

struct run_decoder {
	struct json_scan s;
	const struct record *r;
	struct record_run *run;
	struct reading *readings;
	unsigned seen;
	size_t next; /* the number field to expect */
	char *err;
	size_t err_size;
};

static bool is(const char *key, size_t len, const char *name)
{
	return strlen(name) == len && !memcmp(key, name, len);
}

static int invalid(struct run_decoder *d, const char *what)
{
	snprintf(d->err, d->err_size, "%s", what);
	return -EINVAL;
}

static int decode_outcome(struct run_decoder *d)
{
	const char *token;
	size_t len;
	int outcome = json_scan_string(&d->s, &token, &len) ? run_outcome_find(token, len) : -1;

	if (outcome < 0)
		return invalid(d, "'outcome' is not a word that this version knows");
	d->run->outcome = (uint8_t)outcome;
	d->seen |= SEEN_OUTCOME;
	return 0;
}

static int decode_field(struct run_decoder *d, const char *key, size_t len)
{
	int64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		size_t at = (d->next + i) % ARRAY_SIZE(fields);
		const struct number_field *f = &fields[at];

		if (!is(key, len, f->key))
			continue;
		if (!json_scan_integer(&d->s, f->min, f->max, &value)) {
			snprintf(d->err, d->err_size, "'%s' is not a whole number in its range",
				 f->key);
			return -EINVAL;
		}
		store(d->run, f, value);
		d->next = at + 1;
		if (at < 2)
			d->seen |= at ? SEEN_VARIANT : SEEN_BLOCK;
		return 0;
	}
	if (is(key, len, "outcome"))
		return decode_outcome(d);
	if (is(key, len, "readings")) {
		d->seen |= SEEN_READINGS;
		return decode_readings(&d->s, d->r->metrics.n, d->readings, d->err, d->err_size);
	}
	if (is(key, len, "max_rss_at_most"))
		return json_scan_bool(&d->s, &d->run->rss_upper_bound)
			   ? 0
			   : invalid(d, "'max_rss_at_most' is not true or false");
	if (is(key, len, "warmup"))
		return json_scan_bool(&d->s, &d->run->warmup)
			   ? 0
			   : invalid(d, "'warmup' is not true or false");
	if (is(key, len, "probed"))
		return json_scan_bool(&d->s, &d->run->probed)
			   ? 0
			   : invalid(d, "'probed' is not true or false");
	return json_scan_skip(&d->s) ? 0 : invalid(d, "not JSON, or nested too deep");
}

int record_decode_run(const char *line, size_t len, const struct record *r, struct record_run *run,
		      struct reading *readings, char *err, size_t err_size)
{
	struct run_decoder d = {.s = {line, line + len},
				.r = r,
				.run = run,
				.readings = readings,
				.err = err,
				.err_size = err_size};
	const char *key;
	size_t key_len;
	int rc;

	*run = (struct record_run){
	    .group = -1, .cpu = -1, .frequency = -1, .migrations = -1, .switches = -1};
	if (!json_scan_take(&d.s, '{'))
		return invalid(&d, "not a JSON object");
	do {
		if (!json_scan_string(&d.s, &key, &key_len) || !json_scan_take(&d.s, ':'))
			return invalid(&d, "not a JSON object");
		rc = decode_field(&d, key, key_len);
		if (rc)
			return rc;
	} while (json_scan_take(&d.s, ','));
	if (!json_scan_take(&d.s, '}') || !json_scan_done(&d.s))
		return invalid(&d, "not a JSON object");
	if (d.seen != SEEN_ALL)
		return invalid(&d, "a run has a block, a variant, an outcome and readings");
	if (run->variant >= r->n_variants)
		return invalid(&d, "there is no such variant in the header");
	return 0;
}
