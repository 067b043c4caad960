/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-means.c - Welch, Fieller and equivalence of means at their edges; the distributions.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dist.h"
#include "equivalence.h"
#include "fieller.h"
#include "power.h"
#include "welch.h"

static void near(double ours, double expected, double relative)
{
	if (!(fabs(ours - expected) <= relative * fabs(expected)))
		fail_msg("%.17g, expected %.17g", ours, expected);
}

static void too_few_and_bad(void **state)
{
	const double x[] = {1, 2, NAN};
	struct welch w;

	(void)state;
	assert_int_equal(welch_of(&w, x, 1, x, 2), -EDOM);
	assert_int_equal(welch_of(&w, x, 2, x, 0), -EDOM);
	assert_int_equal(welch_of(&w, x, 3, x, 2), -EINVAL);
	assert_int_equal(welch_of_summaries(&w, 1, -1, 5, 1, 1, 5), -EINVAL);
	assert_int_equal(welch_of_summaries(&w, 1, INFINITY, 5, 1, 1, 5), -EINVAL);
	assert_int_equal(welch_of_summaries(&w, 1, 1, 1, 1, 1, 5), -EDOM);
	assert_int_equal(welch_of_summaries(&w, 1, 1e200, 5, 1, 1e200, 5), -ERANGE);
}

static void constant_sides(void **state)
{
	const double seven[] = {7, 7, 7}, eight[] = {8, 8, 8, 8}, some[] = {7, 8, 9};
	struct welch w;
	struct fieller f;
	double low, high;

	(void)state;
	assert_int_equal(welch_of(&w, seven, 3, eight, 4), 0);
	assert_true(w.deterministic && w.p == 0 && w.p_less == 1 && isinf(w.t));
	assert_int_equal(welch_interval(&w, 0.95, &low, &high), 0);
	assert_true(low == 1 && high == 1);
	assert_int_equal(fieller_interval(&f, &w, 0.95), 0);
	near(f.low, 8.0 / 7, 1e-15);
	near(f.high, 8.0 / 7, 1e-15);
	assert_int_equal(welch_of(&w, seven, 3, seven, 3), 0);
	assert_true(w.deterministic && w.p == 1 && w.p_greater == 1 && w.t == 0);
	assert_int_equal(welch_of(&w, seven, 3, some, 3), 0);
	assert_true(!w.deterministic && w.df == 2);
}

static void large_counts(void **state)
{
	double a[6], b[6];
	struct welch w;

	(void)state;
	for (int i = 0; i < 6; i++) {
		a[i] = 3e10 + i % 3;
		b[i] = 3e10 + 2 + i % 3;
	}
	assert_int_equal(welch_of(&w, a, 6, b, 6), 0);
	near(w.diff, 2, 1e-12);
	near(w.se, sqrt(2 * 0.8 / 6), 1e-12);
	near(w.df, 10, 1e-12);
}

static void unbounded_ratio(void **state)
{
	struct welch w;
	struct fieller f;

	(void)state;
	/* The baseline's mean cannot be told from 0. */
	assert_int_equal(welch_of_summaries(&w, 1, 10, 5, 2, 1, 5), 0);
	assert_int_equal(fieller_interval(&f, &w, 0.95), 0);
	assert_true(!f.bounded && isinf(f.low) && isinf(f.high) && f.low < 0);
	assert_int_equal(welch_of_summaries(&w, 0, 1, 5, 2, 1, 5), 0);
	assert_int_equal(fieller_interval(&f, &w, 0.95), -EDOM);
	assert_int_equal(fieller_interval(&f, &w, 1), -EINVAL);
	/* A negative baseline has a ratio too. */
	assert_int_equal(welch_of_summaries(&w, -10, 1, 5, -20, 1, 5), 0);
	assert_int_equal(fieller_interval(&f, &w, 0.95), 0);
	assert_true(f.bounded && f.low < 2 && f.high > 2);
}

