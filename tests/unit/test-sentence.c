/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts in plain words: a case for each thing that a sentence has to say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report.h"
#include "sentence.h"

/* Two variants, one metric, a clear improvement by a rank test on 20 pairs: every case changes
 * something. */
struct scene {
	struct report_metric metric;
	struct report_variant variants[2];
	struct report_change change;
	struct report_comparison comparison;
	struct report report;
};

static void scene_init(struct scene *s)
{
	*s = (struct scene){
	    .metric = {.name = "duration_time",
		       .event = "duration_time",
		       .unit = "ns",
		       .direction = DIRECTION_LOWER,
		       .shown = true,
		       .primary = true},
	    .variants = {{.name = "./a", .command = "./a", .runs = 20},
			 {.name = "./b", .command = "./b", .runs = 20}},
	    .change = {.n = 20,
		       .n_baseline = 20,
		       .n_variant = 20,
		       .estimate = -0.05,
		       .low = -0.06,
		       .high = -0.04,
		       .level = 0.95,
		       .method = METHOD_RANK,
		       .p = 0.001,
		       .p_adjusted = 0.001,
		       .alpha = 0.05,
		       .welch = {-0.05, -0.06, -0.04, 0.95, -5, 38, 0.001},
		       .equivalence = {.margin = 0.01},
		       .ruled_out_above = NAN,
		       .smallest_visible = NAN,
		       .runs_needed = NAN,
		       .verdict = VERDICT_BETTER},
	};
	s->comparison = (struct report_comparison){
	    .baseline = 0,
	    .variant = 1,
	    .interleaved = true,
	    .boots = BOOT_SAME,
	    .changes = &s->change,
	    .gate_margin = NAN,
	};
	s->report = (struct report){
	    .metrics = &s->metric,
	    .n_metrics = 1,
	    .variants = s->variants,
	    .n_variants = 2,
	    .comparisons = &s->comparison,
	    .n_comparisons = 1,
	};
}

static void check(const struct scene *s, const char *expected)
{
	char *text = NULL;

	assert_int_equal(sentence_compose(&text, &s->report, &s->comparison), 0);
	assert_string_equal(text, expected);
	free(text);
}

static void a_difference(void **state)
{
	struct scene s;

	(void)state;
	scene_init(&s);
	check(&s, "B is better than A: duration_time −5.0 % [−6.0, −4.0] %, p = 0.0010.");
	s.change.within_margin = true;
	s.change.equivalence.margin = 0.1;
	check(&s,
	      "B is better than A: duration_time −5.0 % [−6.0, −4.0] %, p = 0.0010, but smaller "
	      "than the margin of ±10 %.");

	scene_init(&s);
	s.change.estimate = 2.5;
	s.change.low = 2.4;
	s.change.high = 2.6;
	s.change.p_adjusted = 1e-9;
	s.change.verdict = VERDICT_WORSE;
	check(&s, "B is worse than A: duration_time +250 % [+240, +260] % (3.5 times as much), p "
		  "<0.0001.");

	scene_init(&s);
	s.metric.direction = DIRECTION_NEUTRAL;
	s.metric.name = "branches";
	s.change.verdict = VERDICT_CHANGED;
	check(&s,
	      "B is changed against A: branches −5.0 % [−6.0, −4.0] %, p = 0.0010; more of it is "
	      "neither better nor worse.");
}

