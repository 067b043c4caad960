/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of several records: two sides that were not run together, boots as the unit, metrics of
 * one of them only. */
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

/* Two records, each of one variant, compared as `diff` does. */
static int diff(struct report *report, const struct record *const *records, size_t n_before,
		size_t n_after, const struct judge_options *judge, char *err, size_t err_size)
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
	assert_int_equal(
	    diff(&report, (const struct record *[]){&a, &b}, 1, 1, &judge, err, sizeof(err)), 0);
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
		make_one(&r[i], "cycles", 10, 0.001, 1 + 0.05 * (i >= 2), i + 1,
			 i < 2    ? "x"
			 : i == 2 ? "y"
				  : "z");
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
	assert_int_equal(
	    diff(&report, (const struct record *[]){&a, &b}, 1, 1, &judge, err, sizeof(err)),
	    STATUS_USAGE);
	assert_string_equal(err,
			    "the results have no metric in common, so there is nothing to compare");
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
	assert_int_equal(
	    diff(&report, (const struct record *[]){&a, &b}, 1, 1, &judge, err, sizeof(err)), 0);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_two_records),          cmocka_unit_test(test_boots),
	    cmocka_unit_test(test_same_boot_twice),      cmocka_unit_test(test_never_mixes_modes),
	    cmocka_unit_test(test_metric_of_one_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
