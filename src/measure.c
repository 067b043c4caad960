/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measuring.
 *
 *   spawners (one a rotation group) → set-up hooks → warm-up blocks → plan fixed → blocks, looks →
 * clean-up hooks
 *
 * With scopes, a block runs every variant once bare and once probed, by a spawner of its own for
 * every variant, because a probe is at a place in a binary.
 */
#include "measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "interrupt.h"
#include "measurement.h"
#include "monotonic.h"
#include "plan.h"
#include "spawner.h"

static int warm_up(struct measurement *m)
{
	m->warmup = true;
	for (uint32_t i = 0; i < m->record->plan.warmup; i++) {
		if (m->config->progress)
			m->config->progress(m->config->context, m->record, true, i,
					    m->record->plan.warmup, 0);
		if (measure_blocks(m, 1))
			return m->status;
	}
	m->warmup = false;
	return 0;
}

static int cannot(struct measurement *m, int error)
{
	return error ? measure_ended(m, STATUS_CANNOT_MEASURE) : 0;
}

/* Fixes the plan, or takes up the one that was fixed before the interruption. */
static int begin(struct measurement *m)
{
	const struct measure_config *c = m->config;
	struct record_plan *plan = &m->record->plan, fixed = *plan;
	bool resumed = c->resumed && c->resumed->planned;

	plan->first_block = m->block;
	if (resumed) {
		plan->looks = NULL;
		plan->n_looks = 0;
	}
	if (cannot(m, c->stopper->begin(c->stopper, m->record, m->block_ns, m->err, m->err_size)))
		return m->status;
	m->begun_ns = monotonic_ns();
	if (resumed) {
		free(plan->looks);
		*plan = fixed;
		m->block = c->resumed->block;
		m->valid = c->resumed->valid;
		m->begun_ns -= c->resumed->spent_ns;
	}
	if (c->planned && cannot(m, c->planned(c->context, m->record, m->err, m->err_size)))
		return m->status;
	/* It may have been interrupted just before a look. */
	if (resumed && m->valid)
		cannot(m,
		       c->stopper->look(c->stopper, m->record, m->valid,
					monotonic_ns() - m->begun_ns, false, m->err, m->err_size));
	return m->status;
}

static int run_measured(struct measurement *m)
{
	const struct measure_config *c = m->config;
	struct record_plan *plan = &m->record->plan;

	if (begin(m))
		return m->status;
	while (plan->stopped == STOPPED_NOT) {
		uint32_t target = plan->blocks + c->stopper->next(c->stopper, m->record, m->valid);
		uint64_t elapsed;
		bool late;

		do {
			if (measure_blocks(m, target - plan->blocks))
				return m->status;
			elapsed = monotonic_ns() - m->begun_ns;
			late = c->max_time_ns && elapsed >= c->max_time_ns;
			if (c->progress)
				c->progress(c->context, m->record, false, plan->blocks,
					    plan->max_blocks, elapsed);
		} while (plan->blocks < target && !late);
		if (cannot(m, c->stopper->look(c->stopper, m->record, m->valid, elapsed, late,
					       m->err, m->err_size)))
			return m->status;
	}
	if (m->valid)
		return 0;
	snprintf(m->err, m->err_size,
		 "in every block a run failed, so that there is nothing to judge. The last one: %s",
		 m->last_failure);
	return measure_ended(m, STATUS_NO_VERDICT);
}

static int set_up(struct measurement *m)
{
	const struct variant_list *list = m->config->variants;

	for (size_t i = 0; i < list->n; i++)
		if (measure_hook(m, &list->v[i], list->v[i].hooks.setup, "the --setup hook",
				 plan_block_seed(m->record->plan.seed, 0)))
			return m->status;
	return 0;
}

/* Clean-up happens whatever came before, of every variant, and the first thing that went wrong is
 * told. */
