/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stopping after a number of blocks that is fixed beforehand, for `calibrate`: nothing that is seen
 * may stop it. */
#include <math.h>
#include <stdlib.h>

#include "stopper.h"

enum { LEAST_BLOCKS = 100, MOST_BLOCKS = 2000 };
#define DEFAULT_NS 60000000000

struct for_calibration {
	struct stopper stopper;
	struct plan_options options;
};

static uint32_t default_blocks(uint64_t block_ns)
{
	uint64_t n = block_ns ? DEFAULT_NS / block_ns : LEAST_BLOCKS;

	return (uint32_t)(n < LEAST_BLOCKS ? LEAST_BLOCKS : n > MOST_BLOCKS ? MOST_BLOCKS : n);
}

static int begin(struct stopper *stopper, struct record *record, uint64_t block_ns, char *err,
		 size_t err_size)
{
	const struct for_calibration *s = (const struct for_calibration *)stopper;
	const struct plan_options *o = &s->options;
	struct record_plan *plan = &record->plan;

	(void)err;
	(void)err_size;
	plan->fixed = true;
	plan->max_blocks = o->runs ? o->runs : default_blocks(block_ns);
	if (o->max_runs && plan->max_blocks > o->max_runs)
		plan->max_blocks = o->max_runs;
	if (plan->max_blocks < o->min_runs)
		plan->max_blocks = o->min_runs;
	plan->alpha = 0.05;
	plan->margin = 0.01;
	plan->precision = NAN;
	plan->max_time_ns = o->max_time_ns;
	return 0;
}

static uint32_t next(const struct stopper *stopper, const struct record *record, uint32_t valid)
{
	(void)stopper;
	(void)valid;
	return record->plan.max_blocks - record->plan.blocks;
}

static int look(struct stopper *stopper, struct record *record, uint32_t valid, uint64_t elapsed_ns,
		bool out_of_time, char *err, size_t err_size)
{
	struct record_plan *plan = &record->plan;

	(void)stopper;
	(void)valid;
	(void)elapsed_ns;
	(void)err;
	(void)err_size;
	if (plan->blocks >= plan->max_blocks)
		plan->stopped = STOPPED_BLOCKS;
	else if (out_of_time)
		plan->stopped = STOPPED_TIME;
	return 0;
}

static void release(struct stopper *stopper)
{
	(void)stopper;
}

struct stopper *stopper_for_calibration_new(const struct plan_options *options)
{
	struct for_calibration *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->stopper = (struct stopper){begin, next, look, release};
	s->options = *options;
	return &s->stopper;
}
