/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions over metrics: values, names, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr.h"
#include "metric.h"

static const char *const metrics[] = {
    "instructions", "cycles",    "cache-misses", "cache", "cycles:u", "cpu/event=0x3c,umask=0/",
    "alloc/cycles", "4kb-reads", "a b",          NULL};
static const double metric_values[] = {6, 3, 5, 100, 4, 7, 11, 13, 17};

static bool known(void *context, const char *name, size_t len)
{
	(void)context;
	for (size_t i = 0; metrics[i]; i++)
		if (strlen(metrics[i]) == len && !memcmp(metrics[i], name, len))
			return true;
	return false;
}

static double value_of(const char *text, bool *divided)
{
	char err[256] = "";
	struct expr *e = expr_parse(text, known, NULL, err, sizeof(err));
	double values[16], v;

	if (!e)
		fail_msg("%s: %s", text, err);
	for (size_t i = 0; i < expr_n_names(e); i++)
		for (size_t j = 0; metrics[j]; j++)
			if (!strcmp(metrics[j], expr_name(e, i)))
				values[i] = metric_values[j];
	v = expr_eval(e, values, NULL, divided);
	expr_free(e);
	return v;
}

static void computes(void **state)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
	    {"instructions/cycles", 2},
	    {"instructions / cycles", 2},
	    {"1 + 2 * 3", 7},
	    {"(1 + 2) * 3", 9},
	    {"8 - 2 - 1", 5},
	    {"16/4/2", 2},
	    {"-cycles", -3},
	    {"--cycles", 3},
	    {"2 - -3", 5},
	    {"-(1+2)*2", -6},
	    {"cache-misses", 5},
	    {"cache-misses-cycles", 2},
	    {"cache - 1", 99},
	    {"cache-1", 99},
	    {"cycles:u", 4},
	    {"cpu/event=0x3c,umask=0//cycles:u", 1.75},
	    {"alloc/cycles*2", 22},
	    {"4kb-reads+1", 14},
	    {"'a b' × 2", 34},
	    {"\"cycles\" ÷ 2", 1.5},
	    {"1e3 − cycles", 997},
	    {"1e-3*2", 0.002},
	    {".5+1.", 1.5},
	    {"1000 * instructions / 4", 1500},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (value_of(rows[i].text, NULL) != rows[i].value)
			fail_msg("%s is %g", rows[i].text, value_of(rows[i].text, NULL));
}

static void has_no_value(void **state)
{
	char err[256];
	struct expr *e;
	bool divided = false;
	double nan = NAN;

	(void)state;
	assert_true(isnan(value_of("1 / (cycles - 3)", &divided)));
	assert_true(divided);
	assert_true(isnan(value_of("1e300 * 1e300", &divided)));
	assert_false(divided);
	e = expr_parse("cycles * 0", known, NULL, err, sizeof(err));
	assert_non_null(e);
	assert_true(isnan(expr_eval(e, &nan, NULL, &divided)));
	assert_false(divided);
	expr_free(e);
}

static void names_once_in_order(void **state)
{
	char err[256];
	struct expr *e =
	    expr_parse("cycles + instructions - cycles", known, NULL, err, sizeof(err));

	(void)state;
	assert_non_null(e);
	assert_int_equal(expr_n_names(e), 2);
	assert_string_equal(expr_name(e, 0), "cycles");
	assert_string_equal(expr_name(e, 1), "instructions");
	expr_free(e);
}

static void refuses(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
	    {"", "expected a metric, a number or '(' at character 1 of ''"},
	    {"cycles +", "expected a metric, a number or '(' at character 9 of 'cycles +'"},
	    {"cycles2", "no metric is called 'cycles2' at character 1 of 'cycles2'"},
	    {"1 2", "expected an operator at character 3 of '1 2'"},
	    {"(1", "a missing ')' at character 3 of '(1'"},
	    {"(1 2)", "expected an operator or ')' at character 4 of '(1 2)'"},
	    {"1)", "expected an operator at character 2 of '1)'"},
	    {"'cycles", "a quote that is not closed at character 1 of ''cycles'"},
	    {"1 + nosuch / 2", "no metric is called 'nosuch' at character 5 of '1 + nosuch / 2'"},
	};
	char err[256], deep[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_null(expr_parse(rows[i].text, known, NULL, err, sizeof(err)));
		assert_string_equal(err, rows[i].message);
	}
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	assert_null(expr_parse(deep, known, NULL, err, sizeof(err)));
	assert_non_null(strstr(err, "nested"));
}

/* The deepest program that the parser lets through must fit the evaluator's stack. */
static void deepest(void **state)
{
	char text[1024] = "", err[256];
	struct expr *e;

	(void)state;
	for (int i = 0; i < 60; i++)
		strncat(text, "1+2*(", sizeof(text) - strlen(text) - 1);
	strncat(text, "1+2*3", sizeof(text) - strlen(text) - 1);
	for (int i = 0; i < 60; i++)
		strncat(text, ")", sizeof(text) - strlen(text) - 1);
	e = expr_parse(text, known, NULL, err, sizeof(err));
	assert_non_null(e);
	assert_true(expr_eval(e, NULL, NULL, NULL) > 1e18);
	expr_free(e);
}

