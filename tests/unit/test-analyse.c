/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From records made up in memory to verdicts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "analyse.h"
#include "command.h"
#include "record-fixture.h"

static const double same3[] = {1, 1, 1};

static void report_of(struct report *report, const struct record *r, const struct judge_options *judge)
{
	char err[500] = "";

	if (analyse_record(report, r, judge, true, ANALYSE_ALL, err, sizeof(err)))
		fail_msg("%s", err);
}

/* N pairs of one metric in which B is EFFECT times A. */
static void make(struct record *r, uint32_t n, double sd, double effect, enum direction direction)
{
	const double effects[] = {1, effect};

	made_init(r, 2);
	made_metric(r, "cycles", NULL, "", direction);
	made_blocks(r, n, sd, effects, 99);
}

static struct report_change change_of(const struct record *r, const struct judge_options *judge)
{
	struct report report;

	report_of(&report, r, judge);
	struct report_change c = report.comparisons[0].changes[0];

	assert_int_equal(report.comparisons[0].verdict, c.verdict);
	assert_non_null(report.comparisons[0].sentence);
	report_release(&report);
	return c;
}

static void test_directions(void **state)
{
	static const struct {
		double effect;
		enum direction direction;
		enum verdict verdict;
	} cases[] = {
		{1.05, DIRECTION_LOWER, VERDICT_WORSE},	   {0.95, DIRECTION_LOWER, VERDICT_BETTER},
		{1.05, DIRECTION_HIGHER, VERDICT_BETTER},  {0.95, DIRECTION_HIGHER, VERDICT_WORSE},
		{1.05, DIRECTION_NEUTRAL, VERDICT_CHANGED}, {0.95, DIRECTION_NEUTRAL, VERDICT_CHANGED},
		{1.0, DIRECTION_LOWER, VERDICT_SAME},	   {1.0, DIRECTION_NEUTRAL, VERDICT_SAME},
	};
	struct judge_options judge;

	(void)state;
	judge_options_init(&judge);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record r;

		make(&r, 30, 0.005, cases[i].effect, cases[i].direction);
		struct report_change c = change_of(&r, &judge);

		if (c.verdict != cases[i].verdict)
			fail_msg("case %zu: %s", i, verdict_word(c.verdict));
		assert_int_equal(c.n, 30);
		assert_int_equal(c.method, METHOD_RANK);
		assert_false(c.absolute);
		assert_false(c.within_margin);
		assert_true(c.low <= c.estimate && c.estimate <= c.high);
		assert_true(c.low < cases[i].effect - 1 && cases[i].effect - 1 < c.high);
		assert_true(fabs(c.half_width - (c.high - c.low) / 2) < 1e-15);
		assert_true(c.level == 0.95 && c.alpha == 0.05);
		assert_true(fabs(c.welch.estimate - c.estimate) < 0.003);
		record_release(&r);
	}
}

static void test_unclear(void **state)
{
	struct judge_options judge;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	make(&r, 12, 0.05, 1, DIRECTION_LOWER);
	struct report_change c = change_of(&r, &judge);

	assert_int_equal(c.verdict, VERDICT_UNCLEAR);
	/* What is known all the same. */
	assert_true(c.ruled_out_above > 0 && c.ruled_out_above < 0.1);
	assert_true(c.smallest_visible > 0.02 && c.smallest_visible < 0.2);
	assert_true(c.runs_needed > 100 && c.runs_needed < 5000);
	record_release(&r);
}

static void test_within_margin(void **state)
{
	struct judge_options judge;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	judge.margin = 0.05;
	make(&r, 30, 0.003, 1.01, DIRECTION_LOWER);
	struct report_change c = change_of(&r, &judge);

	assert_int_equal(c.verdict, VERDICT_WORSE);
	assert_true(c.within_margin);
	assert_true(c.equivalence.margin == 0.05);
	judge.margin = 0.001;
	c = change_of(&r, &judge);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	assert_false(c.within_margin);
	record_release(&r);
}

/* A metric's own margin is its own; what was planned holds unless something else is asked for. */
static void test_margins(void **state)
{
	static struct metric_margin own[] = {{"b", 0.2}};
	struct judge_options judge;
	struct report report;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 2);
	made_metric(&r, "a:u", "a", "", DIRECTION_LOWER);
	made_metric(&r, "b:u", "b", "", DIRECTION_LOWER);
	made_metric(&r, "c", NULL, "", DIRECTION_LOWER)->margin = 0.07;
	made_blocks(&r, 20, 0.01, same3, 4);
	r.plan.margin = 0.03;
	judge.margins = own;
	judge.n_margins = 1;
	report_of(&report, &r, &judge);
	assert_true(report.comparisons[0].changes[0].equivalence.margin == 0.03);
	assert_true(report.comparisons[0].changes[1].equivalence.margin == 0.2);
	assert_true(report.comparisons[0].changes[2].equivalence.margin == 0.07);
	report_release(&report);
	judge.margin = 0.5;
	report_of(&report, &r, &judge);
	assert_true(report.comparisons[0].changes[0].equivalence.margin == 0.5);
	assert_true(report.comparisons[0].changes[1].equivalence.margin == 0.2);
	assert_true(report.comparisons[0].changes[2].equivalence.margin == 0.5);
	report_release(&report);
	record_release(&r);
}

