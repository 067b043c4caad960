/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quantities on the command line. */
#include "quantity.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* strtod() takes hexadecimal, "inf" and "nan" as well: none of them is a quantity that a user meant. */
static int parse_decimal(const char *text, double *value, const char **rest)
{
	const char *digits = text + (*text == '-' || *text == '+');
	char *end;

	if (!isdigit((unsigned char)*digits) && *digits != '.')
		return -EINVAL;
	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
		return -EINVAL;
	errno = 0;
	*value = strtod(text, &end);
	if (end == text || errno == ERANGE || !isfinite(*value))
		return -EINVAL;
	*rest = end;
	return 0;
}

int quantity_duration(const char *text, uint64_t *ns, char *err, size_t err_size)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {
		{"ns", 1},     {"us", 1e3},  {"µs", 1e3},    {"ms", 1e6},   {"s", 1e9},
		{"sec", 1e9},  {"m", 60e9},  {"min", 60e9},  {"h", 3600e9},
	};
	const char *rest;
	double value;

	if (parse_decimal(text, &value, &rest) == 0 && value >= 0) {
		if (!*rest) {
			snprintf(err, err_size, "'%s' has no unit: write %ss or %smin", text, text, text);
			return -EINVAL;
		}
		for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
			if (strcmp(rest, units[i].unit))
				continue;
			if (value * units[i].ns > 1e18) {
				snprintf(err, err_size, "'%s' is too long a time", text);
				return -EINVAL;
			}
			*ns = (uint64_t)llround(value * units[i].ns);
			return 0;
		}
	}
	snprintf(err, err_size, "'%s' is not a time: write 30s, 500ms or 2min", text);
	return -EINVAL;
}

int quantity_percent(const char *text, double *fraction, char *err, size_t err_size)
{
	const char *rest;
	double value;

	if (parse_decimal(text, &value, &rest) == 0 && value >= 0) {
		if (!*rest) {
			snprintf(err, err_size, "'%s' has no unit: write %s%%", text, text);
			return -EINVAL;
		}
		if (strcmp(rest, "%") == 0) {
			*fraction = value / 100;
			return 0;
		}
	}
	snprintf(err, err_size, "'%s' is not a percentage: write 0.5%% or 1%%", text);
	return -EINVAL;
}

int quantity_count(const char *text, uint64_t min, uint64_t max, uint64_t *value, char *err,
		   size_t err_size)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno == ERANGE || *value < min ||
	    *value > max) {
		if (max == UINT64_MAX)
			snprintf(err, err_size, "'%s' is not a whole number of at least %" PRIu64, text,
				 min);
		else
			snprintf(err, err_size,
				 "'%s' is not a whole number from %" PRIu64 " to %" PRIu64, text, min,
				 max);
		return -EINVAL;
	}
	return 0;
}

int quantity_number(const char *text, double *value, char *err, size_t err_size)
{
	const char *rest;

	if (parse_decimal(text, value, &rest) == 0 && !*rest)
		return 0;
	snprintf(err, err_size, "'%s' is not a number", text);
	return -EINVAL;
}
