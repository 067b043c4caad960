/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan: orders are permutations, all alike in likelihood, and a pure function of the seed and
 * the block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "plan.h"

enum { BLOCKS = 60000, MOST = 40 };

static void test_permutations(void **state)
{
	(void)state;
	for (size_t n = 1; n <= MOST; n++)
		for (uint32_t block = 0; block < 200; block++) {
			uint16_t order[MOST + 1];
			bool seen[MOST] = {false};

			memset(order, 0xff, sizeof(order));
			plan_order(42, block, order, n);
			for (size_t i = 0; i < n; i++) {
				assert_true(order[i] < n);
				assert_false(seen[order[i]]);
				seen[order[i]] = true;
			}
			assert_int_equal(order[n], 0xffff);
		}
}

/* The number of a permutation of N, from 0 to N! - 1. */
static size_t rank_of(const uint16_t *order, size_t n)
{
	size_t rank = 0;

	for (size_t i = 0; i < n; i++) {
		size_t smaller = 0;

		for (size_t k = i + 1; k < n; k++)
			smaller += order[k] < order[i];
		rank = rank * (n - i) + smaller;
	}
	return rank;
}

static double chi_square(const size_t *count, size_t cells, size_t total)
{
	double expected = (double)total / (double)cells, sum = 0;

	for (size_t i = 0; i < cells; i++)
		sum += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
	return sum;
}

/* Seeds are fixed: this cannot fail by chance, only by a change. The limit is at 5 sd of a
 * chi-square. */
static void check_uniform(const size_t *count, size_t cells, size_t total)
{
	double x = chi_square(count, cells, total), df = (double)cells - 1;
	double deviation = (x - df) * (x - df) / (2 * df);

	if (deviation > 25)
		fail_msg("chi-square %g with %g degrees of freedom", x, df);
}

static void test_equally_likely(void **state)
{
	static const uint64_t seeds[] = {0, 1, 2, 0xffffffff, UINT64_MAX, 0x9e3779b97f4a7c15};
	static const size_t factorial[] = {1, 1, 2, 6, 24, 120};

	(void)state;
	for (size_t s = 0; s < sizeof(seeds) / sizeof(seeds[0]); s++)
		for (size_t n = 2; n <= 5; n++) {
			size_t count[120] = {0};

			for (uint32_t block = 0; block < BLOCKS; block++) {
				uint16_t order[5];

				plan_order(seeds[s], block, order, n);
				count[rank_of(order, n)]++;
			}
			check_uniform(count, factorial[n], BLOCKS);
		}
}

/* One block's order says nothing of the next one's, nor one seed's of the next seed's. */
static void test_independent(void **state)
{
	size_t blocks[36] = {0}, seeds[36] = {0};

	(void)state;
	for (uint32_t i = 0; i < BLOCKS; i++) {
		uint16_t here[3], next[3], other[3];

		plan_order(7, i, here, 3);
		plan_order(7, i + 1, next, 3);
		plan_order(8, i, other, 3);
		blocks[6 * rank_of(here, 3) + rank_of(next, 3)]++;
		seeds[6 * rank_of(here, 3) + rank_of(other, 3)]++;
	}
	check_uniform(blocks, 36, BLOCKS);
	check_uniform(seeds, 36, BLOCKS);
}

static void test_pure(void **state)
{
	uint16_t first[6], again[6];
	size_t differ = 0;

	(void)state;
	plan_order(5, 1000, first, 6);
	for (uint32_t block = 0; block < 50; block++)
		plan_order(9, block, again, 6);
	plan_order(5, 1000, again, 6);
	assert_memory_equal(first, again, sizeof(first));
	for (uint32_t block = 0; block < 50; block++) {
		plan_order(5, block, again, 6);
		differ += memcmp(first, again, sizeof(first)) != 0;
	}
	assert_true(differ > 40);
}

static void test_block_seeds(void **state)
{
	size_t bits[31] = {0}, same_order = 0;
	uint64_t last = UINT64_MAX;

	(void)state;
	for (uint32_t block = 0; block < BLOCKS; block++) {
		uint64_t seed = plan_block_seed(3, block);
		uint16_t order[2];

		assert_true(seed <= INT32_MAX);
		assert_true(seed == plan_block_seed(3, block));
		assert_true(seed != last);
		last = seed;
		for (size_t i = 0; i < 31; i++)
			bits[i] += seed >> i & 1;
		plan_order(3, block, order, 2);
		same_order += order[0] == (seed & 1);
	}
	/* Every bit is set half of the time, and the order does not follow it: within 5 sd of a
	 * binomial. */
	for (size_t i = 0; i < 31; i++)
		assert_in_range(bits[i], BLOCKS / 2 - 612, BLOCKS / 2 + 612);
	assert_in_range(same_order, BLOCKS / 2 - 612, BLOCKS / 2 + 612);
}

static void test_stack_offsets(void **state)
{
	size_t count[256] = {0};

	(void)state;
	for (uint32_t block = 0; block < BLOCKS; block++) {
		uint32_t offset = plan_stack_offset(11, block);

		assert_true(offset < 4096);
		assert_int_equal(offset % 16, 0);
		count[offset / 16]++;
	}
	check_uniform(count, 256, BLOCKS);
}

static void test_default_blocks(void **state)
{
	(void)state;
	assert_int_equal(plan_default_blocks(0), 50);
	assert_int_equal(plan_default_blocks(1), 1000);
	assert_int_equal(plan_default_blocks(9990000), 1000);
	assert_int_equal(plan_default_blocks(10000000), 1000);
	assert_int_equal(plan_default_blocks(20000000), 500);
	assert_int_equal(plan_default_blocks(199000000), 50);
	assert_int_equal(plan_default_blocks(200000000), 50);
	assert_int_equal(plan_default_blocks(60000000000), 50);
	assert_int_equal(plan_default_blocks(UINT64_MAX), 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_permutations),   cmocka_unit_test(test_equally_likely),
	    cmocka_unit_test(test_independent),    cmocka_unit_test(test_pure),
	    cmocka_unit_test(test_block_seeds),    cmocka_unit_test(test_stack_offsets),
	    cmocka_unit_test(test_default_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
