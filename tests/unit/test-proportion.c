/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares and their intervals, against R's binom.test(). */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proportion.h"

static void as_in_r(void **state)
{
	static const struct {
		size_t hits, trials;
		double level, low, high;
	} cases[] = {
	    {0, 10, 0.95, 0, 0.308497107818761},
	    {1, 5, 0.95, 0.00505076337946806, 0.716417936118089},
	    {10, 10, 0.95, 0.691502892181239, 1},
	    {5, 100, 0.95, 0.0164318791820522, 0.112834911105463},
	    {20, 200, 0.95, 0.0621593662540661, 0.150212787867756},
	    {480, 10000, 0.95, 0.0438924267558909, 0.0523732962287377},
	    {3, 40, 0.90, 0.0207536014757012, 0.182586850015901},
	};
	struct proportion p;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(proportion_of(&p, cases[i].hits, cases[i].trials, cases[i].level),
				 0);
		assert_true(fabs(p.low - cases[i].low) <= 1e-10 * cases[i].low);
		assert_true(fabs(p.high - cases[i].high) <= 1e-10 * cases[i].high);
		assert_true(p.share == (double)cases[i].hits / (double)cases[i].trials);
	}
}

static double binomial(size_t k, size_t n, double p)
{
	double x = pow(1 - p, (double)n);

	for (size_t i = 0; i < k; i++)
		x *= (double)(n - i) / (double)(i + 1) * p / (1 - p);
	return x;
}

/* Whatever the true share is, the interval misses it in no more than 5 % of samples. */
static void covers(void **state)
{
	(void)state;
	for (size_t n = 1; n <= 40; n += 13)
		for (double share = 0.01; share < 1; share += 0.07) {
			double covered = 0;

			for (size_t k = 0; k <= n; k++) {
				struct proportion p;

				assert_int_equal(proportion_of(&p, k, n, 0.95), 0);
				if (p.low <= share && share <= p.high)
					covered += binomial(k, n, share);
			}
			assert_true(covered >= 0.95 - 1e-12);
		}
}

static void refuses(void **state)
{
	struct proportion p;

	(void)state;
	assert_int_equal(proportion_of(&p, 0, 0, 0.95), -EDOM);
	assert_int_equal(proportion_of(&p, 2, 1, 0.95), -EINVAL);
	assert_int_equal(proportion_of(&p, 1, 2, 1), -EINVAL);
	assert_int_equal(proportion_of(&p, 1, 2, 0), -EINVAL);
	assert_int_equal(proportion_of(&p, 1, 2, NAN), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(as_in_r),
	    cmocka_unit_test(covers),
	    cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
