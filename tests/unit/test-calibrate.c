/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calibrating synthetic records: what noise does to random blocks, and to AAAA-BBBB order.
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

#include "calibrate.h"
#include "plan.h"

enum { SEED = 20 };

/* SplitMix64. */
static double uniform(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
	return sqrt(-2 * log(uniform(state))) * cos(2 * 3.14159265358979323846 * uniform(state));
}

/* The value of one run: the noise of run number I, given what has been drawn so far. */
typedef double noise(uint64_t *state, double *memory);

static double white(uint64_t *state, double *memory)
{
	(void)memory;
	return 1000 + 10 * normal(state);
}

static double wandering(uint64_t *state, double *memory)
{
	*memory += 5 * normal(state);
	return 10000 + *memory + 10 * normal(state);
}

static double constant(uint64_t *state, double *memory)
{
	(void)state;
	(void)memory;
	return 1234567;
}

static double mostly_zero(uint64_t *state, double *memory)
{
	(void)memory;
	return uniform(state) < 0.1 ? 1 : 0;
}

/* A and B are the same: the orders are drawn, the noise goes on over the runs whatever they are. */
static void make_record(struct record *r, uint32_t blocks, noise *next)
{
	uint64_t state = SEED;
	double memory = 0;
	struct metric *m;

	record_init(r);
	m = metric_append(&r->metrics);
	assert_non_null(m);
	m->name = strdup("duration_time");
	m->event = strdup("duration_time");
	m->unit = strdup("ns");
	r->primary = 0;
	r->plan.blocks = blocks;
	assert_non_null(record_add_variant(r, "A", "x"));
	assert_non_null(record_add_variant(r, "B", "x"));
	for (uint32_t i = 0; i < blocks; i++) {
		uint16_t order[2];

		plan_order(SEED, i, order, 2);
		for (uint16_t k = 0; k < 2; k++) {
			struct record_run run = {
			    .block = i, .variant = order[k], .position = k, .group = -1};
			struct reading reading = {.value = next(&state, &memory)};

			assert_int_equal(record_append(r, &run, &reading), 0);
		}
	}
}

static void equal_in_any_order(void **context)
{
	struct calibration c;
	struct record r;

	(void)context;
	make_record(&r, 2000, white);
	assert_int_equal(calibrate(&c, &r, 0.05), 0);
	assert_int_equal(c.n_metrics, 1);
	assert_int_equal(c.blocks, 2000);
	assert_false(c.metrics[0].deterministic);
	assert_int_equal(c.metrics[0].pairs, 2000);
	assert_float_equal(c.metrics[0].sd, 10, 0.5);
	for (size_t i = 0; i < CALIBRATE_SIZES; i++) {
		const struct calibrate_row *row = &c.metrics[0].rows[i];
		double sd = 0.01 * sqrt(2.0 / (double)row->n);

		assert_int_equal(row->n, calibrate_sizes[i]);
		assert_int_equal(row->stretches, 2000 / row->n);
		/* 5 % is inside both intervals, and no size is far from the normal theory. */
		assert_true(row->blocks.share.low <= 0.05 && row->blocks.share.high >= 0.05);
		assert_true(row->sequence.share.low <= 0.05 && row->sequence.share.high >= 0.05);
		assert_true(row->half_width > 1.8 * sd && row->half_width < 2.6 * sd);
		assert_true(row->visible > 2.6 * sd && row->visible < 3.6 * sd);
	}
	calibration_release(&c);
	record_release(&r);
}

static void drift_is_seen(void **context)
{
	struct calibration c;
	struct record r;

	(void)context;
	make_record(&r, 2000, wandering);
	assert_int_equal(calibrate(&c, &r, 0.05), 0);
	for (size_t i = 0; i < CALIBRATE_SIZES; i++) {
		const struct calibrate_row *row = &c.metrics[0].rows[i];

		assert_true(row->blocks.share.low <= 0.05);
		assert_true(row->sequence.share.low > 0.2);
		assert_true(row->sequence.alarms > 4 * row->blocks.alarms);
	}
	calibration_release(&c);
	record_release(&r);
}

