/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-judge.c - the looks, and what is decided at each; the choice of method and of scale.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "judge.h"
#include "sequential.h"

static void near(double ours, double expected, double relative)
{
	if (!(fabs(ours - expected) <= relative * fabs(expected)))
		fail_msg("%.17g, expected %.17g", ours, expected);
}

static const struct judge_rules at_05 = {
	.alpha = 0.05, .level = 0.05, .same_level = 0.05, .margin = 0.01, .gate = -1};

static struct judge_data pairs(const double *a, const double *b, size_t n)
{
	return (struct judge_data){
		.a = {.values = a, .n = n}, .b = {.values = b, .n = n}, .paired = true};
}

static void expect_looks(size_t max_n, const size_t *expected, size_t count)
{
	size_t n[SEQUENTIAL_MAX_LOOKS];

	assert_int_equal(sequential_looks(max_n, 0.05, 1.5, n), count);
	for (size_t k = 0; k < count; k++)
		assert_int_equal(n[k], expected[k]);
}

static void schedules(void **state)
{
	const size_t n20[] = {8, 11, 16, 20}, n30[] = {9, 13, 18, 25, 30};
	const size_t n50[] = {10, 14, 20, 28, 40, 50}, n100[] = {11, 16, 22, 31, 44, 62, 100};
	const size_t six[] = {6}, one[] = {1};
	size_t n[SEQUENTIAL_MAX_LOOKS];
	int looks;

	(void)state;
	expect_looks(20, n20, 4);
	expect_looks(30, n30, 5);
	expect_looks(50, n50, 6);
	expect_looks(100, n100, 7);
	expect_looks(6, six, 1);
	expect_looks(1, one, 1);
	assert_int_equal(sequential_looks(0, 0.05, 1.5, n), -EINVAL);
	assert_int_equal(sequential_looks(50, 1, 1.5, n), -EINVAL);
	assert_int_equal(sequential_looks(50, 0.05, 0, n), -EINVAL);
	looks = sequential_looks(1000000000, 0.05, 1.5, n);
	assert_true(looks > 40 && looks < SEQUENTIAL_MAX_LOOKS);
	assert_int_equal(n[looks - 1], 1000000000);
}

static void boundaries(void **state)
{
	const double z[] = {2.8428, 2.8343, 2.6649, 2.4903, 2.2765, 2.1744};
	const double e[] = {2.6142, 2.5910, 2.4062, 2.2130, 1.9747, 1.8517};
	struct judge_plan plan;
	struct judge_rules rules = at_05;

	(void)state;
	assert_int_equal(judge_plan_sequential(&plan, 50, 0.05), 0);
	for (int k = 0; k < 6; k++) {
		near(plan.difference.z[k], z[k], 2e-5);
		near(plan.same.z[k], e[k], 3e-5);
	}
	assert_int_equal(judge_plan_rules(&plan, 5, &rules), 0);
	near(rules.level, 0.02968, 1e-3);
	near(rules.same_level, plan.same.level[5] / 2, 0);
	assert_int_equal(judge_plan_rules(&plan, 6, &rules), -EINVAL);
	assert_int_equal(judge_plan_look(&plan, 28), 3);
	assert_int_equal(judge_plan_look(&plan, 29), -1);
	assert_int_equal(judge_plan_sequential(&plan, 50, 0.5), -EINVAL);
	assert_int_equal(judge_plan_fixed(&plan, 12, 0.05), 0);
	near(plan.difference.level[0], 0.05, 1e-12);
	near(plan.same.level[0], 0.10, 1e-12);
}

