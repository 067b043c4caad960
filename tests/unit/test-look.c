/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks: the levels that a verdict is held against, whatever ended the measurement. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analyse-look.h"
#include "dist.h"

/* For 50 blocks and alpha 0.05, to the digits that are published with the method. */
static const struct {
	size_t n;
	double z, level, e;
} table[] = {
    {10, 2.8428, .00447, 2.6142}, {14, 2.8343, .00459, 2.5910}, {20, 2.6649, .00770, 2.4062},
    {28, 2.4903, .01276, 2.2130}, {40, 2.2765, .02282, 1.9747}, {50, 2.1744, .02968, 1.8517},
};
enum { LOOKS = sizeof(table) / sizeof(table[0]) };

static struct record_plan plan_of(uint32_t blocks, enum stop_reason stopped)
{
	return (struct record_plan){
	    .max_blocks = blocks,
	    .alpha = 0.05,
	    .margin = 0.01,
	    .gate = NAN,
	    .precision = NAN,
	    .interleaved = true,
	    .stopped = stopped,
	};
}

static void test_table(void **state)
{
	static const enum stop_reason reasons[] = {STOPPED_NOT, STOPPED_VERDICT};

	(void)state;
	for (size_t k = 0; k < LOOKS; k++)
		for (size_t i = 0; i < 2; i++) {
			struct record_plan plan = plan_of(50, reasons[i]);
			struct look look;

			assert_int_equal(look_at(&look, &plan, table[k].n, 0.05), 0);
			assert_false(look.none);
			assert_int_equal(look.last, k == LOOKS - 1);
			assert_true(fabs(dist_normal_quantile_upper(look.rules.level / 2) -
					 table[k].z) < 6e-5);
			assert_true(fabs(look.rules.level - table[k].level) < 6e-6);
			assert_true(fabs(dist_normal_quantile_upper(look.rules.same_level) -
					 table[k].e) < 6e-5);
			assert_true(look.rules.alpha == 0.05);
			assert_true(look.rules.gate < 0);
		}
}

static void test_next(void **state)
{
	struct record_plan plan = plan_of(50, STOPPED_NOT);

	(void)state;
	assert_int_equal(look_next(&plan, 0), 10);
	assert_int_equal(look_next(&plan, 9), 10);
	assert_int_equal(look_next(&plan, 10), 14);
	assert_int_equal(look_next(&plan, 39), 40);
	assert_int_equal(look_next(&plan, 40), 50);
	assert_int_equal(look_next(&plan, 50), 50);
	plan.fixed = true;
	assert_int_equal(look_next(&plan, 0), 50);
}

/* Between looks nothing is decided, whatever is seen. */
static void test_between(void **state)
{
	struct record_plan plan = plan_of(50, STOPPED_NOT);
	struct look look;

	(void)state;
	for (size_t n = 0; n < 50; n++) {
		size_t k = 0;

		while (k < LOOKS && table[k].n < n)
			k++;
		assert_int_equal(look_at(&look, &plan, n, 0.05), 0);
		assert_int_equal(look.none, table[k].n != n);
	}
}

/* The total of alpha is spent at the end, at whatever number of blocks that comes. */
static void test_end_spends_all(void **state)
{
	static const enum stop_reason reasons[] = {STOPPED_BLOCKS, STOPPED_TIME};

	(void)state;
	for (size_t i = 0; i < 2; i++)
		for (size_t n = 1; n <= 50; n++) {
			struct record_plan plan = plan_of(50, reasons[i]);
			struct look look;
			size_t k = 0;

			assert_int_equal(look_at(&look, &plan, n, 0.05), 0);
			assert_false(look.none);
			assert_true(look.last);
			/* Before the first look nothing has been spent. */
			if (n <= 10)
				assert_true(fabs(look.rules.level - 0.05) < 1e-12);
			while (table[k].n < n)
				k++;
			/* More than the scheduled level of that look, less than a test that stands
			 * alone. */
			assert_true(look.rules.level > table[k].level - 6e-6);
			assert_true(look.rules.level <= 0.05);
			assert_true(look.rules.same_level <= 0.05);
			if (n == 50)
				assert_true(fabs(look.rules.level - table[5].level) < 6e-6);
		}
}