static void no_difference(void **state)
{
	struct scene s;

	(void)state;
	scene_init(&s);
	s.change.verdict = VERDICT_SAME;
	s.change.estimate = 0.001;
	s.change.low = -0.002;
	s.change.high = 0.004;
	check(&s, "B is the same as A within ±1 %: duration_time +0.10 % [−0.20, +0.40] %.");
	/* The margin was held against another interval than that of a difference. */
	s.change.equivalence.level = 0.9;
	s.change.equivalence.low = -0.001;
	s.change.equivalence.high = 0.003;
	s.change.high = 0.012;
	check(&s, "B is the same as A within ±1 %: duration_time +0.10 % (90 % interval [−0.10, "
		  "+0.30] %).");

	s.change.verdict = VERDICT_UNCLEAR;
	s.change.high = 0.03;
	check(&s,
	      "It is unclear whether B differs from A: duration_time +0.1 % [−0.2, +3.0] % may be "
	      "a difference, or none beyond ±1 %.");
	s.change.ruled_out_above = 0.03;
	check(&s,
	      "It is unclear whether B differs from A: duration_time +0.1 % [−0.2, +3.0] % may be "
	      "a difference, or none beyond ±1 %; a slowdown above 3 % is ruled out.");
	s.change.reason = "the measurement ended before it was complete";
	check(&s,
	      "It is unclear whether B differs from A: duration_time +0.1 % [−0.2, +3.0] %: the "
	      "measurement ended before it was complete.");
	s.change.reason = "one run a side shows nothing";
	s.change.estimate = NAN;
	check(&s, "It is unclear whether B differs from A: duration_time: one run a side shows "
		  "nothing.");

	s.change.verdict = VERDICT_NONE;
	s.change.reason = "B has no values";
	check(&s, "There is no verdict on B against A: duration_time: B has no values.");
	s.metric.primary = false;
	check(&s, "There is no verdict on B against A: they have no metric in common.");
}

static void special_evidence(void **state)
{
	struct scene s;

	(void)state;
	scene_init(&s);
	s.metric.name = "instructions:u";
	s.metric.unit = "";
	s.change.method = METHOD_EXACT;
	s.change.estimate = s.change.low = s.change.high = 1.0 / 2000004;
	s.change.verdict = VERDICT_WORSE;
	s.change.within_margin = true;
	check(&s,
	      "B is worse than A: instructions:u +0.000050 %, exactly: neither side varies from "
	      "run to run, but smaller than the margin of ±1 %.");
	s.change.estimate = s.change.low = s.change.high = 0;
	s.change.verdict = VERDICT_SAME;
	check(&s, "B is the same as A within ±1 %: instructions:u is equal in every run.");

	scene_init(&s);
	s.change.absolute = true;
	s.metric.name = "context-switches";
	s.metric.unit = "";
	s.change.estimate = 2;
	s.change.low = 1;
	s.change.high = 3;
	s.change.verdict = VERDICT_WORSE;
	check(&s,
	      "B is worse than A: context-switches +2.0 [+1.0, +3.0] (a shift, not a ratio: there "
	      "are zeros among the values), p = 0.0010.");

	scene_init(&s);
	s.change.method = METHOD_WELCH;
	s.change.low_n = true;
	s.change.n = 4;
	check(&s,
	      "B is better than A: duration_time −5.0 % [−6.0, −4.0] %, p = 0.0010. Low n: Welch's "
	      "test alone, on 4 runs a side.");

	scene_init(&s);
	s.comparison.interleaved = false;
	s.comparison.boots = BOOT_ONE_EACH;
	s.change.method = METHOD_MANN_WHITNEY;
	check(&s,
	      "B is better than A: duration_time −5.0 % [−6.0, −4.0] %, p = 0.0010. The runs were "
	      "not interleaved: what changed on the machine in between is part of the "
	      "difference. This holds within these two boots; what another boot would do is "
	      "unknown.");
	s.change.method = METHOD_SUMMARY;
	s.comparison.boots = BOOT_IS_UNIT;
	check(&s,
	      "B is better than A: duration_time −5.0 % [−6.0, −4.0] %, p = 0.0010. From summaries "
	      "alone: the runs are taken to be independent. The means of the boots were "
	      "compared.");
}

static void gates(void **state)
{
	struct scene s;

	(void)state;
	scene_init(&s);
	s.comparison.gate_margin = 0.005;
	s.comparison.gate_metric = "duration_time";
	s.comparison.gate = GATE_PASSED;
	check(&s,
	      "B is better than A: duration_time −5.0 % [−6.0, −4.0] %, p = 0.0010. Gate passed: "
	      "that duration_time is worse by more than 0.5 % is ruled out.");
	s.comparison.gate = GATE_WORSE;
	check(&s,
	      "B is better than A: duration_time −5.0 % [−6.0, −4.0] %, p = 0.0010. Gate failed: "
	      "duration_time is worse by more than 0.5 %.");
	s.comparison.gate = GATE_UNCLEAR;
	check(&s, "B is better than A: duration_time −5.0 % [−6.0, −4.0] %, p = 0.0010. Gate "
		  "undecided: that duration_time is worse by more than 0.5 % is neither shown nor "
		  "ruled out.");
}

