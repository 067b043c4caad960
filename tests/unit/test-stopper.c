/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stoppers, driven with blocks made up in memory and a clock that the test turns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analyse.h"
#include "record-fixture.h"
#include "stopper.h"

enum { MOST_LOOKS = 400 };

/* An experiment: what a block gives, how long it takes, and what was asked of the stopper on the
 * way. */
struct fixture {
	struct plan_options options;
	struct judge_options judge;
	struct record record;
	double sd, effect;
	uint64_t block_ns;
	uint32_t fail_every; /* every so many-th block fails; 0: none does, 1: all do */
	uint32_t valid;
	uint32_t looks[MOST_LOOKS]; /* valid blocks at each */
	size_t n_looks;
	uint64_t elapsed_ns, random;
};

static void init(struct fixture *f, size_t n_variants, double sd, double effect)
{
	*f = (struct fixture){.sd = sd, .effect = effect, .block_ns = 10000000, .random = 77};
	plan_options_init(&f->options);
	judge_options_init(&f->judge);
	made_init(&f->record, n_variants);
	made_metric(&f->record, "cycles", NULL, "", DIRECTION_LOWER);
	f->record.plan.fixed = false;
	f->record.plan.stopped = STOPPED_NOT;
	f->record.plan.gate = f->record.plan.precision = NAN;
}

static void run_block(struct fixture *f)
{
	struct record_plan *plan = &f->record.plan;
	bool fails = f->fail_every && plan->blocks % f->fail_every == f->fail_every - 1;

	for (size_t v = 0; v < f->record.n_variants; v++) {
		double value = 1000 * (1 + f->sd * made_normal(&f->random)) * (v ? f->effect : 1);
		struct record_run *run = made_run(&f->record, plan->blocks, v, &value);

		if (fails && v == 0)
			run->outcome = RUN_EXIT;
	}
	plan->blocks++;
	f->valid += !fails;
	f->elapsed_ns += f->block_ns;
}

static void drive(struct fixture *f, struct stopper *s)
{
	struct record_plan *plan = &f->record.plan;
	char err[500] = "";

	assert_non_null(s);
	assert_int_equal(s->begin(s, &f->record, f->block_ns, err, sizeof(err)), 0);
	while (plan->stopped == STOPPED_NOT) {
		uint32_t more = s->next(s, &f->record, f->valid);
		bool late = false;

		assert_true(more >= 1);
		if (plan->max_blocks)
			assert_true(plan->blocks + more <= plan->max_blocks);
		for (; more && !late; more--) {
			run_block(f);
			late = f->options.max_time_ns && f->elapsed_ns >= f->options.max_time_ns;
		}
		assert_true(f->n_looks < MOST_LOOKS);
		f->looks[f->n_looks++] = f->valid;
		if (s->look(s, &f->record, f->valid, f->elapsed_ns, late, err, sizeof(err)))
			fail_msg("%s", err);
	}
	stopper_free(s);
}

static void compare(struct fixture *f)
{
	drive(f, stopper_by_evidence_new(&f->options, &f->judge));
}

static void stat(struct fixture *f)
{
	drive(f, stopper_by_runs_new(&f->options));
}

static struct report_comparison verdict(const struct fixture *f)
{
	struct report report;
	char err[500];

	assert_int_equal(
	    analyse_record(&report, &f->record, &f->judge, true, ANALYSE_ALL, err, sizeof(err)), 0);
	struct report_comparison c = report.comparisons[0];

	report_release(&report);
	return c;
}

static void stopped(struct fixture *f, enum stop_reason reason, uint32_t blocks)
{
	if (f->record.plan.stopped != reason || f->record.plan.blocks != blocks)
		fail_msg("stopped for reason %d after %u blocks", f->record.plan.stopped,
			 f->record.plan.blocks);
	record_release(&f->record);
}

static void test_looks_as_planned(void **state)
{
	static const uint32_t planned[] = {10, 14, 20, 28, 40, 50};
	struct fixture f;

	(void)state;
	init(&f, 2, 0.05, 1);
	f.options.max_runs = 50;
	compare(&f);
	assert_int_equal(f.n_looks, 6);
	assert_memory_equal(f.looks, planned, sizeof(planned));
	assert_int_equal(verdict(&f).verdict, VERDICT_UNCLEAR);
	stopped(&f, STOPPED_BLOCKS, 50);
}

static void test_big_difference(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, 2, 0.003, 1.05);
	f.options.max_runs = 50;
	compare(&f);
	assert_int_equal(verdict(&f).verdict, VERDICT_WORSE);
	stopped(&f, STOPPED_VERDICT, 10);
	/* The same is an answer as well. */
	init(&f, 2, 0.002, 1);
	f.options.max_runs = 50;
	compare(&f);
	assert_int_equal(verdict(&f).verdict, VERDICT_SAME);
	stopped(&f, STOPPED_VERDICT, 10);
}

