/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scanner for JSON text in place, for the lines of which a record has a million: nothing is
 * allocated.
 *
 * Each function skips blanks, consumes what it names, and returns false without a promise about the
 * place if that is not there.
 */
#ifndef ABSTAT_JSON_SCAN_H
#define ABSTAT_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_scan {
	const char *at, *end;
};

/* True if C comes next; it is consumed then, and only then. */
bool json_scan_take(struct json_scan *s, char c);

/* True if C comes next; it is not consumed. */
bool json_scan_peek(struct json_scan *s, char c);

/* A string, as it is between its quotes: escapes are not decoded. */
bool json_scan_string(struct json_scan *s, const char **text, size_t *len);
bool json_scan_number(struct json_scan *s, double *value);

/* A whole number from MIN to MAX, without fraction or exponent. */
bool json_scan_integer(struct json_scan *s, int64_t min, uint64_t max, int64_t *value);
bool json_scan_bool(struct json_scan *s, bool *value);
bool json_scan_null(struct json_scan *s);

/* Any one value, nested up to 32 deep. */
bool json_scan_skip(struct json_scan *s);

/* True if nothing but blanks is left. */
bool json_scan_done(struct json_scan *s);

#endif
