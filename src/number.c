/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as text.
 *
 * strtod(3) and printf(3) follow the locale, and record files hold millions of numbers: short ones
 * are converted here, exactly, and only what has more digits than a double holds goes to the C
 * library.
 */
#include "number.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Powers of ten that a double holds exactly. */
static const double exact_powers[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};
enum { MAX_EXACT_POWER = 22, MAX_NUMBER_LENGTH = 400 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The general case: a copy with the locale's decimal point, for strtod(). */
static bool parse_slowly(const char *s, size_t len, double *value)
{
	char copy[MAX_NUMBER_LENGTH + 16];
	const char *point = localeconv()->decimal_point;
	size_t n = 0, point_len = strlen(point);

	if (len > MAX_NUMBER_LENGTH || point_len > 8)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '.') {
			memcpy(copy + n, point, point_len);
			n += point_len;
		} else {
			copy[n++] = s[i];
		}
	}
	copy[n] = '\0';
	*value = strtod(copy, NULL);
	return isfinite(*value);
}

const char *number_parse(const char *s, const char *end, double *value)
{
	const char *p = s;
	bool negative = false, exact = true, any = false;
	uint64_t digits = 0;
	long exponent = 0, written = 0;

	if (p < end && (*p == '-' || *p == '+'))
		negative = *p++ == '-';
	for (bool fraction = false; p < end && (is_digit(*p) || (*p == '.' && !fraction)); p++) {
		if (*p == '.') {
			fraction = true;
			continue;
		}
		any = true;
		if (digits >= (UINT64_C(1) << 53) / 10)
			exact = false;
		else
			digits = digits * 10 + (uint64_t)(*p - '0');
		exponent -= fraction;
	}
	if (!any)
		return NULL;
	if (p < end && (*p == 'e' || *p == 'E')) {
		const char *q = p + 1;
		bool minus = false;

		if (q < end && (*q == '-' || *q == '+'))
			minus = *q++ == '-';
		if (q < end && is_digit(*q)) {
			for (; q < end && is_digit(*q); q++)
				if (written < 100000)
					written = written * 10 + (*q - '0');
			exponent += minus ? -written : written;
			p = q;
		}
	}
	if (!exact || exponent > MAX_EXACT_POWER || exponent < -MAX_EXACT_POWER)
		return parse_slowly(s, (size_t)(p - s), value) ? p : NULL;
	/* Both operands are exact, so one operation rounds correctly. */
	*value = exponent < 0 ? (double)digits / exact_powers[-exponent]
			      : (double)digits * exact_powers[exponent];
	if (negative)
		*value = -*value;
	return p;
}

bool number_whole(const char *text, double *value)
{
	const char *end = text + strlen(text);

	while (text < end && isspace((unsigned char)*text))
		text++;
	text = number_parse(text, end, value);
	while (text && text < end && isspace((unsigned char)*text))
		text++;
	return text == end;
}

const char *number_parse_u64(const char *s, const char *end, uint64_t *value)
{
	const char *p = s;
	uint64_t v = 0;

	for (; p < end && is_digit(*p); p++)
		if (__builtin_mul_overflow(v, UINT64_C(10), &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return NULL;
	*value = v;
	return p == s ? NULL : p;
}

size_t number_format_u64(char buf[NUMBER_SIZE], uint64_t value)
{
	char digits[NUMBER_SIZE];
	size_t n = 0;

	do {
		digits[n++] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	for (size_t i = 0; i < n; i++)
		buf[i] = digits[n - 1 - i];
	buf[n] = '\0';
	return n;
}

size_t number_format(char buf[NUMBER_SIZE], double value)
{
	const char *point;
	char *at;

	/* -0.0 is not a whole number here: its sign is kept. */
	if (value == floor(value) && fabs(value) < 9007199254740992.0 &&
	    !(value == 0 && signbit(value))) {
		size_t sign = value < 0;

		buf[0] = '-';
		return sign + number_format_u64(buf + sign, (uint64_t)fabs(value));
	}
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(buf, NUMBER_SIZE, "%.*g", precision, value);
		if (precision == 17 || strtod(buf, NULL) == value)
			break;
	}
	point = localeconv()->decimal_point;
	at = strcmp(point, ".") ? strstr(buf, point) : NULL;
	if (at) {
		memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
		*at = '.';
	}
	return strlen(buf);
}
