/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series: what counts of a record, and what is paired with what. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "record-fixture.h"
#include "series.h"

static struct record_run *add(struct record *r, uint32_t block, size_t variant, double value)
{
	return made_run(r, block, variant, &value);
}

static void take(struct series *s, const struct record *r, size_t variant)
{
	size_t n;
	bool *failed = series_failed_blocks(r, &n);

	assert_non_null(failed);
	assert_int_equal(series_take(s, r, variant, 0, failed, n), 0);
	free(failed);
}

static void expect(const struct series *s, size_t n, const double *values, const uint32_t *blocks)
{
	assert_int_equal(s->n, n);
	for (size_t i = 0; i < n; i++) {
		assert_true(s->values[i] == values[i]);
		assert_int_equal(s->blocks[i], blocks[i]);
	}
}

static void init(struct record *r)
{
	made_init(r, 2);
	made_metric(r, "cycles", NULL, "", DIRECTION_LOWER);
}

static void test_what_counts(void **state)
{
	struct record r;
	struct series a, b;

	(void)state;
	init(&r);
	add(&r, 0, 0, 900)->warmup = true;
	add(&r, 0, 1, 901)->warmup = true;
	add(&r, 1, 1, 11);
	add(&r, 1, 0, 10);
	add(&r, 2, 0, 20); /* the other one failed: the whole block is out */
	add(&r, 2, 1, 21)->outcome = RUN_EXIT;
	add(&r, 3, 0, NAN); /* null on one side only */
	add(&r, 3, 1, 31);
	add(&r, 4, 0, 40);
	add(&r, 4, 1, 41);
	add(&r, 5, 0, 50); /* the block did not come to its end */
	take(&a, &r, 0);
	take(&b, &r, 1);
	expect(&a, 3, (double[]){10, 40, 50}, (uint32_t[]){1, 4, 5});
	expect(&b, 3, (double[]){11, 31, 41}, (uint32_t[]){1, 3, 4});
	for (size_t i = 0; i < a.n; i++) {
		assert_int_equal(r.runs[a.runs[i]].block, a.blocks[i]);
		assert_int_equal(r.runs[a.runs[i]].variant, 0);
	}
	series_pair(&a, &b);
	expect(&a, 2, (double[]){10, 40}, (uint32_t[]){1, 4});
	expect(&b, 2, (double[]){11, 41}, (uint32_t[]){1, 4});
	assert_int_equal(r.runs[b.runs[1]].block, 4);
	series_release(&a);
	series_release(&b);
	record_release(&r);
}

static void test_every_outcome_but_ok_fails(void **state)
{
	(void)state;
	for (int outcome = RUN_OK; outcome <= RUN_NOT_STARTED; outcome++) {
		struct record r;
		size_t n;

		init(&r);
		add(&r, 0, 0, 1);
		add(&r, 3, 0, 1)->outcome = (uint8_t)outcome;
		bool *failed = series_failed_blocks(&r, &n);

		assert_int_equal(n, 4);
		assert_false(failed[0]);
		assert_false(failed[1]);
		assert_int_equal(failed[3], outcome != RUN_OK);
		free(failed);
		record_release(&r);
	}
}

/* A warm-up block that failed is no reason to leave out a measured one. */
static void test_failed_warmup(void **state)
{
	struct record r;
	struct series a;

	(void)state;
	init(&r);
	struct record_run *w = add(&r, 0, 0, 900);

	w->warmup = true;
	w->outcome = RUN_SIGNAL;
	add(&r, 1, 0, 1);
	take(&a, &r, 0);
	expect(&a, 1, (double[]){1}, (uint32_t[]){1});
	series_release(&a);
	record_release(&r);
}

static void test_nothing(void **state)
{
	struct record r;
	struct series a, b;

	(void)state;
	init(&r);
	take(&a, &r, 0);
	take(&b, &r, 1);
	assert_int_equal(a.n, 0);
	series_pair(&a, &b);
	assert_int_equal(a.n, 0);
	assert_int_equal(b.n, 0);
	series_release(&a);
	series_release(&b);
	record_release(&r);
}

static void test_no_common_block(void **state)
{
	struct record r;
	struct series a, b;

	(void)state;
	init(&r);
	for (uint32_t i = 0; i < 10; i++)
		add(&r, i, i % 2, i);
	take(&a, &r, 0);
	take(&b, &r, 1);
	assert_int_equal(a.n, 5);
	series_pair(&a, &b);
	assert_int_equal(a.n, 0);
	series_release(&a);
	series_release(&b);
	record_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_what_counts),
	    cmocka_unit_test(test_every_outcome_but_ok_fails),
	    cmocka_unit_test(test_failed_warmup),
	    cmocka_unit_test(test_nothing),
	    cmocka_unit_test(test_no_common_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