/* The last look of a limit of time spends all that is left. */
static void out_of_time(void **state)
{
	struct judge_plan plan, first;

	(void)state;
	assert_int_equal(judge_plan_sequential(&plan, 50, 0.05), 0);
	first = plan;
	assert_int_equal(judge_plan_end(&plan, 3, 25), 0);
	assert_int_equal(plan.difference.looks, 4);
	assert_int_equal(plan.difference.n[3], 25);
	near(plan.difference.spent[3], 0.025, 1e-12);
	near(plan.difference.z[2], first.difference.z[2], 1e-12);
	assert_true(plan.difference.z[3] < first.difference.z[3]);
	assert_true(plan.same.z[3] < first.same.z[3]);
	/* At the very number that was planned, or a run later, it can be no stricter. */
	plan = first;
	assert_int_equal(judge_plan_end(&plan, 0, 7), 0);
	near(plan.difference.level[0], 0.05, 1e-9);
	plan = first;
	assert_int_equal(judge_plan_end(&plan, 3, 20), -EINVAL);
	assert_int_equal(judge_plan_end(&plan, 3, 51), -EINVAL);
	assert_int_equal(judge_plan_end(&plan, 3, 21), 0);
	assert_true(isfinite(plan.difference.z[3]) && plan.difference.z[3] > 1.9);
}

static void methods(void **state)
{
	double a[8], b[8];
	struct judge_data data;
	struct judgement j;

	(void)state;
	for (int i = 0; i < 8; i++) {
		a[i] = 100 + i * i % 5;
		b[i] = 110 + i * i % 7;
	}
	data = pairs(a, b, 8);
	assert_int_equal(judge(&j, &data, &at_05, JUDGE_ALL), 0);
	assert_int_equal(j.method, JUDGE_RANK);
	assert_int_equal(judge_look(&j, &at_05, j.p, true), JUDGE_HIGHER);
	assert_true(j.has_welch && j.change.low > 0 && j.welch.change.low > 0);
	data.paired = false;
	assert_int_equal(judge(&j, &data, &at_05, JUDGE_ALL), 0);
	assert_int_equal(j.method, JUDGE_MANN_WHITNEY);
	data = pairs(a, b, 5);
	assert_int_equal(judge(&j, &data, &at_05, JUDGE_ALL), 0);
	assert_int_equal(j.method, JUDGE_WELCH);
	near(j.change.estimate, j.welch.change.estimate, 0);
	data = pairs(a, b, 1);
	assert_int_equal(judge(&j, &data, &at_05, JUDGE_ALL), 0);
	assert_int_equal(j.method, JUDGE_NONE);
	near(j.change.estimate, 0.1, 1e-12);
	assert_true(j.p == 1 && isinf(j.change.high) && !j.has_welch);
	assert_int_equal(judge_look(&j, &at_05, j.p, true), JUDGE_UNCLEAR);
	assert_int_equal(judge_look(&j, &at_05, j.p, false), JUDGE_GO_ON);
}

static void bad_input(void **state)
{
	const double a[] = {1, 2, 3, NAN}, b[] = {1, 2, 3, 4};
	struct judge_data data = pairs(a, b, 4);
	struct judge_rules rules = at_05;
	struct judgement j = {.n_a = 77};

	(void)state;
	assert_int_equal(judge(&j, &data, &at_05, JUDGE_ALL), -EINVAL);
	data = pairs(a, b, 0);
	assert_int_equal(judge(&j, &data, &at_05, JUDGE_ALL), -EDOM);
	data = pairs(a, b, 3);
	data.b.n = 2;
	assert_int_equal(judge(&j, &data, &at_05, JUDGE_ALL), -EDOM);
	data = pairs(b, b, 4);
	rules.margin = 0;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), -EINVAL);
	rules = at_05;
	rules.level = 1;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), -EINVAL);
	assert_int_equal(j.n_a, 77);
}