static int gate_status(const struct record *r, struct judge_options *judge, enum gate_result *results)
{
	struct report report;

	report_of(&report, r, judge);
	for (size_t i = 0; i < report.n_comparisons; i++)
		results[i] = report.comparisons[i].gate;
	int status = report.status;

	report_release(&report);
	return status;
}

static void test_gate(void **state)
{
	static const struct {
		double effect, sd;
		enum direction direction;
		enum gate_result gate;
		int status;
	} cases[] = {
		{1.00, .003, DIRECTION_LOWER, GATE_PASSED, 0},
		{0.90, .003, DIRECTION_LOWER, GATE_PASSED, 0},
		{1.05, .003, DIRECTION_LOWER, GATE_WORSE, STATUS_WORSE},
		{1.01, .003, DIRECTION_LOWER, GATE_PASSED, 0}, /* worse, but by less than 2 % */
		{1.00, .060, DIRECTION_LOWER, GATE_UNCLEAR, STATUS_NO_VERDICT},
		{0.95, .003, DIRECTION_HIGHER, GATE_WORSE, STATUS_WORSE},
		{1.10, .003, DIRECTION_HIGHER, GATE_PASSED, 0},
	};
	struct judge_options judge;
	enum gate_result gate;

	(void)state;
	judge_options_init(&judge);
	judge.gate = true;
	judge.gate_margin = 0.02;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record r;

		make(&r, 20, cases[i].sd, cases[i].effect, cases[i].direction);
		int status = gate_status(&r, &judge, &gate);

		if (gate != cases[i].gate || status != cases[i].status)
			fail_msg("case %zu: %s, status %d", i, gate_result_word(gate), status);
		record_release(&r);
	}
}

static void test_gate_options(void **state)
{
	struct judge_options judge;
	enum gate_result gate;
	struct report report;
	struct record r;
	char err[500];

	(void)state;
	judge_options_init(&judge);
	make(&r, 20, 0.06, 1, DIRECTION_LOWER);
	assert_int_equal(gate_status(&r, &judge, &gate), 0);
	assert_int_equal(gate, GATE_NONE);
	/* A gate that was planned holds for what was saved. */
	r.plan.gate = 0.01;
	assert_int_equal(gate_status(&r, &judge, &gate), STATUS_NO_VERDICT);
	judge.unclear_status = 77;
	assert_int_equal(gate_status(&r, &judge, &gate), 77);
	record_release(&r);
	/* "Worse" has no meaning where neither way is good. */
	judge.gate = true;
	make(&r, 20, 0.06, 1, DIRECTION_NEUTRAL);
	assert_int_equal(analyse_record(&report, &r, &judge, true, ANALYSE_ALL, err, sizeof(err)),
			 STATUS_USAGE);
	assert_string_equal(err, "--gate asks whether 'cycles' got worse, but neither more nor less of it is "
				 "better: say --lower-is-better or --higher-is-better 'cycles'");
	report_release(&report);
	record_release(&r);
}

static void test_gate_of_several(void **state)
{
	static const struct {
		double effects[3];
		double sd;
		int status;
	} cases[] = {
		{{1, 1.0, 1.0}, .003, 0},
		{{1, 1.0, 1.1}, .003, STATUS_WORSE},
		{{1, 1.1, 1.0}, .003, STATUS_WORSE},
		{{1, 1.0, 1.0}, .080, STATUS_NO_VERDICT},
		{{1, 1.9, 1.0}, .080, STATUS_WORSE}, /* the other one is unclear */
		{{1, 0.5, 1.0}, .080, STATUS_NO_VERDICT},
	};
	struct judge_options judge;
	enum gate_result gates[2];

	(void)state;
	judge_options_init(&judge);
	judge.gate = true;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record r;

		made_init(&r, 3);
		made_metric(&r, "cycles", NULL, "", DIRECTION_LOWER);
		made_blocks(&r, 20, cases[i].sd, cases[i].effects, 5);
		int status = gate_status(&r, &judge, gates);

		if (status != cases[i].status)
			fail_msg("case %zu: %s, %s, status %d", i, gate_result_word(gates[0]),
				 gate_result_word(gates[1]), status);
		record_release(&r);
	}
}

