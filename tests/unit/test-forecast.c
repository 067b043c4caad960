/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans from records: where the spread comes from, and what follows from it. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dist.h"
#include "forecast.h"
#include "import.h"

enum { MS = 1000000 };

static void add_metric(struct record *r, const char *name, const char *unit)
{
	struct metric *m = metric_append(&r->metrics);

	assert_non_null(m);
	m->name = strdup(name);
	m->event = strdup(name);
	m->unit = strdup(unit);
}

/* Normal scores, so that the spread of a sample is that of its distribution, in an order that pairs
 * no two alike. */
static double score(size_t i, size_t n, size_t stride)
{
	return dist_normal_quantile(((double)(i * stride % n) + 0.5) / (double)n);
}

/* Two variants of N runs (a prime), with a duration of 5 ms ± 1 %, a constant, and a count that is
 * 0 mostly. */
static void make_record(struct record *r, size_t variants, size_t n)
{
	record_init(r);
	add_metric(r, "duration_time", "ns");
	add_metric(r, "constant", "");
	add_metric(r, "rare", "");
	r->primary = 0;
	r->plan.interleaved = true;
	r->plan.alpha = 0.05;
	for (size_t v = 0; v < variants; v++)
		assert_non_null(record_add_variant(r, v ? "B" : "A", "x"));
	for (size_t i = 0; i < n; i++)
		for (size_t v = 0; v < variants; v++) {
			double t = 5 * MS * exp(0.01 * score(i, n, v ? 7 : 1));
			struct record_run run = {
			    .block = (uint32_t)i,
			    .variant = (uint16_t)v,
			    .group = -1,
			    .duration_ns = (uint64_t)t,
			};
			struct reading readings[] = {
			    {.value = t},
			    {.value = 42},
			    {.value = i ? 0 : 1},
			};

			assert_int_equal(record_append(r, &run, readings), 0);
		}
}

static void of_a_comparison(void **state)
{
	struct forecast f;
	struct record r;
	char err[200] = "", *sentence;
	struct run_plan plan;

	(void)state;
	make_record(&r, 2, 101);
	assert_int_equal(forecast_make(&f, &r, NULL, 0.005, NAN, err, sizeof(err)), 0);
	assert_int_equal(f.n_metrics, 3);
	assert_true(f.metrics[0].primary);
	assert_true(f.alpha == 0.05);
	assert_int_equal(f.metrics[0].source, SPREAD_INTERVAL);
	assert_int_equal(f.metrics[0].n, 101);
	assert_true(f.metrics[0].sd > 0.008 && f.metrics[0].sd < 0.012);
	assert_float_equal(f.metrics[0].inflation, pilot_inflation(101), 1e-12);
	assert_int_equal(
	    plan_runs(&plan, log1p(0.005), f.metrics[0].sd * f.metrics[0].inflation, 0.05), 0);
	assert_int_equal(f.metrics[0].runs.fixed, plan.fixed);
	assert_int_equal(f.metrics[0].runs.max_blocks, plan.max_blocks);
	/* Two runs of 5 ms a block. */
	assert_float_equal(f.metrics[0].block_seconds, 0.01, 0.0001);
	/* 101 runs show about 2.8 sd sqrt(2 / n). */
	assert_float_equal(f.metrics[0].shown, 2.83 * 0.01 * sqrt(2.0 / 101), 0.001);
	sentence = forecast_sentence(&f);
	assert_non_null(strstr(sentence, "duration_time"));
	free(sentence);
	forecast_release(&f);
	record_release(&r);
}

static void of_a_single_variant(void **state)
{
	struct forecast f;
	struct record r;
	char err[200] = "";

	(void)state;
	make_record(&r, 1, 11);
	assert_int_equal(forecast_make(&f, &r, NULL, 0.005, 0.01, err, sizeof(err)), 0);
	assert_true(f.alpha == 0.01);
	assert_int_equal(f.metrics[0].source, SPREAD_VARIANT);
	assert_float_equal(f.metrics[0].sd, 0.01, 0.001);
	assert_float_equal(f.metrics[0].inflation, sqrt(10 / dist_chisq_quantile(0.2, 10)), 1e-12);
	/* A comparison will take two of them. */
	assert_float_equal(f.metrics[0].block_seconds, 0.01, 0.0001);
	forecast_release(&f);
	record_release(&r);
}

