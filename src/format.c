/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers for people.
 */
#include "format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MINUS "\u2212"
#define INFINITE "\u221e"
#define MOST_DECIMALS 6

static const struct format_unit time_units[] = {
    {1e9, "s"}, {1e6, "ms"}, {1e3, "\u00b5s"}, {1, "ns"}, {0, NULL},
};
static const struct format_unit byte_units[] = {
    {1099511627776.0, "TiB"},
    {1073741824.0, "GiB"},
    {1048576.0, "MiB"},
    {1024, "KiB"},
    {1, "B"},
    {0, NULL},
};
static const struct format_unit frequency_units[] = {
    {1e9, "GHz"}, {1e6, "MHz"}, {1e3, "kHz"}, {1, "Hz"}, {0, NULL},
};
static const struct format_unit count_units[] = {
    {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1, ""}, {0, NULL},
};

static const struct {
	const char *unit;
	const struct format_unit *scaled;
} unit_families[] = {
    {"ns", time_units},
    {"bytes", byte_units},
    {"Hz", frequency_units},
    {"", count_units},
};

struct format_unit format_unit_for(const char *unit, double magnitude)
{
	magnitude = fabs(magnitude);
	for (size_t i = 0; i < sizeof(unit_families) / sizeof(unit_families[0]); i++) {
		const struct format_unit *u = unit_families[i].scaled;

		if (strcmp(unit, unit_families[i].unit))
			continue;
		while (u[1].suffix && !(magnitude >= u->scale))
			u++;
		return *u;
	}
	return (struct format_unit){1, strcmp(unit, "ratio") ? unit : ""};
}

/* The decimals that show DIGITS significant digits of X, a positive number. */
static int decimals_of(double x, int digits)
{
	/* 0.9999999999999998 is 1: its digits must not hang on how it was computed. */
	int decimals = digits - 1 - (int)floor(log10(x) + 1e-9);

	if (decimals < 0)
		return 0;
	return decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
}

int format_decimals(double value, double uncertainty)
{
	if (isfinite(uncertainty) && uncertainty > 0)
		return decimals_of(uncertainty, 2);
	if (!isfinite(value) || value == 0 || value == floor(value))
		return 0;
	return decimals_of(fabs(value), 4);
}

/* Copies the digits of DIGITS, with a comma before each third of those ahead of the point. */
static void put_separated(char *buf, size_t size, const char *digits)
{
	size_t whole = strcspn(digits, ".");
	size_t used = 0;

	for (size_t i = 0; digits[i] && used + 2 < size; i++) {
		if (i && i < whole && (whole - i) % 3 == 0)
			buf[used++] = ',';
		buf[used++] = digits[i];
	}
	buf[used] = '\0';
}

/* SIGN: "" for none where the number is positive, or "+". */
static char *put_number(char *buf, size_t size, double value, int decimals, const char *plus)
{
	char digits[FORMAT_SIZE], separated[FORMAT_SIZE];
	const char *sign;

	if (isnan(value)) {
		snprintf(buf, size, "-");
		return buf;
	}
	if (isinf(value)) {
		snprintf(buf, size, "%s" INFINITE, value < 0 ? MINUS : plus);
		return buf;
	}
	if (fabs(value) >= 1e18)
		snprintf(separated, sizeof(separated), "%.6g", fabs(value));
	else {
		snprintf(digits, sizeof(digits), "%.*f", decimals, fabs(value));
		put_separated(separated, sizeof(separated), digits);
	}
	/* What is rounded to nothing has no sign. */
	sign = strspn(separated, "0.") == strlen(separated) ? "" : value < 0 ? MINUS : plus;
	snprintf(buf, size, "%s%s", sign, separated);
	return buf;
}

char *format_number(char *buf, size_t size, double value, int decimals)
{
	return put_number(buf, size, value, decimals, "");
}

char *format_count(char *buf, size_t size, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	put_separated(buf, size, digits);
	return buf;
}

char *format_value(char *buf, size_t size, const char *unit, double value, double standard_error)
{
	struct format_unit u = format_unit_for(unit, value);
	char number[FORMAT_SIZE];

	if (isnan(value))
		return format_number(buf, size, value, 0);
	/* A count that does not vary is known to the last digit, and is shown to it. */
	if (!*unit && value == floor(value) && !(standard_error > 0) && fabs(value) < 1e15)
		u = (struct format_unit){1, ""};
	format_number(number, sizeof(number), value / u.scale,
		      format_decimals(value / u.scale, standard_error / u.scale));
	snprintf(buf, size, "%s%s%.32s", number, *u.suffix ? " " : "", u.suffix);
	return buf;
}

char *format_spread(char *buf, size_t size, double percent)
{
	if (isnan(percent))
		snprintf(buf, size, "-");
	else if (percent == 0)
		snprintf(buf, size, "0%%");
	else if (percent < 0.01)
		snprintf(buf, size, "%.1g%%", percent < 1e-4 ? 1e-4 : percent);
	else
		snprintf(buf, size, "%.*f%%", percent < 10 ? 2 : percent < 100 ? 1 : 0, percent);
	return buf;
}