/* An equivalence test at alpha is the interval of level 1 - 2 alpha lying inside the margin. */
static void tost_is_an_interval(void **state)
{
	struct welch w;
	struct fieller f;
	struct tost t;
	double low, high, reach;

	(void)state;
	assert_int_equal(welch_of_summaries(&w, 26.63, 0.38, 10, 26.52, 0.47, 12), 0);
	assert_int_equal(welch_interval(&w, 0.90, &low, &high), 0);
	assert_int_equal(tost_welch(&t, &w, -low), 0);
	near(t.p, 0.05, 1e-9);
	assert_int_equal(tost_welch_percent(&t, &w, -low / 26.63), 0);
	near(t.p, 0.05, 1e-9);
	assert_int_equal(fieller_interval(&f, &w, 0.90), 0);
	reach = 1 - f.low;
	assert_int_equal(tost_welch_ratio(&t, &w, reach), 0);
	near(t.p, 0.05, 1e-9);
	assert_int_equal(tost_welch(&t, &w, 0), -EINVAL);
	assert_int_equal(tost_welch_ratio(&t, &w, 1), -EINVAL);
}

static void distributions(void **state)
{
	(void)state;
	assert_true(isnan(dist_t_tail(1, 0)) && isnan(dist_t_tail(NAN, 5)));
	assert_true(isnan(dist_normal_quantile(1.5)) && isnan(dist_chisq_quantile(0.5, -1)));
	near(dist_normal_tail(37), 5.725571222524577e-300, 1e-10);
	near(dist_normal_quantile_upper(0.025), 1.959963984540054, 1e-14);
	near(dist_t_cdf(-2, 5), dist_t_tail(2, 5), 1e-15);
	near(dist_t_quantile(0.975, 1e9), 1.959963984540054, 1e-8);
	near(dist_chisq_tail(3.841458820694124, 1), 0.05, 1e-12);
	near(dist_chisq_cdf(3.841458820694124, 1), 0.95, 1e-12);
	near(dist_noncentral_t_tail(2, 10, 0), dist_t_tail(2, 10), 1e-10);
	near(dist_noncentral_t_tail(INFINITY, 10, 1) + 1, 1, 0);
	near(dist_noncentral_t_tail(2, 1e6, 50), 1, 1e-12);
	near(dist_noncentral_t_tail(-3, 10, -3), 1 - dist_noncentral_t_tail(3, 10, 3), 1e-12);
}

static void planning(void **state)
{
	struct run_plan plan;
	size_t n;

	(void)state;
	near(pilot_inflation(5), 1.32, 0.005);
	near(pilot_inflation(10), 1.18, 0.005);
	near(pilot_inflation(20), 1.12, 0.005);
	assert_true(isnan(pilot_inflation(1)));
	assert_int_equal(runs_for_two_sample(0, 1, 0.05, 0.8, &n), -EINVAL);
	assert_int_equal(runs_for_two_sample(1e-9, 1, 0.05, 0.8, &n), -ERANGE);
	assert_int_equal(runs_for_two_sample(100, 1, 0.05, 0.8, &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(plan_runs(&plan, 100, 1, 0.05), 0);
	assert_int_equal(plan.fixed, 6);
	assert_int_equal(plan_runs(&plan, 0.5, 1, 0.05), 0);
	assert_int_equal(plan.fixed, 74);      /* 1.15 x 64 */
	assert_int_equal(plan.max_blocks, 81); /* 1.09 x 74 */
	/* The interval of Student's pooled test gives its standard deviation back. */
	near(sd_of_interval(-1, 1, 10, 0.95), 1 / 2.10092204024104 * sqrt(5), 1e-12);
	assert_true(isnan(sd_of_interval(-INFINITY, 1, 10, 0.95)));
	near(smallest_visible(1, 18, 0.05, 0.8), 2.10092204024104 + 0.862048667, 1e-8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_few_and_bad),     cmocka_unit_test(constant_sides),
		cmocka_unit_test(large_counts),        cmocka_unit_test(unbounded_ratio),
		cmocka_unit_test(tost_is_an_interval), cmocka_unit_test(distributions),
		cmocka_unit_test(planning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