/* The primary metric's comparisons are one family, all the others' another one. */
static void test_holm(void **state)
{
	struct judge_options judge;
	struct report report;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 3);
	for (int i = 0; i < 4; i++) {
		char name[] = "m0";

		name[1] = (char)('0' + i);
		made_metric(&r, name, NULL, "", DIRECTION_LOWER);
	}
	r.metrics.v[3].shown = false;
	made_blocks(&r, 12, 0.01, (double[]){1, 1.006, 0.995}, 8);
	report_of(&report, &r, &judge);
	double p[4], largest = 0;

	for (size_t i = 0; i < 2; i++)
		for (size_t m = 0; m < 2; m++)
			p[2 * i + m] = report.comparisons[i].changes[m + 1].p;
	for (size_t i = 0; i < 2; i++) {
		const struct report_change *c = report.comparisons[i].changes;
		double other = report.comparisons[1 - i].changes[0].p;

		assert_true(fabs(c[0].p_adjusted - (c[0].p <= other ? fmin(1, 2 * c[0].p)
								     : fmax(c[0].p, fmin(1, 2 * other)))) <
			    1e-15);
		/* What is not shown is no member of a family. */
		assert_true(c[3].p_adjusted == c[3].p);
	}
	/* Holm by its definition. */
	for (size_t rank = 0; rank < 4; rank++) {
		size_t least = 0;

		for (size_t i = 1; i < 4; i++)
			if (p[i] < p[least])
				least = i;
		largest = fmax(largest, fmin(1, (double)(4 - rank) * p[least]));
		assert_true(fabs(report.comparisons[least / 2].changes[1 + least % 2].p_adjusted - largest) <
			    1e-15);
		p[least] = INFINITY;
	}
	report_release(&report);
	record_release(&r);
}

/* Secondary metrics are held against the level of the look that stopped. */
static void test_level_of_the_look(void **state)
{
	struct judge_options judge;
	struct report report;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 2);
	made_metric(&r, "a", NULL, "", DIRECTION_LOWER);
	made_metric(&r, "b", NULL, "", DIRECTION_LOWER);
	made_blocks(&r, 14, 0.003, (double[]){1, 1.05}, 8);
	r.plan.fixed = false;
	r.plan.max_blocks = 50;
	r.plan.stopped = STOPPED_VERDICT;
	report_of(&report, &r, &judge);
	for (size_t m = 0; m < 2; m++) {
		const struct report_change *c = &report.comparisons[0].changes[m];

		assert_true(fabs(c->alpha - .00459) < 6e-6);
		assert_true(fabs(c->level - (1 - .00459)) < 6e-6);
		assert_int_equal(c->verdict, VERDICT_WORSE);
	}
	report_release(&report);
	/* The same runs, but the user interrupted: no alpha was spent on them. */
	r.plan.stopped = STOPPED_INTERRUPT;
	report_of(&report, &r, &judge);
	assert_int_equal(report.comparisons[0].verdict, VERDICT_UNCLEAR);
	assert_int_equal(report.comparisons[0].changes[1].verdict, VERDICT_UNCLEAR);
	assert_string_equal(report.comparisons[0].changes[0].reason,
			    "the measurement ended before it was complete");
	report_release(&report);
	record_release(&r);
}

/* What is gained by failing is no gain. */
static void test_failures_differ(void **state)
{
	struct judge_options judge;
	struct report report;
	enum gate_result gate;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	make(&r, 30, 0.005, 0.9, DIRECTION_LOWER);
	assert_int_equal(change_of(&r, &judge).verdict, VERDICT_BETTER);
	for (size_t i = 0, left = 2; i < r.n_runs && left; i++)
		if (r.runs[i].variant == 1) {
			r.runs[i].outcome = RUN_EXIT;
			left--;
		}
	report_of(&report, &r, &judge);
	assert_int_equal(report.variants[0].failed, 0);
	assert_int_equal(report.variants[1].failed, 2);
	assert_int_equal(report.variants[1].runs, 30);
	assert_int_equal(report.comparisons[0].changes[0].n, 28);
	assert_int_equal(report.comparisons[0].verdict, VERDICT_UNCLEAR);
	assert_string_equal(report.comparisons[0].changes[0].reason,
			    "it failed more often than the baseline");
	bool warned = false;

	for (size_t i = 0; i < report.n_warnings; i++)
		warned |= !strcmp(report.warnings[i].code, "failures-differ");
	assert_true(warned);
	report_release(&report);
	judge.gate = true;
	assert_int_equal(gate_status(&r, &judge, &gate), STATUS_NO_VERDICT);
	record_release(&r);
	/* Worse stays worse, and the baseline's failures take nothing from the variant. */
	judge.gate = false;
	make(&r, 30, 0.005, 1.1, DIRECTION_LOWER);
	for (size_t i = 0; i < 6; i++)
		if (r.runs[i].variant == 1)
			r.runs[i].outcome = RUN_EXIT;
	assert_int_equal(change_of(&r, &judge).verdict, VERDICT_WORSE);
	record_release(&r);
	make(&r, 30, 0.005, 0.9, DIRECTION_LOWER);
	for (size_t i = 0; i < 6; i++)
		if (r.runs[i].variant == 0)
			r.runs[i].outcome = RUN_EXIT;
	assert_int_equal(change_of(&r, &judge).verdict, VERDICT_BETTER);
	record_release(&r);
}

