/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stopping by runs and time, for `stat`. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dist.h"
#include "series.h"
#include "stopper.h"
#include "summary.h"

enum { DEFAULT_RUNS = 10 };
#define DEFAULT_NS 3000000000
/* Between two looks at the clock: short runs are not interrupted for it. */
#define BETWEEN_NS 50000000

struct by_runs {
	struct stopper stopper;
	struct plan_options options;
	uint32_t min_runs;
	uint64_t block_ns;
};

static int begin(struct stopper *stopper, struct record *record, uint64_t block_ns, char *err,
		 size_t err_size)
{
	struct by_runs *s = (struct by_runs *)stopper;
	const struct plan_options *o = &s->options;

	(void)err;
	(void)err_size;
	s->block_ns = block_ns;
	s->min_runs = o->min_runs ? o->min_runs : DEFAULT_RUNS;
	if (s->min_runs < (uint32_t)record->plan.groups)
		s->min_runs = (uint32_t)record->plan.groups;
	if (o->max_runs && s->min_runs > o->max_runs)
		s->min_runs = o->max_runs;
	record->plan.fixed = o->runs > 0;
	record->plan.max_blocks = o->runs ? o->runs : o->max_runs;
	record->plan.precision = o->precision;
	record->plan.max_time_ns = o->max_time_ns;
	return 0;
}

static uint32_t next(const struct stopper *stopper, const struct record *record, uint32_t valid)
{
	const struct by_runs *s = (const struct by_runs *)stopper;
	uint32_t done = record->plan.blocks;
	uint64_t more = s->block_ns ? BETWEEN_NS / s->block_ns : 1;

	(void)valid;
	if (record->plan.fixed)
		return record->plan.max_blocks - done;
	if (done < s->min_runs)
		more = s->min_runs - done;
	if (record->plan.max_blocks && more > record->plan.max_blocks - done)
		more = record->plan.max_blocks - done;
	return more ? (uint32_t)more : 1;
}

/* Half the width of the 95 % interval of the primary metric's mean, as a fraction of the mean; NaN: not known. */
static int half_width(const struct record *record, double *half)
{
	struct series series;
	struct moments m;
	size_t n_failed;
	bool *failed = series_failed_blocks(record, &n_failed);

	*half = NAN;
	if (!failed)
		return -ENOMEM;
	int r = series_take(&series, record, 0, (size_t)record->primary, failed, n_failed);

	free(failed);
	if (r)
		return r;
	if (moments_of(&m, series.values, series.n) == 0 && m.n > 1 && moments_mean(&m) != 0)
		*half = dist_t_quantile(0.975, (double)m.n - 1) * moments_sem(&m) /
			fabs(moments_mean(&m));
	series_release(&series);
	return 0;
}

static int look(struct stopper *stopper, struct record *record, uint32_t valid, uint64_t elapsed_ns,
		bool out_of_time, char *err, size_t err_size)
{
	const struct by_runs *s = (const struct by_runs *)stopper;
	struct record_plan *plan = &record->plan;
	double half = NAN;

	(void)valid;
	if (plan->max_blocks && plan->blocks >= plan->max_blocks) {
		plan->stopped = STOPPED_BLOCKS;
	} else if (out_of_time) {
		plan->stopped = STOPPED_TIME;
	} else if (plan->blocks < s->min_runs || plan->fixed) {
		return 0;
	} else if (isnan(s->options.precision)) {
		if (elapsed_ns >= DEFAULT_NS)
			plan->stopped = STOPPED_TIME;
	} else {
		int r = half_width(record, &half);

		if (r) {
			snprintf(err, err_size, "out of memory");
			return r;
		}
		if (half <= s->options.precision)
			plan->stopped = STOPPED_PRECISION;
		/* No interval, because every run failed or the mean is 0: more runs would not give one. */
		else if (isnan(half) && elapsed_ns >= DEFAULT_NS)
			plan->stopped = STOPPED_TIME;
	}
	return 0;
}

static void release(struct stopper *stopper)
{
	(void)stopper;
}

struct stopper *stopper_by_runs_new(const struct plan_options *options)
{
	struct by_runs *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->stopper = (struct stopper){begin, next, look, release};
	s->options = *options;
	return &s->stopper;
}

void stopper_free(struct stopper *stopper)
{
	if (!stopper)
		return;
	stopper->release(stopper);
	free(stopper);
}