static void test_odd_end(void **state)
{
	struct record_plan plan = plan_of(50, STOPPED_TIME);
	struct sequential s;
	struct look look;

	(void)state;
	/* 33 blocks: the looks at 10, 14, 20 and 28 have been, the fifth is the last. */
	assert_int_equal(sequential_plan(&s, 50, 0.05, SEQUENTIAL_RHO), 0);
	assert_int_equal(sequential_end(&s, &s, 4, 33), 0);
	assert_int_equal(look_at(&look, &plan, 33, 0.05), 0);
	assert_true(fabs(look.rules.level - s.level[4]) < 1e-12);
	assert_true(look.rules.level > 0.0128);
}

static void test_interrupted(void **state)
{
	static const enum stop_reason reasons[] = {STOPPED_INTERRUPT, STOPPED_FAILED};

	(void)state;
	for (size_t i = 0; i < 2; i++)
		for (int fixed = 0; fixed < 2; fixed++)
			for (size_t n = 0; n <= 50; n++) {
				struct record_plan plan = plan_of(50, reasons[i]);
				struct look look;

				plan.fixed = fixed;
				assert_int_equal(look_at(&look, &plan, n, 0.05), 0);
				assert_true(look.none);
				assert_true(look.rules.level > 0 && look.rules.level <= 0.05);
			}
}

static void check_alone(const struct record_plan *plan, size_t n, double alpha)
{
	struct look look;

	assert_int_equal(look_at(&look, plan, n, alpha), 0);
	assert_false(look.none);
	assert_true(look.last);
	assert_true(fabs(look.rules.level - alpha) < 1e-12);
	assert_true(fabs(look.rules.same_level - alpha) < 1e-12);
}

static void test_one_look(void **state)
{
	struct record_plan plan = plan_of(50, STOPPED_BLOCKS);

	(void)state;
	check_alone(NULL, 7, 0.05);
	check_alone(NULL, 7, 0.01);
	plan.fixed = true;
	check_alone(&plan, 50, 0.05);
	/* Blocks that failed are missing: the one look is at what is left. */
	check_alone(&plan, 43, 0.05);
	plan.stopped = STOPPED_TIME;
	check_alone(&plan, 20, 0.05);
}

/* With --precision nobody looks at the verdict on the way: it is one look, however it ends. */
static void test_precision(void **state)
{
	static const enum stop_reason reasons[] = {STOPPED_PRECISION, STOPPED_BLOCKS, STOPPED_TIME};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct record_plan plan = plan_of(50, reasons[i]);

		plan.precision = 0.005;
		check_alone(&plan, 23, 0.05);
		check_alone(&plan, 50, 0.05);
	}
}

/* What `stat` measured had no limit: when its variants are compared afterwards, that is one look.
 */
static void test_no_limit(void **state)
{
	struct record_plan plan = plan_of(0, STOPPED_TIME);

	(void)state;
	check_alone(&plan, 12, 0.05);
}

static void test_failed_blocks(void **state)
{
	struct record_plan plan = plan_of(50, STOPPED_BLOCKS);
	struct look look, all;

	(void)state;
	assert_int_equal(look_at(&all, &plan, 50, 0.05), 0);
	assert_int_equal(look_at(&look, &plan, 47, 0.05), 0);
	assert_false(look.none);
	assert_true(look.rules.level > 0.02 && look.rules.level <= 0.05);
	/* All failed: there is nothing, but that is no error. */
	assert_int_equal(look_at(&look, &plan, 0, 0.05), 0);
	assert_true(look.none);
}

static void test_wrong_alpha(void **state)
{
	static const double wrong[] = {0, -1, 1, 2, NAN, INFINITY};
	struct record_plan plan = plan_of(50, STOPPED_BLOCKS);
	struct look look;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(look_at(&look, &plan, 50, wrong[i]), -EINVAL);
		assert_int_equal(look_at(&look, NULL, 50, wrong[i]), -EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_table),       cmocka_unit_test(test_next),
	    cmocka_unit_test(test_between),     cmocka_unit_test(test_end_spends_all),
	    cmocka_unit_test(test_odd_end),     cmocka_unit_test(test_interrupted),
	    cmocka_unit_test(test_one_look),    cmocka_unit_test(test_precision),
	    cmocka_unit_test(test_no_limit),    cmocka_unit_test(test_failed_blocks),
	    cmocka_unit_test(test_wrong_alpha),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