static void add_pairs(struct record *r, const double *a, const double *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		made_run(r, i, 0, &a[i]);
		made_run(r, i, 1, &b[i]);
	}
	r->plan.blocks = r->plan.max_blocks = n;
}

static void test_shift(void **state)
{
	static const double a[] = {0, 2, 4, 1, 3, 5, 2, 4}, b[] = {10, 12, 14, 11, 13, 15, 12, 14};
	struct judge_options judge;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 2);
	made_metric(&r, "page-faults", NULL, "", DIRECTION_LOWER);
	add_pairs(&r, a, b, 8);
	struct report_change c = change_of(&r, &judge);

	assert_true(c.absolute);
	assert_true(c.estimate == 10);
	assert_true(c.low > 5 && c.high < 15);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	/* The median of A is 2.5. */
	assert_true(fabs(c.half_width - (c.high - c.low) / 2 / 2.5) < 1e-12);
	assert_true(fabs(c.welch.estimate - 10) < 1e-12);
	assert_true(c.welch.low < 10 && c.welch.high > 10);
	record_release(&r);
}

static void test_deterministic(void **state)
{
	static const double a[] = {2000003, 2000003, 2000003}, b[] = {2000004, 2000004, 2000004};
	struct judge_options judge;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 2);
	made_metric(&r, "instructions", NULL, "", DIRECTION_LOWER);
	add_pairs(&r, a, b, 3);
	struct report_change c = change_of(&r, &judge);

	assert_int_equal(c.method, METHOD_EXACT);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	assert_true(c.within_margin);
	assert_true(c.low == c.estimate && c.high == c.estimate);
	assert_true(fabs(c.estimate - 1 / 2000003.0) < 1e-12);
	record_release(&r);
	made_init(&r, 2);
	made_metric(&r, "instructions", NULL, "", DIRECTION_LOWER);
	add_pairs(&r, a, a, 3);
	c = change_of(&r, &judge);
	assert_int_equal(c.verdict, VERDICT_SAME);
	assert_true(c.estimate == 0);
	record_release(&r);
	/* Zero and zero. */
	made_init(&r, 2);
	made_metric(&r, "major-faults", NULL, "", DIRECTION_LOWER);
	add_pairs(&r, (double[]){0, 0}, (double[]){0, 0}, 2);
	assert_int_equal(change_of(&r, &judge).verdict, VERDICT_SAME);
	record_release(&r);
}

static void test_small_n(void **state)
{
	static const double a[] = {100, 101, 102, 100.5, 101.5, 99.5}, b[] = {110, 111, 112, 110.5, 111.5, 109.5};
	static const struct {
		uint32_t n;
		enum change_method method;
		enum verdict verdict;
	} cases[] = {
		{0, METHOD_NONE, VERDICT_NONE},	  {1, METHOD_NONE, VERDICT_UNCLEAR},
		{2, METHOD_WELCH, VERDICT_WORSE}, {5, METHOD_WELCH, VERDICT_WORSE},
		{6, METHOD_RANK, VERDICT_WORSE},
	};
	struct judge_options judge;

	(void)state;
	judge_options_init(&judge);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record r;

		made_init(&r, 2);
		made_metric(&r, "cycles", NULL, "", DIRECTION_LOWER);
		add_pairs(&r, a, b, cases[i].n);
		struct report_change c = change_of(&r, &judge);

		assert_int_equal(c.n, cases[i].n);
		assert_int_equal(c.method, cases[i].method);
		assert_int_equal(c.verdict, cases[i].verdict);
		assert_int_equal(c.low_n, cases[i].method == METHOD_WELCH);
		/* Without evidence there is a reason, and no number that looks like one. */
		assert_int_equal(c.reason != NULL, cases[i].n < 2);
		if (cases[i].n == 0)
			assert_true(isnan(c.estimate) && isnan(c.p) && isnan(c.low) && isnan(c.half_width));
		record_release(&r);
	}
}

