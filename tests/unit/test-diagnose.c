/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-diagnose.c - the five diagnostics: what they find, and how rarely they speak without cause.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "diagnose.h"
#include "trend.h"

enum { RUNS = 100 };

static double uniform(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)((*seed >> 11) + 1) * 0x1p-53;
}

static double normal(uint64_t *seed)
{
	return sqrt(-2 * log(uniform(seed))) * cos(2 * M_PI * uniform(seed));
}

/* Two variants 10 apart, alternating, with noise of standard deviation 1 about 100. */
static void experiment(double *x, size_t *group, size_t n, uint64_t *seed)
{
	for (size_t i = 0; i < n; i++) {
		group[i] = i % 2;
		x[i] = 100 + 10 * (double)group[i] + normal(seed);
	}
}

static void quiet_on_clean_runs(void **state)
{
	int memory = 0, drift = 0, warmup = 0, outliers = 0, modes = 0;
	const int experiments = 2000;
	uint64_t seed = 1;

	(void)state;
	for (int k = 0; k < experiments; k++) {
		struct sequence_diagnosis order;
		struct sample_diagnosis side;
		double x[40];
		size_t group[40];

		experiment(x, group, 40, &seed);
		assert_int_equal(diagnose_sequence(&order, x, group, 40, 2), 0);
		assert_true(order.order_tested && order.warmup_tested);
		memory += order.autocorrelated;
		drift += order.drifting;
		warmup += order.warmup;
		for (int i = 0; i < 20; i++)
			x[i] = normal(&seed) + 100;
		assert_int_equal(diagnose_sample(&side, x, 20), 0);
		assert_true(side.outliers_tested && side.modes_tested);
		outliers += side.outliers > 0;
		modes += side.two_modes;
	}
	/* About 1 % each; 4 standard errors of that. */
	assert_true(memory < experiments * 0.019);
	assert_true(drift < experiments * 0.019);
	assert_true(warmup < experiments * 0.012);
	assert_true(outliers < experiments * 0.016);
	assert_true(modes < experiments * 0.010);
}

static void finds_trouble(void **state)
{
	int memory = 0, drift = 0, warmup = 0, outliers = 0, modes = 0;
	const int experiments = 200;
	uint64_t seed = 2;

	(void)state;
	for (int k = 0; k < experiments; k++) {
		double clean[RUNS], x[RUNS], last = 0;
		struct sequence_diagnosis order;
		struct sample_diagnosis side;
		size_t group[RUNS];

		experiment(clean, group, RUNS, &seed);
		for (int i = 0; i < RUNS; i++) {
			last = 0.5 * last + sqrt(0.75) * normal(&seed);
			x[i] = 100 + 10 * (double)group[i] + last;
		}
		assert_int_equal(diagnose_sequence(&order, x, group, RUNS, 2), 0);
		memory += order.autocorrelated;
		for (int i = 0; i < RUNS; i++)
			x[i] = clean[i] + 2.0 * i / RUNS;
		assert_int_equal(diagnose_sequence(&order, x, group, RUNS, 2), 0);
		drift += order.drifting && order.drift_z > 0;
		x[0] = clean[0] + 6;
		for (int i = 1; i < RUNS; i++)
			x[i] = clean[i];
		assert_int_equal(diagnose_sequence(&order, x, group, RUNS, 2), 0);
		warmup += order.warmup;
		for (int i = 0; i < 20; i++)
			x[i] = 100 + normal(&seed) + (i == 7 ? 10 : 0);
		assert_int_equal(diagnose_sample(&side, x, 20), 0);
		outliers += side.outliers > 0;
		for (int i = 0; i < 40; i++)
			x[i] = 100 + normal(&seed) + (i % 3 == 0 ? 8 : 0);
		assert_int_equal(diagnose_sample(&side, x, 40), 0);
		modes += side.two_modes && fabs(side.mode_high - side.mode_low - 8) < 2;
	}
	assert_true(memory >= experiments * 0.95);
	assert_true(drift >= experiments * 0.95);
	assert_true(warmup >= experiments * 0.90);
	assert_true(outliers >= experiments * 0.95);
	assert_true(modes >= experiments * 0.90);
}

static void silent_where_nothing_can_be_said(void **state)
{
	double same[30], x[30] = {1, 2, 3, 4, 5, NAN}, coarse[30], steady[30];
	struct sequence_diagnosis order;
	struct sample_diagnosis side;
	size_t group[30] = {0};

	(void)state;
	for (int i = 0; i < 30; i++) {
		same[i] = 5;
		coarse[i] = i % 5;
		/* An excess of 0.01 % is 10 MADs here, and nobody's concern. */
		steady[i] = 1e6 + i % 10 + (i == 20 ? 100 : 0);
	}
	assert_int_equal(diagnose_sequence(&order, same, group, 30, 1), 0);
	assert_true(!order.order_tested && !order.warmup_tested && !order.drifting);
	assert_int_equal(diagnose_sample(&side, same, 30), 0);
	assert_true(!side.outliers_tested && !side.modes_tested && isnan(side.largest_z));
	assert_int_equal(diagnose_sample(&side, coarse, 30), 0);
	assert_false(side.outliers_tested);
	assert_int_equal(diagnose_sample(&side, steady, 30), 0);
	assert_true(side.largest_z > 10 && side.outliers == 0);
	assert_int_equal(diagnose_sample(&side, steady, 19), 0);
	assert_false(side.modes_tested);
	assert_int_equal(diagnose_sample(&side, x, 0), -EDOM);
	assert_int_equal(diagnose_sample(&side, x, 6), -EINVAL);
	assert_int_equal(diagnose_sequence(&order, x, group, 6, 1), -EINVAL);
	assert_int_equal(diagnose_sequence(&order, x, group, 5, 1), 0);
	assert_false(order.order_tested);
	group[2] = 1;
	assert_int_equal(diagnose_sequence(&order, x, group, 5, 1), -EINVAL);
}

static void trend_of_many_by_counting(void **state)
{
	enum { N = 300 };
	double x[N], s = 0;
	struct mann_kendall mk;
	struct rank_von_neumann rvn;
	struct lag1 l;
	uint64_t seed = 4;

	(void)state;
	for (int i = 0; i < N; i++)
		x[i] = floor(20 * uniform(&seed));
	for (int i = 0; i < N; i++)
		for (int j = i + 1; j < N; j++)
			s += (x[j] > x[i]) - (x[j] < x[i]);
	assert_int_equal(mann_kendall(&mk, x, N), 0);
	assert_true(mk.s == s);
	assert_int_equal(mann_kendall(&mk, x, 1), -EDOM);
	for (int i = 0; i < N; i++)
		x[i] = 1;
	assert_int_equal(mann_kendall(&mk, x, N), 0);
	assert_true(mk.s == 0 && mk.p == 1);
	assert_int_equal(rank_von_neumann(&rvn, x, N), -EDOM);
	assert_int_equal(lag1_autocorrelation(&l, x, N), -EDOM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quiet_on_clean_runs),
		cmocka_unit_test(finds_trouble),
		cmocka_unit_test(silent_where_nothing_can_be_said),
		cmocka_unit_test(trend_of_many_by_counting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
