/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-summary.c - means and variances that must not cancel or overflow; quantiles; histograms.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "histogram.h"
#include "summary.h"

static void near(double ours, double expected, double relative)
{
	if (!(fabs(ours - expected) <= relative * fabs(expected)))
		fail_msg("%.17g, expected %.17g", ours, expected);
}

static void few_values(void **state)
{
	const double one = 4.5, two[] = {1, 4};
	struct summary s = {.n = 99};

	(void)state;
	assert_int_equal(summary_of(&s, &one, 0, NULL), -EDOM);
	assert_int_equal(s.n, 99);
	assert_int_equal(summary_of(&s, &one, 1, NULL), 0);
	near(s.mean, 4.5, 0);
	near(s.median, 4.5, 0);
	near(s.q99, 4.5, 0);
	assert_true(isnan(s.variance) && isnan(s.sem_percent));
	assert_true(s.mad == 0);
	assert_int_equal(summary_of(&s, two, 2, NULL), 0);
	near(s.variance, 4.5, 1e-15);
	near(s.q90, 3.7, 1e-15);
}

static void bad_values(void **state)
{
	double x[] = {1, NAN, 3};
	struct summary s;
	struct moments m = {0};

	(void)state;
	assert_int_equal(summary_of(&s, x, 3, NULL), -EINVAL);
	x[1] = INFINITY;
	assert_int_equal(summary_of(&s, x, 3, NULL), -EINVAL);
	assert_int_equal(moments_add(&m, -INFINITY), -EINVAL);
	assert_int_equal(m.n, 0);
}

/* A sum of squares would lose every digit of these variances. */
static void no_cancellation(void **state)
{
	double x[1000];
	struct summary s;

	(void)state;
	for (int i = 0; i < 1000; i++)
		x[i] = 1e10 + i % 2;
	assert_int_equal(summary_of(&s, x, 1000, NULL), 0);
	near(s.variance, 0.25 * 1000 / 999, 1e-12);
	near(s.mean, 1e10 + 0.5, 1e-16);
	for (int i = 0; i < 1000; i++)
		x[i] = 1e15 + i % 5;
	assert_int_equal(summary_of(&s, x, 1000, NULL), 0);
	near(s.variance, 2.0 * 1000 / 999, 1e-12);
	near(s.sem_percent, 100 * sqrt(2.0 / 999) / (1e15 + 2), 1e-12);
}

static void extremes(void **state)
{
	const double wide[] = {-1e308, 1e308}, large[] = {1e307, 1e307, 1.1e307};
	const double tiny[] = {5e-324, 1e-323, 5e-324};
	struct summary s;

	(void)state;
	assert_int_equal(summary_of(&s, wide, 2, NULL), -ERANGE);
	assert_int_equal(summary_of(&s, large, 3, NULL), -ERANGE);
	assert_int_equal(summary_of(&s, tiny, 3, NULL), 0);
	near(s.median, 5e-324, 0);
	assert_true(sorted_median(wide, 2) == 0);
	assert_true(sorted_quantile(wide, 2, 0.5) == 0);
	assert_true(isnan(sorted_quantile(wide, 2, 1.5)) && isnan(sorted_quantile(wide, 0, 0.5)));
}

static void zeros_and_negatives(void **state)
{
	const double zeros[] = {0, 0, 0}, mixed[] = {-3, -1, 1, 3};
	struct summary s;

	(void)state;
	assert_int_equal(summary_of(&s, zeros, 3, NULL), 0);
	assert_true(s.sd == 0 && isnan(s.sem_percent));
	assert_int_equal(summary_of(&s, mixed, 4, NULL), 0);
	assert_true(s.mean == 0 && s.min == -3 && s.max == 3 && s.mad == 2);
	near(s.q25, -1.5, 0);
}

static void merging(void **state)
{
	double x[50], scratch[50];
	struct moments left = {0}, right = {0}, all;
	struct summary s;

	(void)state;
	for (int i = 0; i < 50; i++) {
		x[i] = 1e12 + (i * 37 % 50) * 0.25;
		assert_int_equal(moments_add(i < 20 ? &left : &right, x[i]), 0);
	}
	assert_int_equal(moments_of(&all, x, 50), 0);
	assert_int_equal(moments_merge(&left, &right), 0);
	assert_int_equal(left.n, 50);
	near(moments_mean(&left), moments_mean(&all), 1e-16);
	near(moments_variance(&left), moments_variance(&all), 1e-10);
	near(left.max, all.max, 0);
	assert_int_equal(moments_merge(&left, &(struct moments){0}), 0);
	assert_int_equal(left.n, 50);
	assert_int_equal(summary_of(&s, x, 50, scratch), 0);
	near(s.variance, moments_variance(&all), 1e-15);
}