static void test_missing_values(void **state)
{
	struct judge_options judge;
	struct report report;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 2);
	made_metric(&r, "cycles", NULL, "", DIRECTION_LOWER);
	for (uint32_t i = 0; i < 10; i++) {
		made_run(&r, i, 0, &(double){100 + i});
		made_run(&r, i, 1, &(double){i < 3 ? 100 + i : NAN});
	}
	report_of(&report, &r, &judge);
	assert_int_equal(report.variants[0].cells[0].n, 10);
	assert_null(report.variants[0].cells[0].reason);
	assert_int_equal(report.variants[1].cells[0].n, 3);
	assert_int_equal(report.variants[1].cells[0].missing, NULL_NOT_COUNTED);
	assert_string_equal(report.variants[1].cells[0].reason, null_reason_text(NULL_NOT_COUNTED));
	assert_int_equal(report.comparisons[0].changes[0].n, 3);
	report_release(&report);
	/* None on one side: its reason is the comparison's. */
	for (size_t i = 0; i < r.n_runs; i++)
		if (r.runs[i].variant == 1)
			r.readings[i] = (struct reading){.value = NAN, .reason = NULL_DROPPED};
	report_of(&report, &r, &judge);
	assert_int_equal(report.comparisons[0].verdict, VERDICT_NONE);
	assert_string_equal(report.comparisons[0].changes[0].reason, null_reason_text(NULL_DROPPED));
	assert_true(isnan(report.comparisons[0].changes[0].estimate));
	assert_true(isnan(report.variants[1].cells[0].mean));
	report_release(&report);
	record_release(&r);
}

/* What cannot be computed is no 0 % with p = 0. */
static void test_too_large(void **state)
{
	static const double a[] = {-1.7e308, 1.7e308, -1.7e308}, b[] = {1.7e308, -1.7e308, 1.7e308};
	struct judge_options judge;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 2);
	made_metric(&r, "x", NULL, "", DIRECTION_LOWER);
	add_pairs(&r, a, b, 3);
	struct report_change c = change_of(&r, &judge);

	assert_int_not_equal(c.verdict, VERDICT_BETTER);
	assert_int_not_equal(c.verdict, VERDICT_SAME);
	assert_non_null(c.reason);
	assert_true(isnan(c.estimate) && isnan(c.p) && isnan(c.low) && isnan(c.level));
	record_release(&r);
}

/* Two records, each of one variant, compared as `diff` does. */
static int diff(struct report *report, const struct record *const *records, size_t n_before, size_t n_after,
		const struct judge_options *judge, char *err, size_t err_size)
{
	static struct analyse_source sources[8];
	static struct analyse_side sides[2];

	for (size_t i = 0; i < n_before + n_after; i++)
		sources[i] = (struct analyse_source){records[i], 0};
	sides[0] = (struct analyse_side){"before", sources, n_before};
	sides[1] = (struct analyse_side){"after", sources + n_before, n_after};
	return analyse(report,
		       &(struct analyse_input){
			       .sides = sides,
			       .n_sides = 2,
			       .records = records,
			       .n_records = n_before + n_after,
			       .judge = judge,
			       .compare = true,
			       .detail = ANALYSE_ALL,
		       },
		       err, err_size);
}

static void make_one(struct record *r, const char *metric, uint32_t n, double sd, double effect,
		     uint64_t seed, const char *boot)
{
	made_init(r, 1);
	made_metric(r, metric, "cycles", "", DIRECTION_LOWER);
	made_blocks(r, n, sd, &effect, seed);
	free(r->machine.boot_id);
	r->machine.boot_id = boot ? strdup(boot) : NULL;
}

static void test_two_records(void **state)
{
	struct judge_options judge;
	struct report report;
	struct record a, b;
	char err[500];

	(void)state;
	judge_options_init(&judge);
	make_one(&a, "cycles", 20, 0.005, 1, 1, "x");
	make_one(&b, "cycles", 25, 0.005, 1.05, 2, "y");
	/* How they were planned has no bearing on them: there is one look. */
	a.plan.fixed = false;
	a.plan.max_blocks = 1000;
	a.plan.stopped = STOPPED_INTERRUPT;
	assert_int_equal(diff(&report, (const struct record *[]){&a, &b}, 1, 1, &judge, err, sizeof(err)), 0);
	const struct report_change *c = &report.comparisons[0].changes[0];

	assert_false(report.comparisons[0].interleaved);
	assert_int_equal(report.comparisons[0].boots, BOOT_ONE_EACH);
	assert_int_equal(c->method, METHOD_MANN_WHITNEY);
	assert_int_equal(c->n_baseline, 20);
	assert_int_equal(c->n_variant, 25);
	assert_int_equal(c->verdict, VERDICT_WORSE);
	assert_true(c->level == 0.95);
	report_release(&report);
	record_release(&a);
	record_release(&b);
}