static void what_is_known(void **state)
{
	struct scene s;
	char *text = NULL;

	(void)state;
	scene_init(&s);
	assert_int_equal(sentence_known(&text, &s.metric, &s.change), 0);
	assert_string_equal(text, "nothing is ruled out");
	free(text);
	s.change.absolute = true;
	assert_int_equal(sentence_known(&text, &s.metric, &s.change), 0);
	assert_string_equal(text, "nothing is ruled out in per cent, for there are values of 0");
	free(text);
	/* An interval without a width is no certainty. */
	s.change.method = METHOD_RANK;
	s.change.estimate = s.change.low = s.change.high = 0;
	assert_int_equal(sentence_known(&text, &s.metric, &s.change), 0);
	assert_string_equal(text, "so many values are equal that the interval of typical runs has "
				  "no width: the means may still differ");
	free(text);
	s.change.low = -0.01;
	s.change.high = 0.01;
	s.change.absolute = false;
	s.change.ruled_out_above = 0.0081;
	s.change.smallest_visible = 0.0123;
	s.change.runs_needed = 150.2;
	s.metric.direction = DIRECTION_HIGHER;
	assert_int_equal(sentence_known(&text, &s.metric, &s.change), 0);
	assert_string_equal(text,
			    "a decrease above 0.81 % is ruled out; the smallest change that 20 "
			    "runs a side could show is 1.23 %; a verdict would take about 151 "
			    "runs a side");
	free(text);
}

static void disagreements_have_a_meaning(void **state)
{
	struct scene s;
	char *text = NULL;

	(void)state;
	scene_init(&s);
	s.change.welch.p = 0.4;
	assert_int_equal(sentence_disagreement(&text, &s.change), 0);
	assert_non_null(strstr(text, "drown"));
	free(text);
	s.change.verdict = VERDICT_UNCLEAR;
	assert_int_equal(sentence_disagreement(&text, &s.change), 0);
	assert_non_null(strstr(text, "not beyond what may happen among so many comparisons"));
	free(text);
	s.change.p = 0.4;
	s.change.welch.p = 0.001;
	assert_int_equal(sentence_disagreement(&text, &s.change), 0);
	assert_non_null(strstr(text, "make the difference in the mean"));
	free(text);
	s.change.p = 0.001;
	assert_int_equal(sentence_disagreement(&text, &s.change), 0);
	assert_non_null(strstr(text, "one way"));
	free(text);
}

static void labels(void **state)
{
	struct report_variant variants[703] = {{0}};
	struct report r = {.variants = variants, .n_variants = 703};
	char buf[REPORT_LABEL_SIZE];

	(void)state;
	for (size_t i = 0; i < 703; i++)
		variants[i].name = variants[i].command = "./x";
	assert_string_equal(report_label(&r, 0, buf), "A");
	assert_string_equal(report_label(&r, 25, buf), "Z");
	assert_string_equal(report_label(&r, 26, buf), "AA");
	assert_string_equal(report_label(&r, 701, buf), "ZZ");
	assert_string_equal(report_label(&r, 702, buf), "AAA");
	variants[1].name = "new";
	assert_string_equal(report_label(&r, 1, buf), "new");
	variants[1].name = "a name that is long enough to spread a table";
	assert_string_equal(report_label(&r, 1, buf), "B");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_difference),     cmocka_unit_test(no_difference),
	    cmocka_unit_test(special_evidence), cmocka_unit_test(gates),
	    cmocka_unit_test(what_is_known),    cmocka_unit_test(disagreements_have_a_meaning),
	    cmocka_unit_test(labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