static void bins(void **state)
{
	const double x[] = {0, 0.5, 1, 2, 2.99, 3, 7, -1};
	size_t counts[3];

	(void)state;
	assert_int_equal(histogram_fill(counts, 3, 0, 3, x, 8), 0);
	assert_int_equal(counts[0], 3);
	assert_int_equal(counts[1], 1);
	assert_int_equal(counts[2], 4);
	assert_int_equal(histogram_fill(counts, 3, 2, 2, x, 8), 0);
	assert_int_equal(counts[0], 8);
	assert_int_equal(histogram_fill(counts, 0, 0, 1, x, 8), -EINVAL);
	assert_int_equal(histogram_fill(counts, 3, 1, 0, x, 8), -EINVAL);
}

static void streamed_quantiles(void **state)
{
	static struct stream_histogram h, zeros;

	(void)state;
	assert_true(isnan(stream_histogram_quantile(&h, 0.5)));
	for (int i = 1; i <= 100000; i++)
		assert_int_equal(stream_histogram_add(&h, 1000 + (i * 7919 % 100003) * 0.37), 0);
	near(stream_histogram_quantile(&h, 0.5), 1000 + 50001 * 0.37, 1.0 / 128);
	near(stream_histogram_quantile(&h, 0.99), 1000 + 99002 * 0.37, 1.0 / 128);
	near(stream_histogram_quantile(&h, 0), h.min, 0);
	near(stream_histogram_quantile(&h, 1), h.max, 0);
	assert_int_equal(stream_histogram_add(&h, -1), -EINVAL);
	assert_int_equal(stream_histogram_add(&h, NAN), -EINVAL);
	for (int i = 0; i < 10; i++)
		assert_int_equal(stream_histogram_add(&zeros, i < 8 ? 0 : 5e-324), 0);
	assert_true(stream_histogram_quantile(&zeros, 0.5) == 0);
	assert_int_equal(stream_histogram_add(&zeros, 1e308), 0);
	near(stream_histogram_quantile(&zeros, 1), 1e308, 0);
}

static int compare_values(const void *left, const void *right)
{
	double l = *(const double *)left, r = *(const double *)right;

	return (l > r) - (l < r);
}

/* Many values are sorted by their bits: of both signs, of all sizes, tied, or all the same. */
static void sorting(void **state)
{
	static double x[5000], expected[5000];
	const size_t sizes[] = {0, 1, 2, 1023, 1024, 5000};
	uint64_t seed = 23;

	(void)state;
	for (size_t s = 0; s < 4 * sizeof(sizes) / sizeof(*sizes); s++) {
		size_t n = sizes[s / 4];
		struct place *p;

		for (size_t i = 0; i < n; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			double u = (double)(seed >> 11) * 0x1p-53;

			x[i] = s % 4 == 0   ? tan(3.14159 * (u - 0.5))
			       : s % 4 == 1 ? floor(5 * u) - 2
			       : s % 4 == 2 ? 7
					    : ldexp(u - 0.5, (int)(seed % 2000) - 1000);
		}
		if (n > 4 && s % 4 == 3) {
			x[0] = INFINITY;
			x[1] = -INFINITY;
			x[2] = -0.0;
		}
		memcpy(expected, x, sizeof(x));
		qsort(expected, n, sizeof(*x), compare_values);
		p = sort_places(x, n);
		assert_true(p || n == 0);
		for (size_t i = 0; i < n; i++) {
			assert_true(p[i].value == expected[i]);
			assert_true(x[p[i].index] == p[i].value);
			/* In their order where they are tied, so that no place comes twice. */
			assert_true(i == 0 || p[i].value > p[i - 1].value ||
				    p[i].index > p[i - 1].index || p[i].value == 0);
		}
		free(p);
		sort_doubles(x, n);
		for (size_t i = 0; i < n; i++)
			assert_true(x[i] == expected[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_values),
		cmocka_unit_test(bad_values),
		cmocka_unit_test(no_cancellation),
		cmocka_unit_test(extremes),
		cmocka_unit_test(zeros_and_negatives),
		cmocka_unit_test(merging),
		cmocka_unit_test(bins),
		cmocka_unit_test(streamed_quantiles),
		cmocka_unit_test(sorting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
