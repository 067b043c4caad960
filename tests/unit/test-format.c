/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers for people: digits, separators, units, percentages, intervals and p-values.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "format.h"

static char buf[FORMAT_SIZE];

static void numbers_are_separated(void **state)
{
	(void)state;
	assert_string_equal(format_number(buf, sizeof(buf), 24410837606.0, 0), "24,410,837,606");
	assert_string_equal(format_number(buf, sizeof(buf), 999, 0), "999");
	assert_string_equal(format_number(buf, sizeof(buf), 1000, 0), "1,000");
	assert_string_equal(format_number(buf, sizeof(buf), 123456.789, 2), "123,456.79");
	assert_string_equal(format_number(buf, sizeof(buf), 0.123456, 6), "0.123456");
	assert_string_equal(format_number(buf, sizeof(buf), -1234.5, 1), "−1,234.5");
	assert_string_equal(format_number(buf, sizeof(buf), -0.0001, 2), "0.00");
	assert_string_equal(format_number(buf, sizeof(buf), NAN, 2), "-");
	assert_string_equal(format_number(buf, sizeof(buf), -INFINITY, 2), "−∞");
	assert_string_equal(format_number(buf, sizeof(buf), 1e300, 2), "1e+300");
	assert_string_equal(format_count(buf, sizeof(buf), UINT64_MAX),
			    "18,446,744,073,709,551,615");
	assert_string_equal(format_count(buf, sizeof(buf), 0), "0");
}

static void digits_follow_the_uncertainty(void **state)
{
	(void)state;
	assert_int_equal(format_decimals(24.41, 0.0102), 3);
	assert_int_equal(format_decimals(24410, 10), 0);
	assert_int_equal(format_decimals(0.34, 0.5), 2);
	assert_int_equal(format_decimals(5, 0), 0);
	assert_int_equal(format_decimals(0.97, NAN), 4);
	assert_int_equal(format_decimals(0, NAN), 0);
	assert_int_equal(format_decimals(1, 1e-30), 6);
}