/* 200 runs a side would see a difference where the boots, which are the unit, show none. */
static void test_boots(void **state)
{
	static const double effects[] = {1, 1.02, 0.99, 1.01, 1.03, 1.0};
	struct judge_options judge;
	const struct record *records[6];
	struct report report;
	struct record r[6];
	char err[500], boot[] = "0";

	(void)state;
	judge_options_init(&judge);
	for (size_t i = 0; i < 6; i++) {
		boot[0] = (char)('0' + i);
		make_one(&r[i], "cycles", 200, 0.001, effects[i], i + 1, boot);
		records[i] = &r[i];
	}
	assert_int_equal(diff(&report, records, 3, 3, &judge, err, sizeof(err)), 0);
	const struct report_change *c = &report.comparisons[0].changes[0];

	assert_int_equal(report.comparisons[0].boots, BOOT_IS_UNIT);
	assert_int_equal(c->n_baseline, 3);
	assert_int_equal(c->n_variant, 3);
	assert_int_equal(c->method, METHOD_WELCH);
	assert_int_equal(c->verdict, VERDICT_UNCLEAR);
	assert_int_equal(report.variants[0].cells[0].n, 600);
	report_release(&report);
	for (size_t i = 0; i < 6; i++)
		record_release(&r[i]);
}

/* Two records of one boot are one boot. */
static void test_same_boot_twice(void **state)
{
	const struct record *records[4];
	struct judge_options judge;
	struct report report;
	struct record r[4];
	char err[500];

	(void)state;
	judge_options_init(&judge);
	for (size_t i = 0; i < 4; i++) {
		make_one(&r[i], "cycles", 10, 0.001, 1 + 0.05 * (i >= 2), i + 1, i < 2 ? "x" : i == 2 ? "y" : "z");
		records[i] = &r[i];
	}
	assert_int_equal(diff(&report, records, 2, 2, &judge, err, sizeof(err)), 0);
	/* One boot before, two after: runs are compared, and it is said that it is within boots. */
	assert_int_not_equal(report.comparisons[0].boots, BOOT_IS_UNIT);
	assert_int_not_equal(report.comparisons[0].boots, BOOT_SAME);
	assert_int_equal(report.comparisons[0].changes[0].n_baseline, 20);
	report_release(&report);
	for (size_t i = 0; i < 4; i++)
		record_release(&r[i]);
}

static void test_never_mixes_modes(void **state)
{
	struct judge_options judge;
	struct report report;
	struct record a, b;
	char err[500];

	(void)state;
	judge_options_init(&judge);
	make_one(&a, "cycles", 20, 0.005, 1, 1, "x");
	make_one(&b, "cycles:u", 20, 0.005, 1.5, 2, "x");
	assert_int_equal(diff(&report, (const struct record *[]){&a, &b}, 1, 1, &judge, err, sizeof(err)),
			 STATUS_USAGE);
	assert_string_equal(err, "the results have no metric in common, so there is nothing to compare");
	report_release(&report);
	/* Also where it is asked for by the name that both were asked by. */
	judge.primary = "cycles";
	if (diff(&report, (const struct record *[]){&a, &b}, 1, 1, &judge, err, sizeof(err)) == 0) {
		assert_int_equal(report.comparisons[0].verdict, VERDICT_NONE);
		for (size_t m = 0; m < report.n_metrics; m++) {
			assert_true(isnan(report.comparisons[0].changes[m].estimate));
			assert_non_null(report.comparisons[0].changes[m].reason);
		}
	}
	report_release(&report);
	record_release(&a);
	record_release(&b);
}

static void test_metric_of_one_record(void **state)
{
	struct judge_options judge;
	struct report report;
	struct record a, b;
	char err[500];

	(void)state;
	judge_options_init(&judge);
	made_init(&a, 1);
	made_metric(&a, "cycles", NULL, "", DIRECTION_LOWER);
	made_metric(&a, "faults", NULL, "", DIRECTION_LOWER);
	made_blocks(&a, 10, 0.01, same3, 1);
	made_init(&b, 1);
	made_metric(&b, "faults", NULL, "", DIRECTION_LOWER);
	made_metric(&b, "switches", NULL, "", DIRECTION_LOWER);
	made_blocks(&b, 10, 0.01, same3, 2);
	assert_int_equal(diff(&report, (const struct record *[]){&a, &b}, 1, 1, &judge, err, sizeof(err)), 0);
	assert_int_equal(report.n_metrics, 3);
	/* The recorded primary is in one of them only. */
	assert_string_equal(report.metrics[report_primary(&report)].name, "faults");
	assert_int_equal(report.comparisons[0].changes[0].verdict, VERDICT_NONE);
	assert_string_equal(report.comparisons[0].changes[0].reason, "not measured here");
	assert_int_equal(report.comparisons[0].changes[1].n, 10);
	assert_int_equal(report.variants[1].cells[0].n, 0);
	assert_int_equal(report.variants[1].runs, 10);
	report_release(&report);
	record_release(&a);
	record_release(&b);
}