static void tells_the_direction(void **state)
{
	/* instructions and cycles are better lower, cache better higher. */
	static const struct {
		const char *text;
		int direction;
	} rows[] = {
		{"instructions + cycles", DIRECTION_LOWER}, {"2 * cycles - 1", DIRECTION_LOWER},
		{"cycles / 1000", DIRECTION_LOWER},	    {"1000 / cycles", DIRECTION_HIGHER},
		{"-cycles", DIRECTION_HIGHER},		    {"cache + cache", DIRECTION_HIGHER},
		{"cache / cycles", DIRECTION_HIGHER},	    {"cycles - cache", DIRECTION_LOWER},
		{"instructions / cycles", DIRECTION_NEUTRAL}, {"cycles + cache", DIRECTION_NEUTRAL},
		{"cycles - instructions", DIRECTION_NEUTRAL}, {"1 + 2", DIRECTION_NEUTRAL},
	};
	char err[256];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct expr *e = expr_parse(rows[i].text, known, NULL, err, sizeof(err));
		int directions[4];

		assert_non_null(e);
		for (size_t k = 0; k < expr_n_names(e); k++)
			directions[k] = strcmp(expr_name(e, k), "cache") ? DIRECTION_LOWER : DIRECTION_HIGHER;
		if (expr_direction(e, directions) != rows[i].direction)
			fail_msg("%s", rows[i].text);
		expr_free(e);
	}
}

static void tells_the_unit(void **state)
{
	/* instructions and cycles are times, cache is a plain count. */
	static const struct {
		const char *text, *unit;
	} rows[] = {
	    {"instructions + cycles", "ns"},	  {"-(cycles - instructions) / 2", "ns"},
	    {"2 * cycles - 1", "ns"},		  {"1000 + cycles", "ns"},
	    {"cache + cache", ""},		  {"1 + 2", ""},
	    {"cycles / instructions", NULL},	  {"cycles / cache", NULL},
	    {"cycles * instructions", NULL},	  {"cycles + cache", NULL},
	    {"1000 / cycles", NULL},		  {"cycles + 1 / cycles", NULL},
	};
	char err[256];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct expr *e = expr_parse(rows[i].text, known, NULL, err, sizeof(err));
		const char *units[4], *unit;

		assert_non_null(e);
		for (size_t k = 0; k < expr_n_names(e); k++)
			units[k] = strcmp(expr_name(e, k), "cache") ? "ns" : "";
		unit = expr_unit(e, units);
		if (!unit != !rows[i].unit || (unit && strcmp(unit, rows[i].unit) != 0))
			fail_msg("%s: %s", rows[i].text, unit ? unit : "none");
		expr_free(e);
	}
}

static void splits(void **state)
{
	static const struct {
		const char *text, *name, *unit;
		int direction;
		const char *rest;
	} rows[] = {
	    {"x=cycles/2", "x", "", DIRECTION_NEUTRAL, "cycles/2"},
	    {"x[ns]=y", "x", "ns", DIRECTION_NEUTRAL, "y"},
	    {"rate[MB/s,higher]=rate: ([0-9.]+)", "rate", "MB/s", DIRECTION_HIGHER,
	     "rate: ([0-9.]+)"},
	    {"t[lower]=a=b", "t", "", DIRECTION_LOWER, "a=b"},
	    {"t[,lower]=a", "t", "", DIRECTION_LOWER, "a"},
	    {" a b = c", "a b", "", DIRECTION_NEUTRAL, " c"},
	};
	static const char *const bad[] = {
	    "", "x", "=x", "x=", "x[ns", "x[ns]", "x[ns,best]=y", " =x", "x[]y=z", "a\nb=c"};
	char err[256], *name, *unit;
	const char *rest;
	int direction;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(expr_split_definition(rows[i].text, &name, &unit, &direction,
						       &rest, err, sizeof(err)),
				 0);
		assert_string_equal(name, rows[i].name);
		assert_string_equal(unit, rows[i].unit);
		assert_int_equal(direction, rows[i].direction);
		assert_string_equal(rest, rows[i].rest);
		free(name);
		free(unit);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err[0] = '\0';
		assert_int_equal(expr_split_definition(bad[i], &name, &unit, &direction, &rest, err,
						       sizeof(err)),
				 -EINVAL);
		assert_null(name);
		assert_true(err[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(computes),
	    cmocka_unit_test(has_no_value),
	    cmocka_unit_test(names_once_in_order),
	    cmocka_unit_test(refuses),
	    cmocka_unit_test(deepest),
	    cmocka_unit_test(splits),
		cmocka_unit_test(tells_the_direction),
		cmocka_unit_test(tells_the_unit),
	};

	return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