static void values_are_scaled(void **state)
{
	static const struct {
		const char *unit;
		double value, se;
		const char *expected;
	} cases[] = {
	    {"", 24410837606.0, 10.2e6, "24.411 G"},
	    {"", 2000004, 0, "2,000,004"},
	    {"", 1234567, 12345, "1.235 M"},
	    {"", 117203, 300, "117,203"},
	    {"", 3.14, 0.2, "3.14"},
	    {"ns", 1234567, 2000, "1.2346 ms"},
	    {"ns", 999, 1, "999.0 ns"},
	    {"ns", 38.221901985e9, 0.26e9, "38.22 s"},
	    {"ns", 1500, 100, "1.50 µs"},
	    {"bytes", 3355443, 20000, "3.200 MiB"},
	    {"bytes", 512, 0, "512 B"},
	    {"Hz", 2.41e9, 1e7, "2.410 GHz"},
	    {"ratio", 0.97012, 0.0013, "0.9701"},
	    {"ops/s", 1234567, 1000, "1,234,567 ops/s"},
	    {"", NAN, NAN, "-"},
	    {"", -5e9, 1e7, "−5.000 G"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(
		    format_value(buf, sizeof(buf), cases[i].unit, cases[i].value, cases[i].se),
		    cases[i].expected);
}

static void percentages(void **state)
{
	(void)state;
	assert_string_equal(format_spread(buf, sizeof(buf), 0.042), "0.04%");
	assert_string_equal(format_spread(buf, sizeof(buf), 0.0042), "0.004%");
	assert_string_equal(format_spread(buf, sizeof(buf), 12.34), "12.3%");
	assert_string_equal(format_spread(buf, sizeof(buf), 240), "240%");
	assert_string_equal(format_spread(buf, sizeof(buf), 0), "0%");
	assert_string_equal(format_spread(buf, sizeof(buf), NAN), "-");
	assert_string_equal(format_fraction(buf, sizeof(buf), 0.01), "1 %");
	assert_string_equal(format_fraction(buf, sizeof(buf), 0.005), "0.5 %");
	assert_string_equal(format_fraction(buf, sizeof(buf), 0.00186), "0.19 %");
	assert_string_equal(format_fraction(buf, sizeof(buf), 0.0213), "2.13 %");
	assert_string_equal(format_fraction(buf, sizeof(buf), 0.5), "50 %");
	assert_string_equal(format_fraction(buf, sizeof(buf), 9.5), "950 %");
	assert_string_equal(format_fraction(buf, sizeof(buf), 0), "0 %");
}

static void changes_have_one_precision(void **state)
{
	static const struct {
		struct format_change c;
		const char *change, *interval;
	} cases[] = {
	    {{false, "", -0.002718, -0.004017, -0.001418}, "−0.27 %", "[−0.40, −0.14] %"},
	    {{false, "", 0.0002725, -0.02266, 0.02356}, "0.0 %", "[−2.3, +2.4] %"},
	    {{false, "", -0.0501, -0.0989, -0.0002}, "−5.01 %", "[−9.89, −0.02] %"},
	    {{false, "", -0.0501, -0.0989, 0.0002}, "−5.0 %", "[−9.9, 0.0] %"},
	    {{false, "", 0.45, 0.18, 0.73}, "+45 %", "[+18, +73] %"},
	    {{false, "", 89.41, 89.0, 90.1}, "+8,941 %", "[+8,900, +9,010] %"},
	    {{false, "", -0.0001, -INFINITY, 0.01}, "0.0 %", "[−∞, +1.0] %"},
	    {{false, "", 5e-7, 5e-7, 5e-7}, "+0.00005 %", "[+0.00005, +0.00005] %"},
	    {{false, "", 0.1, 0.1, 0.1}, "+10 %", "[+10, +10] %"},
	    {{false, "", -1.0 / 11, -1.0 / 11, -1.0 / 11}, "−9.091 %", "[−9.091, −9.091] %"},
	    {{false, "", 0, 0, 0}, "0 %", "[0, 0] %"},
	    {{true, "ns", 12000, 3000, 21000}, "+12.0 µs", "[+3.0, +21.0] µs"},
	    {{true, "", 2, -1, 5}, "+2.0", "[−1.0, +5.0]"},
	    {{false, "", NAN, NAN, NAN}, "-", "-"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(format_change(buf, sizeof(buf), &cases[i].c), cases[i].change);
		assert_string_equal(format_interval(buf, sizeof(buf), &cases[i].c),
				    cases[i].interval);
	}
}

static void probabilities_and_levels(void **state)
{
	(void)state;
	assert_string_equal(format_p(buf, sizeof(buf), 0.00009), "<0.0001");
	assert_string_equal(format_p(buf, sizeof(buf), 0.0278), "0.0278");
	assert_string_equal(format_p(buf, sizeof(buf), 1), "1.0000");
	assert_string_equal(format_p(buf, sizeof(buf), 0), "<0.0001");
	assert_string_equal(format_p(buf, sizeof(buf), NAN), "-");
	assert_string_equal(format_level(buf, sizeof(buf), 0.95), "95 %");
	assert_string_equal(format_level(buf, sizeof(buf), 1 - 0.00447), "99.55 %");
	assert_string_equal(format_level(buf, sizeof(buf), 1 - 0.02968), "97.0 %");
}

static void spans(void **state)
{
	(void)state;
	assert_string_equal(format_span(buf, sizeof(buf), 0.42), "0.4 s");
	assert_string_equal(format_span(buf, sizeof(buf), 12.2), "12 s");
	assert_string_equal(format_span(buf, sizeof(buf), 67 * 60), "67 min");
	assert_string_equal(format_span(buf, sizeof(buf), 7500), "2 h 5 min");
	assert_string_equal(format_span(buf, sizeof(buf), 2 * 3600 + 3599), "3 h 0 min");
	assert_string_equal(format_span(buf, sizeof(buf), -1), "-");
}

static void small_buffers_are_not_overrun(void **state)
{
	char small[8];

	(void)state;
	for (size_t size = 1; size <= sizeof(small); size++) {
		format_number(small, size, -123456789.125, 3);
		format_value(small, size, "ns", 123456, 12);
		format_interval(small, size, &(struct format_change){false, "", -0.1, -0.2, 0.3});
		format_count(small, size, UINT64_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_separated),
	    cmocka_unit_test(digits_follow_the_uncertainty),
	    cmocka_unit_test(values_are_scaled),
	    cmocka_unit_test(percentages),
	    cmocka_unit_test(changes_have_one_precision),
	    cmocka_unit_test(probabilities_and_levels),
	    cmocka_unit_test(spans),
	    cmocka_unit_test(small_buffers_are_not_overrun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