static void test_summaries(void **state)
{
	struct judge_options judge;
	struct report report;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 2);
	made_metric(&r, "cycles", NULL, "", DIRECTION_LOWER);
	r.summaries = calloc(2, sizeof(*r.summaries));
	/* perf's "+-" of 0.05 % and 0.04 %, of 100 runs. */
	r.summaries[0] = (struct record_summary){.n = 100, .mean = 1e9, .sd = 5e6, .running = 1};
	r.summaries[1] = (struct record_summary){.n = 100, .mean = 0.9973e9, .sd = 4e6, .running = 0.5};
	report_of(&report, &r, &judge);
	const struct report_change *c = &report.comparisons[0].changes[0];

	assert_false(report.comparisons[0].interleaved);
	assert_int_equal(c->method, METHOD_SUMMARY);
	assert_int_equal(c->verdict, VERDICT_BETTER);
	assert_true(c->within_margin);
	assert_true(fabs(c->estimate - -0.0027) < 1e-12);
	assert_true(fabs(c->welch.t - -0.0027e9 / sqrt(25e12 / 100 + 16e12 / 100)) < 1e-9);
	assert_true(fabs(report.variants[0].cells[0].sem_percent - 0.05) < 1e-12);
	assert_true(report.variants[1].cells[0].running_percent == 50);
	assert_true(isnan(report.variants[0].cells[0].median));
	report_release(&report);
	record_release(&r);
}

static void test_cells(void **state)
{
	struct judge_options judge;
	struct report report;
	struct record r;
	char err[500];

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 1);
	made_metric(&r, "cycles", NULL, "", DIRECTION_LOWER);
	made_run(&r, 0, 0, &(double){1e9})->warmup = true;
	for (uint32_t i = 1; i <= 4; i++)
		made_run(&r, i, 0, &(double){i});
	for (size_t i = 0; i < r.n_runs; i++)
		r.readings[i].running = 900;
	assert_int_equal(analyse_record(&report, &r, &judge, false, ANALYSE_ALL, err, sizeof(err)), 0);
	const struct report_cell *c = &report.variants[0].cells[0];

	assert_int_equal(report.n_comparisons, 0);
	assert_int_equal(report.variants[0].runs, 4);
	assert_int_equal(c->n, 4);
	assert_true(c->mean == 2.5 && c->median == 2.5 && c->min == 1 && c->max == 4);
	assert_true(fabs(c->sd - sqrt(5 / 3.0)) < 1e-15);
	assert_true(fabs(c->sem_percent - 100 * sqrt(5 / 3.0) / 2 / 2.5) < 1e-12);
	/* t(0.975, 3) */
	assert_true(fabs(c->ci.high - 2.5 - 3.182446305284263 * sqrt(5 / 3.0) / 2) < 1e-9);
	assert_true(c->ci.level == 0.95);
	assert_true(fabs(c->running_percent - 90) < 1e-12);
	report_release(&report);
	record_release(&r);
}

static void test_wrong_options(void **state)
{
	const struct {
		struct judge_options judge;
		const char *message;
	} cases[] = {
		{{.primary = "nothing"}, "--primary: no metric 'nothing' in these results"},
		{{.gate = true, .gate_metric = "nothing"}, "--gate: no metric 'nothing' in these results"},
		{{.baseline = "C"}, "--baseline: 'C' names no variant; there are: 'A', 'B'"},
		{{.pairs = "A:C"}, "--pairs: 'A:C' names no variant; there are: 'A', 'B'"},
		{{.higher = {(const char *[]){"nothing"}, 1}},
		 "--higher-is-better: no metric 'nothing' in these results"},
		{{.lower = {(const char *[]){"nothing"}, 1}},
		 "--lower-is-better: no metric 'nothing' in these results"},
		{{.margins = (struct metric_margin[]){{"nothing", 0.1}}, .n_margins = 1},
		 "--margin: no metric 'nothing' in these results"},
	};
	struct record r;

	(void)state;
	make(&r, 10, 0.01, 1, DIRECTION_LOWER);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct judge_options judge = cases[i].judge;
		struct report report;
		char err[500] = "";

		judge.alpha = judge.margin = judge.gate_margin = NAN;
		assert_int_equal(analyse_record(&report, &r, &judge, true, ANALYSE_ALL, err, sizeof(err)),
				 STATUS_USAGE);
		assert_string_equal(err, cases[i].message);
		report_release(&report);
	}
	record_release(&r);
}