/* Counts that never vary are compared as they are. */
static void constants(void **state)
{
	double a[6], b[6];
	struct judge_data data = pairs(a, b, 6);
	struct judge_rules rules = at_05;
	struct judgement j;

	(void)state;
	rules.gate = 0.01;
	for (int i = 0; i < 6; i++) {
		a[i] = 2000004;
		b[i] = 2000005;
	}
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_int_equal(j.method, JUDGE_EXACT);
	near(j.change.estimate, 1 / 2000004.0, 1e-9);
	assert_true(j.change.low == j.change.high && j.p == 0 && j.within_margin);
	assert_int_equal(judge_look(&j, &rules, j.p, false), JUDGE_HIGHER);
	assert_int_equal(judge_gate_look(&j, &rules, false), JUDGE_GATE_PASS);
	for (int i = 0; i < 6; i++)
		b[i] = 2000004;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_int_equal(judge_look(&j, &rules, j.p, false), JUDGE_SAME);
	rules.gate = 0;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_int_equal(judge_gate_look(&j, &rules, false), JUDGE_GATE_PASS);
	/* Exactly at the margin is within it, and not beyond it. */
	rules.gate = 0.01;
	for (int i = 0; i < 6; i++) {
		a[i] = 100;
		b[i] = 101;
	}
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_true(j.within_margin);
	assert_int_equal(judge_gate_look(&j, &rules, true), JUDGE_GATE_PASS);
	for (int i = 0; i < 6; i++)
		b[i] = 101.5;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_false(j.within_margin);
	assert_int_equal(judge_gate_look(&j, &rules, true), JUDGE_GATE_FAIL);
	for (int i = 0; i < 6; i++)
		a[i] = b[i] = 0;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_int_equal(j.unit, JUDGE_SHIFT);
	assert_int_equal(judge_look(&j, &rules, j.p, true), JUDGE_SAME);
	assert_int_equal(judge_gate_look(&j, &rules, true), JUDGE_GATE_PASS);
	assert_true(j.shift == 0 && isnan(j.change.estimate));
}

/* A zero anywhere: an absolute shift, its fraction that of the baseline's median. */
static void zeros(void **state)
{
	const double a[] = {0, 10, 11, 12, 13, 14, 15, 16}, b[] = {5, 15, 16, 17, 18, 19, 20, 21};
	const double zero[] = {0, 0, 0, 0, 0, 0, 0, 1};
	struct judge_data data = pairs(a, b, 8);
	struct judge_rules rules = at_05;
	struct judgement j;

	(void)state;
	rules.gate = 0.1;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_int_equal(j.unit, JUDGE_SHIFT);
	near(j.base, 12.5, 0);
	near(j.shift, 5, 0);
	near(j.change.estimate, 0.4, 1e-15);
	assert_true(j.shift_low <= 5 && j.shift_high >= 5 && j.shift_low > 0);
	assert_int_equal(judge_look(&j, &rules, j.p, true), JUDGE_HIGHER);
	assert_int_equal(judge_gate_look(&j, &rules, true), JUDGE_GATE_FAIL);
	/* Without a base there is no margin: nothing is ever the same, nor ruled out. */
	data = pairs(zero, zero, 8);
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_true(j.base == 0 && j.equivalence.p == 1);
	assert_int_equal(judge_look(&j, &rules, j.p, true), JUDGE_UNCLEAR);
	assert_int_equal(judge_gate_look(&j, &rules, true), JUDGE_GATE_UNCLEAR);
}

static void gate_directions(void **state)
{
	double a[10], b[10];
	struct judge_data data = pairs(a, b, 10);
	struct judge_rules rules = at_05;
	struct judgement j;

	(void)state;
	for (int i = 0; i < 10; i++) {
		a[i] = 100 + 0.1 * (i * 7 % 10);
		b[i] = 110 + 0.1 * (i * 3 % 10);
	}
	rules.gate = 0.05;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_int_equal(judge_gate_look(&j, &rules, false), JUDGE_GATE_FAIL);
	rules.larger_better = true;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	near(j.gate.threshold, -0.05, 0);
	assert_int_equal(judge_gate_look(&j, &rules, false), JUDGE_GATE_PASS);
	rules.gate = 0.10;
	rules.larger_better = false;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_int_equal(judge_gate_look(&j, &rules, false), JUDGE_GATE_GO_ON);
	assert_int_equal(judge_gate_look(&j, &rules, true), JUDGE_GATE_UNCLEAR);
}

