/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as people's locales write them. */
#include "import-number.h"

#include <string.h>

#include "number.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum { MAX_DIGITS = 100, MAX_GROUPS = 40 };

static const struct separator {
	const char *text;
	bool decimal; /* it may also be a decimal point */
} separators[] = {
    {",", true},
    {".", true},
    {"'", false},
    {"\xe2\x80\x99", false}, /* ’ */
    {" ", false},
    {"\xc2\xa0", false},     /* no-break space */
    {"\xe2\x80\xaf", false}, /* narrow no-break space */
    {"\xe2\x80\x89", false}, /* thin space */
    {"\xa0", false},         /* no-break space in Latin-1 */
};

/* The digits of a number in groups, and the separator before each group but the first. */
struct groups {
	size_t n;
	size_t digits[MAX_GROUPS];
	size_t before[MAX_GROUPS]; /* index into separators */
	const char *start[MAX_GROUPS];
};

static size_t count_digits(const char *s, const char *end)
{
	size_t n = 0;

	while (s + n < end && s[n] >= '0' && s[n] <= '9')
		n++;
	return n;
}

/* The separator at S with a digit behind it, or -1. */
static int separator_at(const char *s, const char *end, size_t *len)
{
	for (size_t i = 0; i < ARRAY_SIZE(separators); i++) {
		*len = strlen(separators[i].text);
		if ((size_t)(end - s) > *len && !memcmp(s, separators[i].text, *len) &&
		    s[*len] >= '0' && s[*len] <= '9')
			return (int)i;
	}
	return -1;
}

static const char *split(const char *s, const char *end, struct groups *g)
{
	size_t len;
	int separator;

	g->n = 0;
	for (;;) {
		size_t digits = count_digits(s, end);

		if (g->n == MAX_GROUPS)
			return NULL;
		/* A blank separates thousands only: what follows must be three digits. */
		if (g->n && digits != 3 && !separators[g->before[g->n]].decimal)
			return s - strlen(separators[g->before[g->n]].text);
		g->start[g->n] = s;
		g->digits[g->n++] = digits;
		s += digits;
		separator = separator_at(s, end, &len);
		if (separator < 0)
			return s;
		if (g->n < MAX_GROUPS)
			g->before[g->n] = (size_t)separator;
		s += len;
	}
}

/* Is the last separator the decimal point? */
static bool has_fraction(const struct groups *g, bool fraction)
{
	size_t last = g->n - 1, same = 0;

	if (g->n < 2 || !separators[g->before[last]].decimal)
		return false;
	for (size_t i = 1; i < g->n; i++)
		same += g->before[i] == g->before[last];
	if (same > 1)
		return false;
	return g->n > 2 || g->digits[last] != 3 || g->digits[0] > 3 || fraction ||
	       *g->start[0] == '0';
}

const char *local_number_parse(const char *s, const char *end, bool fraction, double *value,
			       int *decimals)
{
	char digits[MAX_DIGITS + 8];
	struct groups g;
	size_t n = 0, whole;
	const char *stop, *exponent;
	bool point;

	if (s < end && (*s == '-' || *s == '+'))
		digits[n++] = *s++;
	stop = count_digits(s, end) ? split(s, end, &g) : NULL;
	if (!stop)
		return NULL;
	point = has_fraction(&g, fraction);
	whole = g.n - point;
	for (size_t i = 0; i < g.n; i++) {
		if (n + g.digits[i] > MAX_DIGITS ||
		    (i && i < whole && (g.digits[i] < 2 || g.digits[i] > 3)))
			return NULL;
		if (point && i == whole)
			digits[n++] = '.';
		memcpy(digits + n, g.start[i], g.digits[i]);
		n += g.digits[i];
	}
	if (decimals)
		*decimals = point ? (int)g.digits[whole] : 0;
	/* An exponent only behind plain digits: "1e+06", not "1,234 e3". */
	exponent = number_parse(s, end, value);
	if (exponent && exponent > stop)
		return exponent;
	return number_parse(digits, digits + n, value) == digits + n ? stop : NULL;
}
