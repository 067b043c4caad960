/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the values are, and what can be said of them: failures, shifts, constants, few runs, none,
 * too large. */
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

/* What is gained by failing is no gain. */
static void test_failures_differ(void **state)
{
	struct judge_options judge;
	struct report report;
	enum gate_result gate;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_two(&r, 30, 0.005, 0.9, DIRECTION_LOWER);
	assert_int_equal(made_change(&r, &judge).verdict, VERDICT_BETTER);
	for (size_t i = 0, left = 2; i < r.n_runs && left; i++)
		if (r.runs[i].variant == 1) {
			r.runs[i].outcome = RUN_EXIT;
			left--;
		}
	made_report(&report, &r, &judge);
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
	assert_int_equal(made_gate_status(&r, &judge, &gate), STATUS_NO_VERDICT);
	record_release(&r);
	/* Worse stays worse, and the baseline's failures take nothing from the variant. */
	judge.gate = false;
	made_two(&r, 30, 0.005, 1.1, DIRECTION_LOWER);
	for (size_t i = 0; i < 6; i++)
		if (r.runs[i].variant == 1)
			r.runs[i].outcome = RUN_EXIT;
	assert_int_equal(made_change(&r, &judge).verdict, VERDICT_WORSE);
	record_release(&r);
	made_two(&r, 30, 0.005, 0.9, DIRECTION_LOWER);
	for (size_t i = 0; i < 6; i++)
		if (r.runs[i].variant == 0)
			r.runs[i].outcome = RUN_EXIT;
	assert_int_equal(made_change(&r, &judge).verdict, VERDICT_BETTER);
	record_release(&r);
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
	made_pairs(&r, a, b, 8);
	struct report_change c = made_change(&r, &judge);

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

/* What is counted cannot become less than nothing, whatever the means' normal law allows. */
static void test_no_less_than_all(void **state)
{
	static const double a[] = {1, 2, 4, 1, 900, 5, 2, 4}, b[] = {9, 1, 2, 4, 1, 3, 700, 5};
	struct judge_options judge;
	struct record r;

	(void)state;
	judge_options_init(&judge);
	made_init(&r, 2);
	made_metric(&r, "page-faults", NULL, "", DIRECTION_LOWER);
	made_pairs(&r, a, b, 8);
	struct report_change c = made_change(&r, &judge);

	assert_false(c.absolute);
	assert_true(c.low >= -1);
	assert_true(c.welch.low >= -1);
	record_release(&r);
	made_init(&r, 2);
	made_metric(&r, "page-faults", NULL, "", DIRECTION_LOWER);
	made_pairs(&r, (double[]){10, 12, 11}, (double[]){1, 40, 2}, 3);
	c = made_change(&r, &judge);
	assert_int_equal(c.method, METHOD_WELCH);
	assert_true(c.low == -1);
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
	made_pairs(&r, a, b, 3);
	struct report_change c = made_change(&r, &judge);

	assert_int_equal(c.method, METHOD_EXACT);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	assert_true(c.within_margin);
	assert_true(c.low == c.estimate && c.high == c.estimate);
	assert_true(fabs(c.estimate - 1 / 2000003.0) < 1e-12);
	record_release(&r);
	made_init(&r, 2);
	made_metric(&r, "instructions", NULL, "", DIRECTION_LOWER);
	made_pairs(&r, a, a, 3);
	c = made_change(&r, &judge);
	assert_int_equal(c.verdict, VERDICT_SAME);
	assert_true(c.estimate == 0);
	record_release(&r);
	/* Zero and zero. */
	made_init(&r, 2);
	made_metric(&r, "major-faults", NULL, "", DIRECTION_LOWER);
	made_pairs(&r, (double[]){0, 0}, (double[]){0, 0}, 2);
	assert_int_equal(made_change(&r, &judge).verdict, VERDICT_SAME);
	record_release(&r);
}

static void test_small_n(void **state)
{
	static const double a[] = {100, 101, 102, 100.5, 101.5, 99.5},
			    b[] = {110, 111, 112, 110.5, 111.5, 109.5};
	static const struct {
		uint32_t n;
		enum change_method method;
		enum verdict verdict;
	} cases[] = {
	    {0, METHOD_NONE, VERDICT_NONE},   {1, METHOD_NONE, VERDICT_UNCLEAR},
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
		made_pairs(&r, a, b, cases[i].n);
		struct report_change c = made_change(&r, &judge);

		assert_int_equal(c.n, cases[i].n);
		assert_int_equal(c.method, cases[i].method);
		assert_int_equal(c.verdict, cases[i].verdict);
		assert_int_equal(c.low_n, cases[i].method == METHOD_WELCH);
		/* Without evidence there is a reason, and no number that looks like one. */
		assert_int_equal(c.reason != NULL, cases[i].n < 2);
		if (cases[i].n == 0)
			assert_true(isnan(c.estimate) && isnan(c.p) && isnan(c.low) &&
				    isnan(c.half_width));
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
	made_report(&report, &r, &judge);
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
	made_report(&report, &r, &judge);
	assert_int_equal(report.comparisons[0].verdict, VERDICT_NONE);
	assert_string_equal(report.comparisons[0].changes[0].reason,
			    null_reason_text(NULL_DROPPED));
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
	made_pairs(&r, a, b, 3);
	struct report_change c = made_change(&r, &judge);

	assert_int_not_equal(c.verdict, VERDICT_BETTER);
	assert_int_not_equal(c.verdict, VERDICT_SAME);
	assert_non_null(c.reason);
	assert_true(isnan(c.estimate) && isnan(c.p) && isnan(c.low) && isnan(c.level));
	record_release(&r);
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
	r.summaries[1] =
	    (struct record_summary){.n = 100, .mean = 0.9973e9, .sd = 4e6, .running = 0.5};
	made_report(&report, &r, &judge);
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
	assert_int_equal(analyse_record(&report, &r, &judge, false, ANALYSE_ALL, err, sizeof(err)),
			 0);
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

/* Sanitizers slow it down too much to say anything. */
#ifdef __SANITIZE_ADDRESS__
enum { SPEED_BLOCKS = 500 };
#else
enum { SPEED_BLOCKS = 5000 };
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
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	made_report(&report, &r, &judge);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	double seconds =
	    (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;

	print_message("%zu runs of 8 metrics are analysed in %.2f s\n", r.n_runs, seconds);
	assert_true(seconds < 60);
	report_release(&report);
	record_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_failures_differ), cmocka_unit_test(test_shift),
	    cmocka_unit_test(test_no_less_than_all),
	    cmocka_unit_test(test_deterministic),   cmocka_unit_test(test_small_n),
	    cmocka_unit_test(test_missing_values),  cmocka_unit_test(test_too_large),
	    cmocka_unit_test(test_summaries),       cmocka_unit_test(test_cells),
	    cmocka_unit_test(test_speed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
