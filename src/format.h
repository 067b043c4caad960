/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers for people: as many digits as the uncertainty leaves meaning in, thousands separated,
 * units scaled.
 *
 * Every function writes into the caller's buffer of SIZE bytes (FORMAT_SIZE is always enough) and
 * returns it. The text is UTF-8 ("−0.27 %", "1.2 µs"); text_clean() turns it into ASCII for a
 * locale that has nothing else. Nothing depends on LC_NUMERIC: abstat never sets it. NaN is written
 * as "-".
 */
#ifndef ABSTAT_FORMAT_H
#define ABSTAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FORMAT_SIZE 96

/* A unit to print in: value / scale is followed by suffix. */
struct format_unit {
	double scale;
	const char *suffix; /* "" for a plain number */
};

/*
 * The unit in which a value of MAGNITUDE is best read. UNIT is a metric's: "ns" gives ns, µs, ms,
 * s; "bytes" B to TiB; "Hz" Hz to GHz; "" plain up to 10^6, then M, G, T. Any other unit is kept.
 */
struct format_unit format_unit_for(const char *unit, double magnitude);

/*
 * How many decimals VALUE deserves if its standard error (or an interval's half-width) is
 * UNCERTAINTY, both in the unit that is printed: two significant digits of the uncertainty, 0 to 6.
 * With no uncertainty (0 or NaN): none for a whole number, else four significant digits.
 */
int format_decimals(double value, double uncertainty);

/* "24,410,837,606", "−0.34". */
char *format_number(char *buf, size_t size, double value, int decimals);

/* A whole number of things: "1,000". */
char *format_count(char *buf, size_t size, uint64_t value);

/* "24.411 G", "1.234 ms", "3.20 MiB": VALUE in the metric's unit, with digits after its standard
 * error. */
char *format_value(char *buf, size_t size, const char *unit, double value, double standard_error);

/* What perf calls "+-": "0.04%", "12.3%", "0%". PERCENT is a percentage already. */
char *format_spread(char *buf, size_t size, double percent);

/* A size without a sign, from a fraction: "1 %", "0.5 %", "0.123 %". At most three significant
 * digits. */
char *format_fraction(char *buf, size_t size, double fraction);

/*
 * A change and its interval: relative ones as percentages ("−0.27 %", "[−0.40, −0.14] %"), shifts
 * in UNIT
 * ("+12 µs", "[+3, +21] µs"). All three have the same number of decimals, after the interval's
 * width. An end that is not bounded is written as "−∞" or "∞".
 */
struct format_change {
	bool absolute; /* a shift in UNIT, not a fraction */
	const char *unit;
	double estimate, low, high;
};
char *format_change(char *buf, size_t size, const struct format_change *c);
char *format_interval(char *buf, size_t size, const struct format_change *c);

/* "95 %", "99.55 %". */
char *format_level(char *buf, size_t size, double level);

/* "<0.0001", "0.0278", "1.0000". */
char *format_p(char *buf, size_t size, double p);

/* A span of time as one says it: "0.4 s", "12 s", "13 min", "2 h 5 min". */
char *format_span(char *buf, size_t size, double seconds);

#endif
