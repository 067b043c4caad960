/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records made up in memory. */
#include "record-fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyse.h"
#include "plan.h"

void made_init(struct record *r, size_t n_variants)
{
	record_init(r);
	for (size_t i = 0; i < n_variants; i++) {
		char name[2] = {(char)('A' + i), '\0'};
		char command[] = "./a";

		command[2] = (char)('a' + i);
		assert_non_null(record_add_variant(r, name, command));
	}
	r->version = strdup("test");
	r->machine.boot_id = strdup("boot-1");
	r->plan.interleaved = true;
	r->plan.fixed = true;
	r->plan.stopped = STOPPED_BLOCKS;
	r->primary = 0;
}

struct metric *made_metric(struct record *r, const char *name, const char *event, const char *unit,
			   enum direction direction)
{
	struct metric *m = metric_append(&r->metrics);

	assert_non_null(m);
	m->name = strdup(name);
	m->event = strdup(event ? event : name);
	m->unit = strdup(unit);
	m->direction = direction;
	m->source = METRIC_COUNTER;
	return m;
}

struct record_run *made_run(struct record *r, uint32_t block, size_t variant, const double *values)
{
	struct record_run run = {
	    .block = block,
	    .variant = (uint16_t)variant,
	    .group = -1,
	    .cpu = -1,
	    .frequency = -1,
	    .start_ns = 1000000 * r->n_runs,
	    .duration_ns = 1000000,
	};
	struct reading *readings = calloc(r->metrics.n + 1, sizeof(*readings));

	assert_non_null(readings);
	for (size_t i = 0; i < r->metrics.n; i++) {
		readings[i].value = values[i];
		readings[i].enabled = readings[i].running = 1000;
		readings[i].reason = isnan(values[i]) ? NULL_NOT_COUNTED : NULL_NONE;
	}
	assert_int_equal(record_append(r, &run, readings), 0);
	free(readings);
	return &r->runs[r->n_runs - 1];
}

static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

double made_normal(uint64_t *state)
{
	double r = sqrt(-2 * log(uniform(state)));

	return r * cos(2 * M_PI * uniform(state));
}

void made_blocks(struct record *r, uint32_t n, double sd, const double *effect, uint64_t seed)
{
	double *values = calloc(r->metrics.n + 1, sizeof(*values));
	uint16_t *order = calloc(r->n_variants + 1, sizeof(*order));
	uint64_t state = seed;

	assert_true(values && order);
	for (uint32_t block = 0; block < n; block++) {
		plan_order(seed, block, order, r->n_variants);
		for (size_t i = 0; i < r->n_variants; i++) {
			for (size_t m = 0; m < r->metrics.n; m++)
				values[m] =
				    1000 * (1 + sd * made_normal(&state)) * effect[order[i]];
			made_run(r, block, order[i], values)->position = (uint16_t)i;
		}
	}
	r->plan.blocks = r->plan.max_blocks = n;
	free(order);
	free(values);
}

void made_report(struct report *report, const struct record *r, const struct judge_options *judge)
{
	char err[500] = "";

	if (analyse_record(report, r, judge, true, ANALYSE_ALL, err, sizeof(err)))
		fail_msg("%s", err);
}

void made_two(struct record *r, uint32_t n, double sd, double effect, enum direction direction)
{
	const double effects[] = {1, effect};

	made_init(r, 2);
	made_metric(r, "cycles", NULL, "", direction);
	made_blocks(r, n, sd, effects, 99);
}

struct report_change made_change(const struct record *r, const struct judge_options *judge)
{
	struct report report;

	made_report(&report, r, judge);
	struct report_change c = report.comparisons[0].changes[0];

	assert_int_equal(report.comparisons[0].verdict, c.verdict);
	assert_non_null(report.comparisons[0].sentence);
	report_release(&report);
	return c;
}

int made_gate_status(const struct record *r, struct judge_options *judge, enum gate_result *results)
{
	struct report report;

	made_report(&report, r, judge);
	for (size_t i = 0; i < report.n_comparisons; i++)
		results[i] = report.comparisons[i].gate;
	int status = report.status;

	report_release(&report);
	return status;
}

void made_pairs(struct record *r, const double *a, const double *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		made_run(r, i, 0, &a[i]);
		made_run(r, i, 1, &b[i]);
	}
	r->plan.blocks = r->plan.max_blocks = n;
}