static void test_default_blocks(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, 2, 0.05, 1);
	f.block_ns = 100000000;
	compare(&f);
	assert_int_equal(f.record.plan.max_blocks, 100);
	stopped(&f, STOPPED_BLOCKS, 100);
	init(&f, 2, 0.003, 1.05);
	f.block_ns = 0;
	compare(&f);
	assert_int_equal(f.record.plan.max_blocks, 50);
	assert_true(f.record.plan.alpha == 0.05 && f.record.plan.margin == 0.01);
	assert_true(isnan(f.record.plan.gate));
	stopped(&f, STOPPED_VERDICT, 10);
}

static void test_exact_number(void **state)
{
	static const uint32_t counts[] = {1, 2, 6, 37};
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		init(&f, 2, 0.003, 1.5);
		f.options.runs = counts[i];
		compare(&f);
		assert_true(f.record.plan.fixed);
		assert_int_equal(f.n_looks, 1);
		stopped(&f, STOPPED_BLOCKS, counts[i]);
		init(&f, 1, 0.003, 1);
		f.options.runs = counts[i];
		stat(&f);
		stopped(&f, STOPPED_BLOCKS, counts[i]);
	}
}

static void test_min_runs(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, 2, 0.003, 1.05);
	f.options.max_runs = 50;
	f.options.min_runs = 15;
	compare(&f);
	/* The first planned look that is not earlier. */
	stopped(&f, STOPPED_VERDICT, 20);
	init(&f, 2, 0.003, 1.05);
	f.options.min_runs = 60;
	f.block_ns = 1000000000;
	compare(&f);
	assert_int_equal(verdict(&f).verdict, VERDICT_WORSE);
	stopped(&f, STOPPED_BLOCKS, 60);
}

/* What the time limit ends is judged with all the alpha that is left. */
static void test_max_time(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, 2, 0.05, 1);
	f.options.max_runs = 50;
	f.options.max_time_ns = 330000000;
	compare(&f);
	assert_int_equal(verdict(&f).verdict, VERDICT_UNCLEAR);
	stopped(&f, STOPPED_TIME, 33);
	/* Before the first look: then it is the only one. */
	init(&f, 2, 0.003, 1.05);
	f.options.max_runs = 50;
	f.options.max_time_ns = 70000000;
	compare(&f);
	assert_int_equal(verdict(&f).verdict, VERDICT_WORSE);
	stopped(&f, STOPPED_TIME, 7);
	init(&f, 2, 0.003, 1.05);
	f.options.runs = 1000;
	f.options.max_time_ns = 120000000;
	compare(&f);
	assert_int_equal(verdict(&f).verdict, VERDICT_WORSE);
	stopped(&f, STOPPED_TIME, 12);
}

static void test_precision(void **state)
{
	struct report_comparison c;
	struct fixture f;
	struct report report;
	char err[500];

	(void)state;
	init(&f, 2, 0.02, 1);
	f.options.max_runs = 1000;
	f.options.precision = 0.01;
	compare(&f);
	assert_int_equal(f.record.plan.stopped, STOPPED_PRECISION);
	assert_true(f.record.plan.blocks > 15 && f.record.plan.blocks < 100);
	assert_int_equal(
	    analyse_record(&report, &f.record, &f.judge, true, ANALYSE_ALL, err, sizeof(err)), 0);
	assert_true(report.comparisons[0].changes[0].half_width <= 0.01);
	report_release(&report);
	/* A verdict, however clear, is no reason to stop. */
	stopped(&f, STOPPED_PRECISION, f.record.plan.blocks);
	init(&f, 2, 0.02, 2);
	f.options.max_runs = 12;
	f.options.precision = 0.001;
	compare(&f);
	c = verdict(&f);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	stopped(&f, STOPPED_BLOCKS, 12);
}

/* Where there are zeros the interval is a shift: its width is held against the baseline, not
 * against 0.1. */
static void test_precision_of_shifts(void **state)
{
	struct fixture f;
	double zero = 0;

	(void)state;
	init(&f, 2, 0.02, 1);
	f.options.max_runs = 1000;
	f.options.precision = 0.1;
	/* A block before the first that counts makes no difference but for its zero. */
	made_run(&f.record, 0, 0, &zero);
	made_run(&f.record, 0, 1, &zero);
	f.record.plan.blocks = f.valid = 1;
	compare(&f);
	assert_int_equal(f.record.plan.stopped, STOPPED_PRECISION);
	assert_true(f.record.plan.blocks < 50);
	record_release(&f.record);
}

static void test_gate_stops(void **state)
{
	struct fixture f;

	(void)state;
	/* Better than the baseline is no verdict that a gate waits for: not worse is all it asks.
	 */
	init(&f, 2, 0.01, 1);
	f.options.max_runs = 200;
	f.judge.gate = true;
	f.judge.gate_margin = 0.05;
	f.judge.margin = 0.0001;
	compare(&f);
	assert_int_equal(verdict(&f).gate, GATE_PASSED);
	assert_int_equal(verdict(&f).verdict, VERDICT_UNCLEAR);
	assert_true(f.record.plan.gate == 0.05);
	assert_true(f.record.plan.blocks < 50);
	stopped(&f, STOPPED_VERDICT, f.record.plan.blocks);
	/* And worse, but by about the limit, goes on although the difference itself is clear. */
	init(&f, 2, 0.01, 1.05);
	f.options.max_runs = 100;
	f.judge.gate = true;
	f.judge.gate_margin = 0.05;
	compare(&f);
	assert_int_equal(verdict(&f).verdict, VERDICT_WORSE);
	assert_int_equal(verdict(&f).gate, GATE_UNCLEAR);
	stopped(&f, STOPPED_BLOCKS, 100);
}

