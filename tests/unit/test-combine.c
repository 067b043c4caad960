/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-combine.c - several tests, several machines, many calls: what is made of many numbers.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "anytime.h"
#include "calls.h"
#include "combine.h"
#include "multiple.h"

static void near(double ours, double expected, double relative)
{
	if (!(fabs(ours - expected) <= relative * fabs(expected)))
		fail_msg("%.17g, expected %.17g", ours, expected);
}

/* Computed by the formulas with numpy and scipy. */
static void five_machines(void **state)
{
	const double change[] = {-0.020, -0.012, 0.004, -0.015, -0.031};
	const double se[] = {0.004, 0.006, 0.005, 0.003, 0.010};
	struct combined c;

	(void)state;
	assert_int_equal(combine(&c, change, se, 5, 0.95), 0);
	near(c.fixed, -0.013524861878453039, 1e-12);
	near(c.q, 18.265469613259672, 1e-12);
	near(c.q_p, 0.0010950409120976357, 1e-10);
	near(c.i2, 0.781007546770315, 1e-12);
	near(c.tau2, 8.063754406906701e-05, 1e-10);
	near(c.estimate, -0.013552210380538995, 1e-10);
	near(c.factor, 1.2689793484467158, 1e-10);
	near(c.low, -0.02828297265473642, 1e-9);
	near(c.high, 0.0011785518936584319, 1e-9);
	near(c.p, 0.0630166434060131, 1e-9);
	near(c.next_low, -0.04674546801366197, 1e-9);
	near(c.next_high, 0.019641047252583987, 1e-9);
}

static void machines_at_their_edges(void **state)
{
	const double agree[] = {0.01, 0.01, 0.01}, se[] = {0.001, 0.002, 0.003};
	const double bad[] = {0.001, 0, 0.003};
	struct combined c;

	(void)state;
	/* Agreeing to the last digit promises no more than the errors do. */
	assert_int_equal(combine(&c, agree, se, 3, 0.95), 0);
	assert_true(c.factor < 1e-12 && c.tau2 == 0 && c.i2 == 0);
	near(c.se, 1 / sqrt(1e6 + 1e6 / 4 + 1e6 / 9), 1e-12);
	assert_int_equal(combine(&c, agree, se, 2, 0.95), 0);
	assert_true(isnan(c.next_low));
	assert_int_equal(combine(&c, agree, se, 1, 0.95), -EDOM);
	assert_int_equal(combine(&c, agree, bad, 3, 0.95), -EINVAL);
	assert_int_equal(combine(&c, agree, se, 3, 1.5), -EINVAL);
}

static void adjustments(void **state)
{
	double p[] = {0.04, 0.01, 0.03}, none[1] = {0};

	(void)state;
	assert_int_equal(holm_adjust(p, 3, p), 0);
	near(p[0], 0.06, 1e-15);
	near(p[1], 0.03, 1e-15);
	near(p[2], 0.06, 1e-15);
	assert_int_equal(holm_adjust(none, 0, none), 0);
	p[1] = NAN;
	assert_int_equal(holm_adjust(p, 3, p), -EINVAL);
	p[1] = 1.5;
	assert_int_equal(bh_adjust(p, 3, p), -EINVAL);
}

static void calls_of_runs(void **state)
{
	static struct call_stream stream;
	struct run_of_calls runs[4];
	struct components c;

	(void)state;
	for (int r = 0; r < 3; r++) {
		stream = (struct call_stream){0};
		for (int i = 0; i < 100; i++)
			assert_int_equal(call_stream_add(&stream, 1000 + 10 * r + i % 2), 0);
		call_stream_reduce(&stream, &runs[r]);
		near(runs[r].mean, 1000.5 + 10 * r, 1e-12);
		near(runs[r].total, 100 * runs[r].mean, 1e-12);
		near(runs[r].p50, 1000 + 10 * r, 1.0 / 128);
	}
	stream = (struct call_stream){0};
	call_stream_reduce(&stream, &runs[3]);
	assert_true(runs[3].count == 0 && isnan(runs[3].mean) && runs[3].total == 0);
	assert_int_equal(call_stream_add(&stream, -1), -EINVAL);
	assert_int_equal(components_of(&c, runs, 4), 0);
	assert_int_equal(c.runs, 3);
	near(c.within, 0.25 * 100 / 99, 1e-12);
	near(c.between, 100, 1e-12);
	near(c.calls, 100, 1e-12);
	near(c.run_variance, 100 - 0.25 / 99, 1e-12);
	near(c.mean_variance, 100.0 / 3, 1e-12);
	near(calls_worth(&c, 1e6, 1), 1000 * sqrt(c.within / c.run_variance), 1e-12);
	assert_true(calls_worth(&c, 1, 1) == 1);
	assert_true(!c.uneven);
	runs[0].count = 10;
	assert_int_equal(components_of(&c, runs, 4), 0);
	assert_true(c.uneven);
	assert_int_equal(components_of(&c, runs, 1), -EDOM);
}

static void anytime(void **state)
{
	(void)state;
	near(anytime_t_threshold(20, 0.05, 1), 3.424780741134971, 1e-12);
	assert_true(isinf(anytime_t_threshold(2, 0.0001, 1)));
	assert_true(isnan(anytime_t_threshold(1, 0.05, 1)));
	assert_true(isnan(anytime_t_threshold(10, 0, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_machines), cmocka_unit_test(machines_at_their_edges),
		cmocka_unit_test(adjustments),   cmocka_unit_test(calls_of_runs),
		cmocka_unit_test(anytime),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
