/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From records made up in memory to verdicts: directions, margins, gates, families of tests, looks.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyse.h"
#include "command.h"
#include "record-fixture.h"

static const double same3[] = {1, 1, 1};

static void test_directions(void **state)
{
	static const struct {
		double effect;
		enum direction direction;
		enum verdict verdict;
	} cases[] = {
	    {1.05, DIRECTION_LOWER, VERDICT_WORSE},     {0.95, DIRECTION_LOWER, VERDICT_BETTER},
	    {1.05, DIRECTION_HIGHER, VERDICT_BETTER},   {0.95, DIRECTION_HIGHER, VERDICT_WORSE},
	    {1.05, DIRECTION_NEUTRAL, VERDICT_CHANGED}, {0.95, DIRECTION_NEUTRAL, VERDICT_CHANGED},
	    {1.0, DIRECTION_LOWER, VERDICT_SAME},       {1.0, DIRECTION_NEUTRAL, VERDICT_SAME},
	};
	struct judge_options judge;

	(void)state;
	judge_options_init(&judge);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record r;

		made_two(&r, 30, 0.005, cases[i].effect, cases[i].direction);
		struct report_change c = made_change(&r, &judge);

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
	made_two(&r, 12, 0.05, 1, DIRECTION_LOWER);
	struct report_change c = made_change(&r, &judge);

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
	made_two(&r, 30, 0.003, 1.01, DIRECTION_LOWER);
	struct report_change c = made_change(&r, &judge);

	assert_int_equal(c.verdict, VERDICT_WORSE);
	assert_true(c.within_margin);
	assert_true(c.equivalence.margin == 0.05);
	judge.margin = 0.001;
	c = made_change(&r, &judge);
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
	made_report(&report, &r, &judge);
	assert_true(report.comparisons[0].changes[0].equivalence.margin == 0.03);
	assert_true(report.comparisons[0].changes[1].equivalence.margin == 0.2);
	assert_true(report.comparisons[0].changes[2].equivalence.margin == 0.07);
	report_release(&report);
	judge.margin = 0.5;
	made_report(&report, &r, &judge);
	assert_true(report.comparisons[0].changes[0].equivalence.margin == 0.5);
	assert_true(report.comparisons[0].changes[1].equivalence.margin == 0.2);
	assert_true(report.comparisons[0].changes[2].equivalence.margin == 0.5);
	report_release(&report);
	record_release(&r);
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

		made_two(&r, 20, cases[i].sd, cases[i].effect, cases[i].direction);
		int status = made_gate_status(&r, &judge, &gate);

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
	made_two(&r, 20, 0.06, 1, DIRECTION_LOWER);
	assert_int_equal(made_gate_status(&r, &judge, &gate), 0);
	assert_int_equal(gate, GATE_NONE);
	/* A gate that was planned holds for what was saved. */
	r.plan.gate = 0.01;
	assert_int_equal(made_gate_status(&r, &judge, &gate), STATUS_NO_VERDICT);
	judge.unclear_status = 77;
	assert_int_equal(made_gate_status(&r, &judge, &gate), 77);
	record_release(&r);
	/* "Worse" has no meaning where neither way is good. */
	judge.gate = true;
	made_two(&r, 20, 0.06, 1, DIRECTION_NEUTRAL);
	assert_int_equal(analyse_record(&report, &r, &judge, true, ANALYSE_ALL, err, sizeof(err)),
			 STATUS_USAGE);
	assert_string_equal(
	    err, "--gate asks whether 'cycles' got worse, but neither more nor less of it is "
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
		int status = made_gate_status(&r, &judge, gates);

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
	made_report(&report, &r, &judge);
	double p[4], largest = 0;

	for (size_t i = 0; i < 2; i++)
		for (size_t m = 0; m < 2; m++)
			p[2 * i + m] = report.comparisons[i].changes[m + 1].p;
	for (size_t i = 0; i < 2; i++) {
		const struct report_change *c = report.comparisons[i].changes;
		double other = report.comparisons[1 - i].changes[0].p;

		assert_true(fabs(c[0].p_adjusted -
				 (c[0].p <= other ? fmin(1, 2 * c[0].p)
						  : fmax(c[0].p, fmin(1, 2 * other)))) < 1e-15);
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
		assert_true(fabs(report.comparisons[least / 2].changes[1 + least % 2].p_adjusted -
				 largest) < 1e-15);
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
	made_report(&report, &r, &judge);
	for (size_t m = 0; m < 2; m++) {
		const struct report_change *c = &report.comparisons[0].changes[m];

		assert_true(fabs(c->alpha - .00459) < 6e-6);
		assert_true(fabs(c->level - (1 - .00459)) < 6e-6);
		assert_int_equal(c->verdict, VERDICT_WORSE);
	}
	report_release(&report);
	/* The same runs, but the user interrupted: no alpha was spent on them. */
	r.plan.stopped = STOPPED_INTERRUPT;
	made_report(&report, &r, &judge);
	assert_int_equal(report.comparisons[0].verdict, VERDICT_UNCLEAR);
	assert_int_equal(report.comparisons[0].changes[1].verdict, VERDICT_UNCLEAR);
	assert_string_equal(report.comparisons[0].changes[0].reason,
			    "the measurement ended before it was complete");
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
	    {{.gate = true, .gate_metric = "nothing"},
	     "--gate: no metric 'nothing' in these results"},
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
	made_two(&r, 10, 0.01, 1, DIRECTION_LOWER);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct judge_options judge = cases[i].judge;
		struct report report;
		char err[500] = "";

		judge.alpha = judge.margin = judge.gate_margin = NAN;
		assert_int_equal(
		    analyse_record(&report, &r, &judge, true, ANALYSE_ALL, err, sizeof(err)),
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
	made_two(&r, 20, 0.003, 1.1, DIRECTION_LOWER);
	judge.baseline = "B";
	made_report(&report, &r, &judge);
	assert_int_equal(report.n_comparisons, 1);
	assert_int_equal(report.comparisons[0].baseline, 1);
	assert_int_equal(report.comparisons[0].variant, 0);
	assert_int_equal(report.comparisons[0].verdict, VERDICT_BETTER);
	report_release(&report);
	assert_int_equal(string_list_append(&judge.higher, "cycles"), 0);
	made_report(&report, &r, &judge);
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
	made_two(&r, 40, 0.02, 1.004, DIRECTION_LOWER);
	made_report(&first, &r, &judge);
	made_report(&again, &r, &judge);
	assert_int_equal(analyse_record(&tests, &r, &judge, true, ANALYSE_TESTS, err, sizeof(err)),
			 0);
	const struct report_change *a = first.comparisons[0].changes,
				   *b = again.comparisons[0].changes,
				   *t = tests.comparisons[0].changes;

	assert_true(a->estimate == b->estimate && a->low == b->low && a->high == b->high &&
		    a->p == b->p);
	assert_true(same_number(a->runs_needed, b->runs_needed));
	assert_string_equal(first.comparisons[0].sentence, again.comparisons[0].sentence);
	assert_int_equal(first.n_warnings, again.n_warnings);
	assert_true(a->p == t->p && a->estimate == t->estimate &&
		    a->equivalence.p == t->equivalence.p);
	assert_int_equal(a->verdict, t->verdict);
	assert_int_equal(first.comparisons[0].gate, tests.comparisons[0].gate);
	assert_true(first.comparisons[0].gate_p_worse == tests.comparisons[0].gate_p_worse);
	assert_int_equal(first.status, tests.status);
	report_release(&first);
	report_release(&again);
	report_release(&tests);
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
	    cmocka_unit_test(test_wrong_options),
	    cmocka_unit_test(test_other_baseline_and_direction),
	    cmocka_unit_test(test_repeatable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