static void test_failing_blocks(void **state)
{
	struct fixture f;

	(void)state;
	/* A third of the blocks fails: looks come at the planned numbers of those that count. */
	init(&f, 2, 0.003, 1.05);
	f.options.max_runs = 50;
	f.fail_every = 3;
	compare(&f);
	assert_int_equal(f.valid, 10);
	assert_int_equal(verdict(&f).verdict, VERDICT_WORSE);
	record_release(&f.record);
	/* All fail: it comes to an end. */
	init(&f, 2, 0.003, 1.05);
	f.options.max_runs = 50;
	f.fail_every = 1;
	compare(&f);
	assert_int_equal(verdict(&f).verdict, VERDICT_NONE);
	stopped(&f, STOPPED_BLOCKS, 50);
	init(&f, 2, 0.003, 1.05);
	f.options.precision = 0.01;
	f.fail_every = 1;
	f.block_ns = 1000000000;
	compare(&f);
	stopped(&f, STOPPED_BLOCKS, 50);
}

static void test_several(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, 4, 0.003, 1.05);
	f.options.max_runs = 50;
	compare(&f);
	/* Three times 2/1024, the least p of 10 pairs, is above that look's level. */
	stopped(&f, STOPPED_VERDICT, 14);
}

static void test_stat_default(void **state)
{
	struct fixture f;

	(void)state;
	/* About 3 s ... */
	init(&f, 1, 0.01, 1);
	stat(&f);
	assert_int_equal(f.record.plan.stopped, STOPPED_TIME);
	assert_in_range(f.record.plan.blocks, 300, 320);
	assert_int_equal(f.record.plan.max_blocks, 0);
	record_release(&f.record);
	/* ... and 10 runs at least. */
	init(&f, 1, 0.01, 1);
	f.block_ns = 2000000000;
	stat(&f);
	stopped(&f, STOPPED_TIME, 10);
	init(&f, 1, 0.01, 1);
	f.options.min_runs = 3;
	f.block_ns = 2000000000;
	stat(&f);
	stopped(&f, STOPPED_TIME, 3);
	init(&f, 1, 0.01, 1);
	f.options.max_runs = 4;
	stat(&f);
	stopped(&f, STOPPED_BLOCKS, 4);
	init(&f, 1, 0.01, 1);
	f.options.max_time_ns = 50000000;
	stat(&f);
	stopped(&f, STOPPED_TIME, 5);
	/* No fewer than there are groups of counters. */
	init(&f, 1, 0.01, 1);
	f.record.plan.groups = 15;
	f.block_ns = 2000000000;
	stat(&f);
	stopped(&f, STOPPED_TIME, 15);
}

static void test_stat_precision(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, 1, 0.02, 1);
	f.options.precision = 0.005;
	stat(&f);
	assert_int_equal(f.record.plan.stopped, STOPPED_PRECISION);
	/* t × sd / sqrt(n) = 0.5 % at about 64 runs. */
	assert_in_range(f.record.plan.blocks, 40, 100);
	record_release(&f.record);
	/* Without an interval there is an end all the same. */
	init(&f, 1, 0.02, 1);
	f.options.precision = 0.005;
	f.fail_every = 1;
	stat(&f);
	assert_in_range(f.record.plan.blocks, 300, 320);
	stopped(&f, STOPPED_TIME, f.record.plan.blocks);
}

static void test_calibration(void **state)
{
	struct fixture f;

	(void)state;
	/* However different the sides seem, nothing stops it. */
	init(&f, 2, 0.001, 2);
	drive(&f, stopper_for_calibration_new(&f.options));
	assert_int_equal(f.n_looks, 1);
	stopped(&f, STOPPED_BLOCKS, 2000);
	init(&f, 2, 0.001, 2);
	f.block_ns = 5000000000;
	drive(&f, stopper_for_calibration_new(&f.options));
	stopped(&f, STOPPED_BLOCKS, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_looks_as_planned), cmocka_unit_test(test_big_difference),
	    cmocka_unit_test(test_default_blocks),   cmocka_unit_test(test_exact_number),
	    cmocka_unit_test(test_min_runs),         cmocka_unit_test(test_max_time),
	    cmocka_unit_test(test_precision),        cmocka_unit_test(test_precision_of_shifts),
	    cmocka_unit_test(test_gate_stops),       cmocka_unit_test(test_failing_blocks),
	    cmocka_unit_test(test_several),          cmocka_unit_test(test_stat_default),
	    cmocka_unit_test(test_stat_precision),   cmocka_unit_test(test_calibration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