static void constants_and_zeros(void **state)
{
	struct forecast f;
	struct record r;
	char err[200] = "", *sentence;

	(void)state;
	make_record(&r, 2, 31);
	assert_int_equal(forecast_make(&f, &r, "constant", 0.005, NAN, err, sizeof(err)), 0);
	assert_int_equal(f.primary, 1);
	assert_int_equal(f.metrics[1].source, SPREAD_NONE);
	assert_int_equal(f.metrics[1].runs.fixed, 2);
	sentence = forecast_sentence(&f);
	assert_non_null(strstr(sentence, "2 runs suffice"));
	free(sentence);
	/* Pairs of 0 and 0, but for one: the interval has no width, the deviations have. */
	assert_int_equal(f.metrics[2].source, SPREAD_MEANS);
	assert_true(f.metrics[2].sd > 1);
	forecast_release(&f);
	record_release(&r);
}

/* A metric that is counted in one block of three takes three times as many blocks. */
static void taken_in_turn(void **state)
{
	struct forecast once, thrice;
	struct record r;
	char err[200] = "";

	(void)state;
	make_record(&r, 2, 31);
	assert_int_equal(forecast_make(&once, &r, NULL, 0.005, NAN, err, sizeof(err)), 0);
	r.metrics.v[0].group = 1;
	r.plan.groups = 3;
	assert_int_equal(forecast_make(&thrice, &r, NULL, 0.005, NAN, err, sizeof(err)), 0);
	assert_int_equal(thrice.metrics[0].runs.fixed, 3 * once.metrics[0].runs.fixed);
	forecast_release(&once);
	forecast_release(&thrice);
	record_release(&r);
}

static void what_cannot_be_planned(void **state)
{
	struct forecast f;
	struct record r;
	char err[200] = "";

	(void)state;
	make_record(&r, 2, 1);
	assert_int_equal(forecast_make(&f, &r, NULL, 0.005, NAN, err, sizeof(err)), 0);
	assert_int_equal(f.metrics[0].source, SPREAD_UNKNOWN);
	assert_int_equal(f.metrics[0].runs.fixed, 0);
	assert_non_null(f.metrics[0].reason);
	forecast_release(&f);
	assert_int_equal(forecast_make(&f, &r, "nosuch", 0.005, NAN, err, sizeof(err)), -ENOENT);
	assert_non_null(strstr(err, "nosuch"));
	forecast_release(&f);
	record_release(&r);

	make_record(&r, 2, 31);
	assert_int_equal(forecast_make(&f, &r, NULL, 1e-9, NAN, err, sizeof(err)), 0);
	assert_int_equal(f.metrics[0].runs.fixed, 0);
	assert_non_null(strstr(f.metrics[0].reason, "1,000,000,000"));
	forecast_release(&f);
	record_release(&r);
}

static void of_means(void **state)
{
	static const char *const texts[] = {"old=100,2,50", "new=101,2,50"};
	struct forecast f;
	struct record r;
	char err[200] = "";

	(void)state;
	assert_int_equal(record_from_summaries(texts, 2, &r, err, sizeof(err)), 0);
	assert_int_equal(forecast_make(&f, &r, NULL, 0.01, NAN, err, sizeof(err)), 0);
	assert_int_equal(f.metrics[0].source, SPREAD_MEANS);
	assert_float_equal(f.metrics[0].sd, 0.02, 0.0002);
	assert_true(isnan(f.metrics[0].block_seconds));
	forecast_release(&f);
	record_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(of_a_comparison),        cmocka_unit_test(of_a_single_variant),
	    cmocka_unit_test(constants_and_zeros),    cmocka_unit_test(taken_in_turn),
	    cmocka_unit_test(what_cannot_be_planned), cmocka_unit_test(of_means),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
