/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --extract: what is found in which output, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "extract.h"
#include "spawner.h"

static void finds(void **state)
{
	static const struct {
		const char *definition, *out, *err;
		bool found;
		double value;
	} rows[] = {
	    {"t=time: ([0-9.]+)", "x\ntime: 12.5 s\n", "", true, 12.5},
	    {"t=^time ([0-9]+)$", "a time 1\ntime 2\n", "", true, 2},
	    {"t=([0-9]+)", "no", "in 7 s", true, 7},
	    {"t=([0-9]+)", "3", "in 7 s", true, 3},
	    {"t=rate=([^ ]+)", "rate=fast rate=1.5e3 ", "", true, 1500},
	    {"t=(-?[0-9]+) C", "-40 C", "", true, -40},
	    {"t=x(y)?[0-9]", "x1", "", false, 0},
	    {"t=([0-9]+)", "", "", false, 0},
	    {"t=(x*)", "abc", "", false, 0},
	    {"t=a.b ([0-9])", "a\nb 1", "", false, 0},
	};
	char err[300];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct run_output output = {rows[i].out, strlen(rows[i].out), rows[i].err,
					    strlen(rows[i].err)};
		struct extract e;
		double value = 0;

		assert_int_equal(extract_init(&e, rows[i].definition, err, sizeof(err)), 0);
		assert_int_equal(extract_apply(&e, &output, &value), rows[i].found);
		if (rows[i].found)
			assert_float_equal(value, rows[i].value, 0);
		extract_release(&e);
	}
}

/* What a workload prints is bytes, NULs among them. */
static void takes_any_bytes(void **state)
{
	const char text[] = {'a', '\0', '\xff', 'n', '=', '4', '2', '\0'};
	struct extract e;
	char err[300];
	double value;

	(void)state;
	assert_int_equal(extract_init(&e, "n=n=([0-9]+)", err, sizeof(err)), 0);
	assert_true(extract_from(&e, text, sizeof(text) - 1, &value));
	assert_float_equal(value, 42, 0);
	assert_true(extract_from(&e, text, sizeof(text) - 2, &value));
	assert_float_equal(value, 4, 0);
	extract_release(&e);
}

static void knows_unit_and_direction(void **state)
{
	struct extract e;
	char err[300];

	(void)state;
	assert_int_equal(extract_init(&e, "rate[MB/s,higher]=([0-9]+)=x", err, sizeof(err)), 0);
	assert_string_equal(e.name, "rate");
	assert_string_equal(e.unit, "MB/s");
	assert_string_equal(e.pattern, "([0-9]+)=x");
	assert_int_equal(e.direction, DIRECTION_HIGHER);
	extract_release(&e);
}

static void refuses(void **state)
{
	struct extract e;
	char err[300];

	(void)state;
	assert_int_equal(extract_init(&e, "t=(", err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "--extract t: '(' is no regular expression: "));
	assert_int_equal(extract_init(&e, "t=[0-9]+", err, sizeof(err)), -EINVAL);
	assert_string_equal(err,
			    "--extract t: '[0-9]+' needs a group in parentheses around the number, "
			    "such as 'time: ([0-9.]+)'");
	assert_int_equal(extract_init(&e, "([0-9]+)", err, sizeof(err)), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(finds),
	    cmocka_unit_test(takes_any_bytes),
	    cmocka_unit_test(knows_unit_and_direction),
	    cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests_name("extract", tests, NULL, NULL);
}