static void clean_up(struct measurement *m)
{
	const struct variant_list *list = m->config->variants;
	int status = m->status;
	char first[2000];

	snprintf(first, sizeof(first), "%s", m->err);
	for (size_t i = 0; i < list->n; i++) {
		m->status = 0;
		measure_hook(m, &list->v[i], list->v[i].hooks.cleanup, "the --cleanup hook",
			     plan_block_seed(m->record->plan.seed, 0));
		if (status || !m->status)
			continue;
		status = m->status;
		snprintf(first, sizeof(first), "%s", m->err);
	}
	m->status = status;
	snprintf(m->err, m->err_size, "%s", first);
}

static int start_spawners(struct measurement *m)
{
	struct counting *c = m->config->counting;
	const struct scopes *s = m->config->scopes;

	for (size_t g = 0; g < c->n_groups && !measure_is_probed(m, 0); g++)
		if (spawner_start(&m->spawners[g], &m->run, &c->groups[g].config,
				  c->groups[g].slot_errors, m->err, m->err_size))
			return measure_ended(m, STATUS_CANNOT_MEASURE);
	for (size_t i = 0; s && s->n && i < c->n_groups * m->n_variants; i++)
		if (spawner_start_probed(&m->probed_spawners[i], &m->run, &s->configs[i],
					 s->slot_errors[i], m->err, m->err_size))
			return measure_ended(m, STATUS_CANNOT_MEASURE);
	return 0;
}

static int init(struct measurement *m)
{
	size_t n_spawners = m->config->counting->n_groups * m->n_variants;
	size_t n_metrics = m->record->metrics.n;

	m->n_entries = measure_is_probed(m, m->n_variants) && !measure_is_probed(m, 0)
			   ? 2 * m->n_variants
			   : m->n_variants;
	m->order = calloc(m->n_entries, sizeof(*m->order));
	m->requests = calloc(BATCH_MAX + m->n_entries, sizeof(*m->requests));
	m->readings = calloc(n_metrics + 1, sizeof(*m->readings));
	m->scratch = calloc(n_metrics + 1, sizeof(*m->scratch));
	m->spawners = calloc(m->config->counting->n_groups, sizeof(*m->spawners));
	m->probed_spawners = calloc(n_spawners, sizeof(*m->probed_spawners));
	if (!m->order || !m->requests || !m->readings || !m->scratch || !m->spawners ||
	    !m->probed_spawners) {
		snprintf(m->err, m->err_size, "out of memory");
		return measure_ended(m, STATUS_CANNOT_MEASURE);
	}
	return start_spawners(m);
}

static void release(struct measurement *m)
{
	for (size_t g = 0; m->spawners && g < m->config->counting->n_groups; g++)
		spawner_free(m->spawners[g]);
	for (size_t i = 0; m->probed_spawners && i < m->config->counting->n_groups * m->n_variants;
	     i++)
		spawner_free(m->probed_spawners[i]);
	free(m->probed_spawners);
	free(m->spawners);
	free(m->order);
	free(m->requests);
	free(m->readings);
	free(m->scratch);
}

int measure(const struct measure_config *config, char *err, size_t err_size)
{
	struct measurement m = {
	    .config = config,
	    .record = config->record,
	    .run = config->run->config,
	    .n_variants = config->variants->n,
	    .err = err,
	    .err_size = err_size,
	};

	m.run.variants = config->variants->v;
	m.run.n_variants = config->variants->n;
	m.run.keep_output = config->counting->n_extracts > 0;
	interrupt_catch();
	if (!init(&m)) {
		if (!set_up(&m) && !warm_up(&m))
			run_measured(&m);
		clean_up(&m);
	}
	release(&m);
	if (m.status == STATUS_INTERRUPTED) {
		/* An interrupt of the clean-up does not undo what had come to its end. */
		if (m.record->plan.stopped == STOPPED_NOT)
			m.record->plan.stopped = STOPPED_INTERRUPT;
		snprintf(err, err_size, "interrupted by SIG%s", sigabbrev_np(interrupt_signal()));
	} else if (m.status) {
		m.record->plan.stopped = STOPPED_FAILED;
	}
	/* A second signal, as timeout(1) sends, shall not kill abstat before it has shown what was
	 * measured. */
	if (m.status != STATUS_INTERRUPTED)
		interrupt_restore();
	return m.status;
}
