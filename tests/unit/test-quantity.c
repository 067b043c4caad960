/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quantities of the command line: what is taken, what is refused, and in which words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "quantity.h"

static uint64_t duration(const char *text)
{
	char err[200] = "";
	uint64_t ns = 12345;

	if (quantity_duration(text, &ns, err, sizeof(err)))
		fail_msg("'%s' was refused: %s", text, err);
	return ns;
}

static void test_durations(void **state)
{
	(void)state;
	assert_int_equal(duration("30s"), 30000000000);
	assert_int_equal(duration("500ms"), 500000000);
	assert_int_equal(duration("200us"), 200000);
	assert_int_equal(duration("200µs"), 200000);
	assert_int_equal(duration("7ns"), 7);
	assert_int_equal(duration("2min"), 120000000000);
	assert_int_equal(duration("2m"), 120000000000);
	assert_int_equal(duration("1h"), 3600000000000);
	assert_int_equal(duration("1.5s"), 1500000000);
	assert_int_equal(duration(".25s"), 250000000);
	assert_int_equal(duration("0.1s"), 100000000);
	assert_int_equal(duration("0s"), 0);
	assert_int_equal(duration("1e3ms"), 1000000000);
}

static void refuse_duration(const char *text, const char *message)
{
	char err[200] = "";
	uint64_t ns;

	assert_int_not_equal(quantity_duration(text, &ns, err, sizeof(err)), 0);
	assert_string_equal(err, message);
}

static void test_wrong_durations(void **state)
{
	(void)state;
	refuse_duration("30", "'30' has no unit: write 30s or 30min");
	refuse_duration("0", "'0' has no unit: write 0s or 0min");
	refuse_duration("", "'' is not a time: write 30s, 500ms or 2min");
	refuse_duration("s", "'s' is not a time: write 30s, 500ms or 2min");
	refuse_duration("-1s", "'-1s' is not a time: write 30s, 500ms or 2min");
	refuse_duration("5 s", "'5 s' is not a time: write 30s, 500ms or 2min");
	refuse_duration("5days", "'5days' is not a time: write 30s, 500ms or 2min");
	refuse_duration("5S", "'5S' is not a time: write 30s, 500ms or 2min");
	refuse_duration("nans", "'nans' is not a time: write 30s, 500ms or 2min");
	refuse_duration("infs", "'infs' is not a time: write 30s, 500ms or 2min");
	refuse_duration("0x10s", "'0x10s' is not a time: write 30s, 500ms or 2min");
	refuse_duration(".s", "'.s' is not a time: write 30s, 500ms or 2min");
	refuse_duration("1e400s", "'1e400s' is not a time: write 30s, 500ms or 2min");
	refuse_duration("1e300h", "'1e300h' is too long a time");
}

static void test_percentages(void **state)
{
	char err[200] = "";
	double x;

	(void)state;
	assert_int_equal(quantity_percent("0.5%", &x, err, sizeof(err)), 0);
	assert_true(x == 0.005);
	assert_int_equal(quantity_percent("0%", &x, err, sizeof(err)), 0);
	assert_true(x == 0);
	assert_int_equal(quantity_percent("250%", &x, err, sizeof(err)), 0);
	assert_true(x == 2.5);
	assert_int_not_equal(quantity_percent("1", &x, err, sizeof(err)), 0);
	assert_string_equal(err, "'1' has no unit: write 1%");
	assert_int_not_equal(quantity_percent("-1%", &x, err, sizeof(err)), 0);
	assert_string_equal(err, "'-1%' is not a percentage: write 0.5% or 1%");
	assert_int_not_equal(quantity_percent("1%%", &x, err, sizeof(err)), 0);
	assert_int_not_equal(quantity_percent("cycles", &x, err, sizeof(err)), 0);
	assert_int_not_equal(quantity_percent("", &x, err, sizeof(err)), 0);
	assert_int_not_equal(quantity_percent("nan%", &x, err, sizeof(err)), 0);
}

static void test_counts(void **state)
{
	char err[200] = "";
	uint64_t n;

	(void)state;
	assert_int_equal(
	    quantity_count("18446744073709551615", 0, UINT64_MAX, &n, err, sizeof(err)), 0);
	assert_true(n == UINT64_MAX);
	assert_int_equal(quantity_count("007", 1, 10, &n, err, sizeof(err)), 0);
	assert_int_equal(n, 7);
	static const char *const wrong[] = {
	    "", "-1", "+1", " 1", "1 ", "1.5", "0x1", "1e3", "0", "11", "18446744073709551616"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (!quantity_count(wrong[i], 1, 10, &n, err, sizeof(err)))
			fail_msg("'%s' was taken as %lu", wrong[i], (unsigned long)n);
	quantity_count("11", 1, 10, &n, err, sizeof(err));
	assert_string_equal(err, "'11' is not a whole number from 1 to 10");
	assert_int_not_equal(
	    quantity_count("18446744073709551616", 0, UINT64_MAX, &n, err, sizeof(err)), 0);
	assert_string_equal(err, "'18446744073709551616' is not a whole number of at least 0");
}

static void test_numbers(void **state)
{
	char err[200] = "";
	double x;

	(void)state;
	assert_int_equal(quantity_number("-1.5e-3", &x, err, sizeof(err)), 0);
	assert_true(x == -1.5e-3);
	static const char *const wrong[] = {"",    "nan", "inf", "-inf", "0x1p3",
					    "1,5", "1x",  " 1",  "."};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (!quantity_number(wrong[i], &x, err, sizeof(err)))
			fail_msg("'%s' was taken as %g", wrong[i], x);
	quantity_number("nan", &x, err, sizeof(err));
	assert_string_equal(err, "'nan' is not a number");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_durations),   cmocka_unit_test(test_wrong_durations),
	    cmocka_unit_test(test_percentages), cmocka_unit_test(test_counts),
	    cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
