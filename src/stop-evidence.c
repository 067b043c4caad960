/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stopping by evidence, for `compare`.
 *
 * The looks and their levels are fixed before the first measured run. At a look the record is analysed as it will be
 * at the end: when every comparison has its verdict (with a gate: its answer), the measurement stops.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse-look.h"
#include "analyse.h"
#include "judge.h"
#include "plan.h"
#include "stopper.h"

struct by_evidence {
	struct stopper stopper;
	struct plan_options options;
	const struct judge_options *judge;
};

static double margin_of_primary(const struct judge_options *o, const struct record *record)
{
	double own = record->metrics.v[record->primary].margin;

	if (!isnan(own))
		return own;
	return isnan(o->margin) ? MARGIN_DEFAULT : o->margin;
}

/* The looks are part of what is fixed before the first measured run. */
static int set_looks(struct record_plan *plan)
{
	struct judge_plan p;

	if (plan->fixed || judge_plan_sequential(&p, plan->max_blocks, plan->alpha))
		return 0;
	free(plan->looks);
	plan->looks = calloc(p.difference.looks, sizeof(*plan->looks));
	if (!plan->looks)
		return -ENOMEM;
	for (size_t k = 0; k < p.difference.looks; k++)
		plan->looks[k] = (uint32_t)p.difference.n[k];
	plan->n_looks = p.difference.looks;
	return 0;
}

static int begin(struct stopper *stopper, struct record *record, uint64_t block_ns, char *err,
		 size_t err_size)
{
	const struct by_evidence *s = (const struct by_evidence *)stopper;
	const struct plan_options *o = &s->options;
	struct record_plan *plan = &record->plan;

	plan->fixed = o->runs > 0;
	plan->max_blocks = o->runs ? o->runs : o->max_runs ? o->max_runs : plan_default_blocks(block_ns);
	if (plan->max_blocks < o->min_runs)
		plan->max_blocks = o->min_runs;
	plan->min_blocks = o->min_runs;
	plan->alpha = isnan(s->judge->alpha) ? 0.05 : s->judge->alpha;
	plan->margin = margin_of_primary(s->judge, record);
	plan->gate = NAN;
	if (s->judge->gate)
		plan->gate = isnan(s->judge->gate_margin) ? plan->margin : s->judge->gate_margin;
	plan->precision = o->precision;
	plan->max_time_ns = o->max_time_ns;
	if (!set_looks(plan))
		return 0;
	snprintf(err, err_size, "out of memory");
	return -ENOMEM;
}

static uint32_t next(const struct stopper *stopper, const struct record *record, uint32_t valid)
{
	const struct record_plan *plan = &record->plan;
	uint32_t left = plan->max_blocks - plan->blocks;
	uint32_t more = left;

	(void)stopper;
	if (plan->fixed)
		return left;
	if (!isnan(plan->precision))
		more = valid < 10 ? 10 - valid : valid / 8; /* often enough, and not after every run */
	else
		more = (uint32_t)look_next(plan, valid) - valid;
	if (more < 1)
		more = 1;
	return more < left ? more : left;
}

/* Whether every comparison has its answer; at a look with precision, whether every interval is narrow enough. */
static bool decided(const struct report *report, double precision)
{
	for (size_t i = 0; i < report->n_comparisons; i++) {
		const struct report_comparison *c = &report->comparisons[i];

		for (size_t m = 0; m < report->n_metrics; m++) {
			const struct report_change *change = &c->changes[m];

			if (!report->metrics[m].primary || isnan(precision))
				continue;
			if (!(change->half_width <= precision))
				return false;
		}
		if (!isnan(precision))
			continue;
		if (c->gate == GATE_UNCLEAR)
			return false;
		if (c->gate == GATE_NONE &&
		    (c->verdict == VERDICT_UNCLEAR || c->verdict == VERDICT_NONE))
			return false;
	}
	return true;
}

static int ask(const struct by_evidence *s, struct record *record, enum stop_reason reason, bool *yes,
	       char *err, size_t err_size)
{
	struct report report;
	bool narrow = reason == STOPPED_PRECISION;

	record->plan.stopped = reason;
	/* The interval's width takes the whole analysis, a verdict only the tests. */
	int r = analyse_record(&report, record, s->judge, true, narrow ? ANALYSE_PRIMARY : ANALYSE_TESTS, err, err_size);

	*yes = !r && decided(&report, narrow ? s->options.precision : NAN);
	report_release(&report);
	return r ? -EINVAL : 0;
}

static int look(struct stopper *stopper, struct record *record, uint32_t valid, uint64_t elapsed_ns,
		bool out_of_time, char *err, size_t err_size)
{
	const struct by_evidence *s = (const struct by_evidence *)stopper;
	struct record_plan *plan = &record->plan;
	bool precise = !isnan(plan->precision);
	bool yes = false;
	int r = 0;

	(void)elapsed_ns;
	if (plan->blocks >= plan->max_blocks) {
		plan->stopped = STOPPED_BLOCKS;
		return 0;
	}
	if (out_of_time) {
		plan->stopped = STOPPED_TIME;
		return 0;
	}
	/* A failed block may have been left out: then the look is not due yet. */
	if (plan->fixed || valid < 6 || valid < plan->min_blocks)
		return 0;
	r = ask(s, record, precise ? STOPPED_PRECISION : STOPPED_VERDICT, &yes, err, err_size);
	if (!yes)
		plan->stopped = STOPPED_NOT;
	return r;
}

static void release(struct stopper *stopper)
{
	(void)stopper;
}

struct stopper *stopper_by_evidence_new(const struct plan_options *options,
					const struct judge_options *judge)
{
	struct by_evidence *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->stopper = (struct stopper){begin, next, look, release};
	s->options = *options;
	s->judge = judge;
	return &s->stopper;
}