/* A published comparison: 100 runs a side, perf's "+-" of 0.042 % and 0.051 %. */
static void published_figures(void **state)
{
	struct judge_data data = {
		.a = {.n = 100, .mean = 24410837606, .sd = 24410837606 * 0.00042 * 10},
		.b = {.n = 100, .mean = 24344492146, .sd = 24344492146 * 0.00051 * 10}};
	struct judge_rules rules = at_05;
	struct judgement j;

	(void)state;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_int_equal(j.method, JUDGE_SUMMARY);
	near(j.p, 5.629e-05, 1e-3);
	near(j.change.estimate, -0.002718, 1e-3);
	near(j.change.low, -0.004017, 1e-3);
	near(j.change.high, -0.001418, 1e-3);
	near(j.smallest_visible, 0.00186, 5e-3);
	assert_true(j.within_margin);
	data.a = (struct judge_side){.n = 100, .mean = 115401247, .sd = 115401247 * 0.0099};
	data.b = (struct judge_side){.n = 100, .mean = 115385694, .sd = 115385694 * 0.0105};
	rules.margin = 0.005;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	near(j.equivalence.p, 0.00045, 1e-2);
	near(j.smallest_visible, 0.00406, 5e-3);
	assert_int_equal(judge_look(&j, &rules, j.p, true), JUDGE_SAME);
	data.b.n = 1;
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	assert_int_equal(j.method, JUDGE_NONE);
	data.b.values = (double[]){1};
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), -EINVAL);
}

/* The interval is what the tests do not reject; scaling B scales the estimate and nothing else. */
static void tests_and_interval_agree(void **state)
{
	double a[20], b[20], scaled[20];
	struct judge_data data = pairs(a, b, 20), other = pairs(a, scaled, 20);
	struct judge_rules rules = at_05;
	struct judgement j, k;

	(void)state;
	for (int i = 0; i < 20; i++) {
		a[i] = 1000 + 37 * i % 101;
		b[i] = 1010 + 53 * i % 103;
	}
	assert_int_equal(judge(&j, &data, &rules, JUDGE_ALL), 0);
	/* At a margin just outside the equivalence interval, "same" is shown; inside, it is not. */
	rules.margin = fmax(-j.equivalence.low, j.equivalence.high) * (1 + 1e-9);
	assert_int_equal(judge(&k, &data, &rules, JUDGE_TESTS), 0);
	assert_true(k.within_margin);
	rules.margin *= 1 - 1e-6;
	assert_int_equal(judge(&k, &data, &rules, JUDGE_TESTS), 0);
	assert_false(k.within_margin);
	assert_true(isnan(k.change.low) && isnan(k.smallest_visible));
	near(j.ruled_out_above, j.equivalence.high, 0);
	for (int i = 0; i < 20; i++)
		scaled[i] = 2 * b[i];
	rules.margin = 0.01;
	assert_int_equal(judge(&k, &other, &rules, JUDGE_ALL), 0);
	near(1 + k.change.estimate, 2 * (1 + j.change.estimate), 1e-12);
	near(1 + k.change.low, 2 * (1 + j.change.low), 1e-12);
	near(judge_half_width(&k), 2 * judge_half_width(&j), 1e-9);
}

static void adjusted_p_decides(void **state)
{
	struct judgement j = {.method = JUDGE_RANK, .p = 0.01, .p_greater = 0.005, .p_less = 0.99};

	(void)state;
	j.equivalence.p = 0.5;
	assert_int_equal(judge_look(&j, &at_05, j.p, true), JUDGE_HIGHER);
	assert_int_equal(judge_look(&j, &at_05, 0.06, true), JUDGE_UNCLEAR);
	j.equivalence.p = 0.01;
	assert_int_equal(judge_look(&j, &at_05, 0.06, false), JUDGE_SAME);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schedules),
		cmocka_unit_test(boundaries),
		cmocka_unit_test(out_of_time),
		cmocka_unit_test(methods),
		cmocka_unit_test(bad_input),
		cmocka_unit_test(constants),
		cmocka_unit_test(zeros),
		cmocka_unit_test(gate_directions),
		cmocka_unit_test(published_figures),
		cmocka_unit_test(tests_and_interval_agree),
		cmocka_unit_test(adjusted_p_decides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