static void test_other_baseline_and_direction(void **state)
{
	struct judge_options judge;
	struct report report;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	make(&r, 20, 0.003, 1.1, DIRECTION_LOWER);
	judge.baseline = "B";
	report_of(&report, &r, &judge);
	assert_int_equal(report.n_comparisons, 1);
	assert_int_equal(report.comparisons[0].baseline, 1);
	assert_int_equal(report.comparisons[0].variant, 0);
	assert_int_equal(report.comparisons[0].verdict, VERDICT_BETTER);
	report_release(&report);
	assert_int_equal(string_list_append(&judge.higher, "cycles"), 0);
	report_of(&report, &r, &judge);
	assert_int_equal(report.comparisons[0].verdict, VERDICT_WORSE);
	assert_int_equal(report.metrics[0].direction, DIRECTION_HIGHER);
	report_release(&report);
	judge_options_release(&judge);
	record_release(&r);
}

static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* A record gives the same report each time, and a look's tests are those of the whole analysis. */
static void test_repeatable(void **state)
{
	struct judge_options judge;
	struct report first, again, tests;
	struct record r;
	char err[500];

	(void)state;
	judge_options_init(&judge);
	judge.gate = true;
	make(&r, 40, 0.02, 1.004, DIRECTION_LOWER);
	report_of(&first, &r, &judge);
	report_of(&again, &r, &judge);
	assert_int_equal(analyse_record(&tests, &r, &judge, true, ANALYSE_TESTS, err, sizeof(err)), 0);
	const struct report_change *a = first.comparisons[0].changes, *b = again.comparisons[0].changes,
				   *t = tests.comparisons[0].changes;

	assert_true(a->estimate == b->estimate && a->low == b->low && a->high == b->high && a->p == b->p);
	assert_true(same_number(a->runs_needed, b->runs_needed));
	assert_string_equal(first.comparisons[0].sentence, again.comparisons[0].sentence);
	assert_int_equal(first.n_warnings, again.n_warnings);
	assert_true(a->p == t->p && a->estimate == t->estimate && a->equivalence.p == t->equivalence.p);
	assert_int_equal(a->verdict, t->verdict);
	assert_int_equal(first.comparisons[0].gate, tests.comparisons[0].gate);
	assert_true(first.comparisons[0].gate_p_worse == tests.comparisons[0].gate_p_worse);
	assert_int_equal(first.status, tests.status);
	report_release(&first);
	report_release(&again);
	report_release(&tests);
	record_release(&r);
}

/* Sanitizers slow it down too much to say anything. */
#ifdef __SANITIZE_ADDRESS__
enum { SPEED_BLOCKS = 500 };
#else
enum { SPEED_BLOCKS = 50000 };
#endif

static void test_speed(void **state)
{
	struct judge_options judge;
	struct report report;
	struct timespec begin, end;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 2);
	for (int i = 0; i < 8; i++) {
		char name[] = "m0";

		name[1] = (char)('0' + i);
		made_metric(&r, name, NULL, "", DIRECTION_LOWER);
	}
	made_blocks(&r, SPEED_BLOCKS, 0.01, (double[]){1, 1.0001}, 3);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	report_of(&report, &r, &judge);
	clock_gettime(CLOCK_MONOTONIC, &end);
	double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;

	print_message("%zu runs of 8 metrics are analysed in %.2f s\n", r.n_runs, seconds);
	assert_true(seconds < 60);
	report_release(&report);
	record_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_directions),
		cmocka_unit_test(test_unclear),
		cmocka_unit_test(test_within_margin),
		cmocka_unit_test(test_margins),
		cmocka_unit_test(test_gate),
		cmocka_unit_test(test_gate_options),
		cmocka_unit_test(test_gate_of_several),
		cmocka_unit_test(test_holm),
		cmocka_unit_test(test_level_of_the_look),
		cmocka_unit_test(test_failures_differ),
		cmocka_unit_test(test_shift),
		cmocka_unit_test(test_deterministic),
		cmocka_unit_test(test_small_n),
		cmocka_unit_test(test_missing_values),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_two_records),
		cmocka_unit_test(test_boots),
		cmocka_unit_test(test_same_boot_twice),
		cmocka_unit_test(test_never_mixes_modes),
		cmocka_unit_test(test_metric_of_one_record),
		cmocka_unit_test(test_summaries),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_wrong_options),
		cmocka_unit_test(test_other_baseline_and_direction),
		cmocka_unit_test(test_repeatable),
		cmocka_unit_test(test_speed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