char *format_fraction(char *buf, size_t size, double fraction)
{
	double percent = fabs(fraction) * 100;
	char number[FORMAT_SIZE];
	int decimals;

	if (isnan(fraction) || isinf(fraction) || percent == 0) {
		format_number(number, sizeof(number), fabs(fraction), 0);
	} else {
		decimals = decimals_of(percent, percent < 1 ? 2 : 3);
		format_number(number, sizeof(number), percent, decimals);
		if (strchr(number, '.')) {
			size_t len = strlen(number);

			while (number[len - 1] == '0')
				number[--len] = '\0';
			if (number[len - 1] == '.')
				number[--len] = '\0';
		}
	}
	snprintf(buf, size, "%s %%", number);
	return buf;
}

struct change_layout {
	struct format_unit unit;
	int decimals;
};

/* Of a number that is known exactly: four significant digits, without zeros at the end. */
static int exact_decimals(double x)
{
	int decimals = decimals_of(x, 4);

	while (decimals > 0) {
		double shifted = x * pow(10, decimals - 1);

		if (fabs(shifted - round(shifted)) > 1e-6 * shifted)
			break;
		decimals--;
	}
	return decimals;
}

/* One unit and one precision for an estimate and both ends, so that they can be compared by eye. */
static struct change_layout change_layout(const struct format_change *c)
{
	struct change_layout l = {{0.01, "%"}, 0};
	double reach = fabs(c->estimate);
	double half = (c->high - c->low) / 2;

	if (isfinite(c->low) && fabs(c->low) > reach)
		reach = fabs(c->low);
	if (isfinite(c->high) && fabs(c->high) > reach)
		reach = fabs(c->high);
	if (c->absolute)
		l.unit = format_unit_for(c->unit, reach);
	if (!isfinite(half) && isfinite(c->low))
		half = fabs(c->estimate - c->low);
	else if (!isfinite(half) && isfinite(c->high))
		half = fabs(c->high - c->estimate);
	half /= l.unit.scale;
	if (isfinite(half) && half > 0)
		l.decimals = decimals_of(half, 2);
	else if (c->absolute)
		l.decimals = format_decimals(c->estimate / l.unit.scale, 0);
	else if (isfinite(c->estimate) && c->estimate != 0)
		l.decimals = exact_decimals(fabs(c->estimate) / l.unit.scale);
	/* An interval that does not hold 0 must not look as if it did: a digit or two more. */
	if (c->low * c->high > 0 && isfinite(half) && half > 0) {
		double nearest = fmin(fabs(c->low), fabs(c->high)) / l.unit.scale;

		for (int more = 0; more < 2 && l.decimals < MOST_DECIMALS; more++)
			if (nearest * pow(10, l.decimals) < 0.5)
				l.decimals++;
	}
	return l;
}

char *format_change(char *buf, size_t size, const struct format_change *c)
{
	struct change_layout l = change_layout(c);
	char number[FORMAT_SIZE];

	put_number(number, sizeof(number), c->estimate / l.unit.scale, l.decimals, "+");
	snprintf(buf, size, "%s%s%.32s", number, *l.unit.suffix && !isnan(c->estimate) ? " " : "",
		 isnan(c->estimate) ? "" : l.unit.suffix);
	return buf;
}

char *format_interval(char *buf, size_t size, const struct format_change *c)
{
	struct change_layout l = change_layout(c);
	char low[FORMAT_SIZE], high[FORMAT_SIZE];

	if (isnan(c->low) || isnan(c->high)) {
		snprintf(buf, size, "-");
		return buf;
	}
	put_number(low, sizeof(low), c->low / l.unit.scale, l.decimals, "+");
	put_number(high, sizeof(high), c->high / l.unit.scale, l.decimals, "+");
	snprintf(buf, size, "[%.24s, %.24s]%s%.32s", low, high, *l.unit.suffix ? " " : "",
		 l.unit.suffix);
	return buf;
}

char *format_level(char *buf, size_t size, double level)
{
	double percent = level * 100;
	int decimals = 0;

	/* As many decimals as tell it from 100 %, two digits at least of what is missing where it
	 * is not a whole number. */
	if (isfinite(percent) && fabs(percent - round(percent)) > 1e-9)
		decimals = percent < 100 ? decimals_of(100 - percent, 2) : 2;
	snprintf(buf, size, "%.*f %%", decimals, percent);
	return buf;
}

char *format_p(char *buf, size_t size, double p)
{
	if (isnan(p))
		snprintf(buf, size, "-");
	else if (p < 0.0001)
		snprintf(buf, size, "<0.0001");
	else
		snprintf(buf, size, "%.4f", p);
	return buf;
}

char *format_span(char *buf, size_t size, double seconds)
{
	if (!isfinite(seconds) || seconds < 0)
		snprintf(buf, size, "-");
	else if (seconds < 9.95)
		snprintf(buf, size, "%.1f s", seconds);
	else if (seconds < 99.5)
		snprintf(buf, size, "%.0f s", seconds);
	else if (seconds < 99.5 * 60)
		snprintf(buf, size, "%.0f min", seconds / 60);
	else if (seconds < 1e7)
		snprintf(buf, size, "%.0f h %.0f min", floor(round(seconds / 60) / 60),
			 fmod(round(seconds / 60), 60));
	else
		snprintf(buf, size, "%.0f days", seconds / 86400);
	return buf;
}