static void constants_are_told(void **context)
{
	struct calibration c;
	struct record r;
	char *sentence;

	(void)context;
	make_record(&r, 200, constant);
	assert_int_equal(calibrate(&c, &r, 0.05), 0);
	assert_true(c.metrics[0].deterministic);
	assert_int_equal(c.metrics[0].rows[0].stretches, 0);
	sentence = calibration_sentence(&c);
	assert_non_null(sentence);
	assert_non_null(strstr(sentence, "has no noise here"));
	free(sentence);
	calibration_release(&c);
	record_release(&r);
}

/* Without a ratio and without a median to divide by there is a rate all the same. */
static void zeros_have_rates(void **context)
{
	struct calibration c;
	struct record r;
	char *sentence;

	(void)context;
	make_record(&r, 400, mostly_zero);
	assert_int_equal(calibrate(&c, &r, 0.05), 0);
	assert_false(isnan(c.metrics[0].rows[0].blocks.share.share));
	assert_true(c.metrics[0].rows[0].blocks.share.low <= 0.05);
	assert_true(isnan(c.metrics[0].rows[1].visible));
	sentence = calibration_sentence(&c);
	assert_non_null(sentence);
	assert_null(strstr(sentence, "nan"));
	free(sentence);
	calibration_release(&c);
	record_release(&r);
}

static void few_stretches_have_no_rate(void **context)
{
	struct calibration c;
	struct record r;
	const struct calibrate_row *rows;
	char *sentence;

	(void)context;
	make_record(&r, 60, white);
	assert_int_equal(calibrate(&c, &r, 0.05), 0);
	rows = c.metrics[0].rows;
	assert_int_equal(rows[0].stretches, 6);
	assert_false(isnan(rows[0].blocks.share.share));
	assert_int_equal(rows[1].stretches, 3);
	assert_true(isnan(rows[1].blocks.share.share));
	assert_false(isnan(rows[1].half_width));
	assert_int_equal(rows[3].stretches, 0);
	assert_true(isnan(rows[3].half_width));
	assert_ptr_equal(calibrate_typical(&c.metrics[0]), &rows[0]);
	calibration_release(&c);
	record_release(&r);

	make_record(&r, 49, white);
	assert_int_equal(calibrate(&c, &r, 0.05), 0);
	assert_null(calibrate_typical(&c.metrics[0]));
	sentence = calibration_sentence(&c);
	assert_non_null(sentence);
	assert_non_null(strstr(sentence, "at least 50"));
	free(sentence);
	calibration_release(&c);
	record_release(&r);
}

static void failed_blocks_are_left_out(void **context)
{
	struct calibration c;
	struct record r;

	(void)context;
	make_record(&r, 100, white);
	r.runs[7].outcome = RUN_EXIT;
	assert_int_equal(calibrate(&c, &r, 0.05), 0);
	assert_int_equal(c.blocks, 99);
	assert_int_equal(c.metrics[0].pairs, 99);
	calibration_release(&c);
	record_release(&r);
}

static void metrics_without_values_say_why(void **context)
{
	struct calibration c;
	struct record r;

	(void)context;
	make_record(&r, 100, white);
	for (size_t i = 0; i < r.n_runs; i++)
		r.readings[i] = (struct reading){.value = NAN, .reason = NULL_NOT_PERMITTED};
	assert_int_equal(calibrate(&c, &r, 0.05), 0);
	assert_int_equal(c.metrics[0].pairs, 0);
	assert_string_equal(c.metrics[0].reason, null_reason_text(NULL_NOT_PERMITTED));
	calibration_release(&c);
	record_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(equal_in_any_order),
	    cmocka_unit_test(drift_is_seen),
	    cmocka_unit_test(constants_are_told),
	    cmocka_unit_test(zeros_have_rates),
	    cmocka_unit_test(few_stretches_have_no_rate),
	    cmocka_unit_test(failed_blocks_are_left_out),
	    cmocka_unit_test(metrics_without_values_say_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
