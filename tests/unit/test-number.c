/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as text: the C library is the reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

static double parse(const char *text)
{
	double v = NAN;
	const char *end = number_parse(text, text + strlen(text), &v);

	assert_ptr_equal(end, text + strlen(text));
	return v;
}

static void reads_like_strtod(void **state)
{
	static const char *const rows[] = {
	    "0",
	    "-0",
	    "1",
	    "12345678901234567890",
	    "0.1",
	    "1e22",
	    "1e23",
	    "1e-22",
	    "1e-23",
	    "1e308",
	    "4.9e-324",
	    "2.2250738585072011e-308",
	    "9007199254740993",
	    ".5",
	    "5.",
	    "+7",
	    "0.000000000000000000000000000001",
	    "123456789.123456789",
	    "1E5",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double want = strtod(rows[i], NULL), got = parse(rows[i]);

		assert_memory_equal(&want, &got, sizeof(want));
	}
}

static void stops_or_refuses(void **state)
{
	static const char *const none[] = {"",    "-", ".",   "e5",    "nan",
					   "inf", "x", "+-1", "1e309", "-1e999999999999"};
	const char *text = "12e+x";
	char longer[600];
	double v;

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_null(number_parse(none[i], none[i] + strlen(none[i]), &v));
	assert_ptr_equal(number_parse(text, text + 5, &v), text + 2);
	assert_float_equal(v, 12, 0);
	memset(longer, '7', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_null(number_parse(longer, longer + sizeof(longer) - 1, &v));
	assert_true(number_whole(" 1.5 ", &v));
	assert_false(number_whole("1.5 x", &v));
	assert_false(number_whole("", &v));
}

static void whole_numbers(void **state)
{
	uint64_t u;
	const char *max = "18446744073709551615", *over = "18446744073709551616";
	char buf[NUMBER_SIZE];

	(void)state;
	assert_ptr_equal(number_parse_u64(max, max + 20, &u), max + 20);
	assert_true(u == UINT64_MAX);
	assert_null(number_parse_u64(over, over + 20, &u));
	assert_null(number_parse_u64("-1", max, &u));
	assert_int_equal(number_format_u64(buf, UINT64_MAX), 20);
	assert_string_equal(buf, max);
	assert_int_equal(number_format_u64(buf, 0), 1);
}

static void writes_shortest(void **state)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {
	    {0, "0"},          {-0.0, "-0"},   {0.1, "0.1"}, {1e15, "1000000000000000"},
	    {1e300, "1e+300"}, {-2.5, "-2.5"}, {-7, "-7"},   {1.0 / 3, "0.3333333333333333"},
	};
	char buf[NUMBER_SIZE];
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(number_format(buf, rows[i].value), strlen(rows[i].text));
		assert_string_equal(buf, rows[i].text);
	}
	for (int i = 0; i < 100000; i++) {
		double want, got;

		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		memcpy(&want, &seed, sizeof(want));
		if (!isfinite(want))
			continue;
		number_format(buf, want);
		got = parse(buf);
		assert_memory_equal(&want, &got, sizeof(want));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reads_like_strtod),
	    cmocka_unit_test(stops_or_refuses),
	    cmocka_unit_test(whole_numbers),
	    cmocka_unit_test(writes_shortest),
	};

	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
