/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measuring.
 *
 *   spawners (one a rotation group) → set-up hooks → warm-up blocks → plan fixed → blocks, looks → clean-up hooks
 *
 * With scopes, a block runs every variant once bare and once probed, by a spawner of its own for every variant, because
 * a probe is at a place in a binary.
 *
 * Runs are asked for in batches of about BATCH_NS, so that the time between two short runs is not spent on waking
 * processes; where a run must be kept, or a hook run, before the next one begins, a batch is one run.
 */
#include "measure.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "failure.h"
#include "interrupt.h"
#include "plan.h"
#include "readings.h"
#include "spawner.h"

enum { BATCH_NS = 50000000, BATCH_MAX = 4096 };

struct measurement {
	const struct measure_config *config;
	struct record *record;
	struct run_config run;
	struct spawner **spawners;	  /* one a rotation group */
	struct spawner **probed_spawners; /* group × variant */
	size_t n_variants;
	size_t n_entries;    /* runs of a block: entry e is variant e % n_variants */
	bool probed;	     /* the run that runs is */
	size_t group;	     /* rotation group of the block that runs */
	uint32_t block;	     /* the next one to run, warm-up included */
	uint32_t valid;	     /* measured blocks in which no run failed */
	bool warmup;
	bool block_failed;
	size_t in_block;     /* runs of the current block that have ended */
	uint64_t begun_ns;   /* CLOCK_MONOTONIC at the first measured block */
	uint64_t block_ns;   /* the time that a block takes, 0: not known yet */
	uint16_t *order;
	struct run_request *requests;
	struct reading *readings;
	double *scratch;
	char last_failure[1500]; /* with --ignore-failure: what the last one was */
	int status;	     /* exit status of what ended the measurement, 0: nothing did */
	char *err;
	size_t err_size;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int ended(struct measurement *m, int status)
{
	m->status = status;
	return status;
}

static bool has_hooks_around_runs(const struct measurement *m)
{
	for (size_t i = 0; i < m->n_variants; i++)
		if (m->config->variants->v[i].hooks.prepare ||
		    m->config->variants->v[i].hooks.conclude)
			return true;
	return false;
}

static int append_run(struct measurement *m, const struct run_request *request,
		      const struct run_result *result)
{
	struct record *r = m->record;
	struct record_run run = {
		.block = request->block,
		.variant = (uint16_t)request->variant,
		.position = (uint16_t)m->in_block,
		.group = m->config->counting->n_groups > 1 ? (int16_t)m->group : -1,
		.outcome = (uint8_t)result->outcome,
		.warmup = m->warmup,
		.probed = m->probed,
		.rss_upper_bound = result->usage.max_rss <= result->max_rss_floor,
		.status = result->status,
		.cpu = result->cpu,
		.stragglers = result->stragglers,
		.stragglers_killed = result->stragglers_killed,
		.start_ns = result->start_ns > r->start_ns ? result->start_ns - r->start_ns : 0,
		.duration_ns = result->duration_ns,
		.frequency = result->frequency,
		.migrations = result->migrations,
		.switches = (int64_t)(result->usage.voluntary_switches +
				      result->usage.involuntary_switches),
	};

	if (record_append(r, &run, m->readings)) {
		snprintf(m->err, m->err_size, "out of memory after %zu runs", r->n_runs);
		return ended(m, STATUS_CANNOT_MEASURE);
	}
	if (m->config->keep &&
	    m->config->keep(m->config->context, r, r->n_runs - 1, m->err, m->err_size))
		return ended(m, STATUS_CANNOT_MEASURE);
	return 0;
}

/* The last run of a block has ended: what of it counts. */
static void block_ended(struct measurement *m)
{
	m->block++;
	if (!m->warmup) {
		m->record->plan.blocks++;
		m->valid += !m->block_failed;
	}
	m->block_failed = false;
	m->in_block = 0;
}

/* A run has ended: into the record with it. */
static int on_run(void *context, const struct run_request *request, const struct run_result *result,
		  const struct counter_value *values, const struct scope_result *scopes,
		  const struct run_output *output)
{
	struct measurement *m = context;
	const struct run_options *options = m->config->run;

	struct failure_place place = {
		.variant = &m->config->variants->v[request->variant],
		.run = request->block + 1 - (m->warmup ? 0 : m->record->plan.first_block),
		.warmup = m->warmup,
		.probed = m->probed,
		.config = &m->run,
	};

	if (m->probed)
		place.returned = scopes_returned(m->config->scopes, request->variant, &place.scope);

	if (result->outcome == RUN_NOT_STARTED) {
		failure_describe(&place, result, output, m->err, m->err_size);
		return ended(m, STATUS_CANNOT_MEASURE);
	}
	size_t at = m->group * m->n_variants + request->variant;
	struct probed_run probed = {.result = scopes, .killed = result->stragglers_killed > 0};

	if (m->probed) {
		probed.config = &m->config->scopes->configs[at];
		probed.slot_errors = m->config->scopes->slot_errors[at];
	}
	if (m->probed && scopes && scopes_note_engine(m->config->scopes, scopes, m->record)) {
		snprintf(m->err, m->err_size, "out of memory");
		return ended(m, STATUS_CANNOT_MEASURE);
	}
	if (m->probed && scopes_check_files(m->config->scopes, request->variant, m->err, m->err_size))
		return ended(m, STATUS_CANNOT_MEASURE);
	if (m->probed && scopes && result->outcome == RUN_OK &&
	    scopes_check_regions(m->config->scopes, request->variant, scopes, m->err, m->err_size))
		return ended(m, STATUS_CANNOT_MEASURE);
	readings_compute(m->config->counting, m->record, m->group, result, values, m->probed ? &probed : NULL,
			 output, m->scratch, m->readings);
	if (append_run(m, request, result))
		return m->status;
	if (result->outcome == RUN_INTERRUPTED)
		return ended(m, STATUS_INTERRUPTED);
	if (result->outcome != RUN_OK && !options->ignore_failure) {
		failure_describe(&place, result, output, m->err, m->err_size);
		return ended(m, STATUS_NO_VERDICT);
	}
	if (result->outcome != RUN_OK) {
		m->block_failed = true;
		failure_describe(&place, result, output, m->last_failure, sizeof(m->last_failure));
	}
	if (++m->in_block == m->n_entries)
		block_ended(m);
	return 0;
}

/* A hook that fails is an error, as a failing run is. */
static int run_hook(struct measurement *m, const struct variant *v, const char *command,
		    const char *what, uint64_t block_seed)
{
	char why[300] = "";

	if (!command)
		return 0;
	int r = hook_run(command, &m->run, block_seed, why, sizeof(why));

	if (interrupt_signal())
		return ended(m, STATUS_INTERRUPTED);
	if (r == 0)
		return 0;
	if (r < 0)
		snprintf(m->err, m->err_size, "%s of '%s' could not be run: %s", what, v->name, why);
	else if (r > 128)
		snprintf(m->err, m->err_size, "%s of '%s' (%s) was killed by signal %d (%s)", what,
			 v->name, command, r - 128, strsignal(r - 128));
	else
		snprintf(m->err, m->err_size, "%s of '%s' (%s) exited with status %d", what, v->name,
			 command, r);
	return ended(m, r < 0 ? STATUS_CANNOT_MEASURE : STATUS_NO_VERDICT);
}

static int run_batch(struct measurement *m, const struct run_request *requests, size_t n)
{
	struct spawner *spawner = m->probed
					  ? m->probed_spawners[m->group * m->n_variants + requests[0].variant]
					  : m->spawners[m->group];
	char why[300] = "";

	interrupt_watch(spawner);
	int r = interrupt_signal() ? 0
				   : spawner_run(spawner, requests, n, m->config->run->ignore_failure,
						 on_run, m, why, sizeof(why));
	interrupt_watch(NULL);
	if (m->status)
		return m->status;
	if (interrupt_signal())
		return ended(m, STATUS_INTERRUPTED);
	if (r < 0) {
		snprintf(m->err, m->err_size, "%s", why);
		return ended(m, STATUS_CANNOT_MEASURE);
	}
	return 0;
}

static int run_one_with_hooks(struct measurement *m, const struct run_request *request)
{
	const struct variant *v = &m->config->variants->v[request->variant];

	if (run_hook(m, v, v->hooks.prepare, "the --prepare hook", request->block_seed) ||
	    run_batch(m, request, 1))
		return m->status;
	return run_hook(m, v, v->hooks.conclude, "the --conclude hook", request->block_seed);
}

/* The second half of a block's entries, or all, are probed runs. */
static bool is_probed(const struct measurement *m, size_t entry)
{
	const struct scopes *s = m->config->scopes;

	return s && s->n && (s->only || entry >= m->n_variants);
}

static void request_block(struct measurement *m, uint32_t block, struct run_request *requests)
{
	uint64_t seed = m->record->plan.seed;

	plan_order(seed, block, m->order, m->n_entries);
	for (size_t i = 0; i < m->n_entries; i++)
		requests[i] = (struct run_request){
			.variant = (uint32_t)(m->order[i] % m->n_variants),
			.block = block,
			.block_seed = plan_block_seed(seed, block),
			.stack_offset = plan_stack_offset(seed, block),
		};
}

static int run_block_singly(struct measurement *m)
{
	bool hooks = has_hooks_around_runs(m);

	request_block(m, m->block, m->requests);
	for (size_t i = 0; i < m->n_entries; i++) {
		m->probed = is_probed(m, m->order[i]);
		if (hooks ? run_one_with_hooks(m, &m->requests[i]) : run_batch(m, &m->requests[i], 1))
			return m->status;
	}
	return 0;
}

/* Runs at most MOST blocks, and at least one. */
static int run_blocks(struct measurement *m, uint32_t most)
{
	const struct counting *c = m->config->counting;
	uint64_t begin = now_ns();
	uint32_t n = 1, begun = m->block;

	m->group = m->block % c->n_groups;
	if (m->config->keep || has_hooks_around_runs(m) || is_probed(m, m->n_entries - 1)) {
		if (run_block_singly(m))
			return m->status;
	} else {
		/* Failures are told apart by block, so that only blocks without hooks, groups and failures go together. */
		if (m->block_ns && c->n_groups == 1 && !m->config->run->ignore_failure)
			n = (uint32_t)(BATCH_NS / m->block_ns);
		if (n > BATCH_MAX / m->n_entries)
			n = (uint32_t)(BATCH_MAX / m->n_entries);
		n = n > most ? most : n ? n : 1;
		for (uint32_t i = 0; i < n; i++)
			request_block(m, m->block + i, m->requests + i * m->n_entries);
		if (run_batch(m, m->requests, n * m->n_entries))
			return m->status;
	}
	m->block_ns = (now_ns() - begin) / (m->block - begun);
	return 0;
}

static int warm_up(struct measurement *m)
{
	m->warmup = true;
	for (uint32_t i = 0; i < m->record->plan.warmup; i++) {
		if (m->config->progress)
			m->config->progress(m->config->context, m->record, true, i,
					    m->record->plan.warmup, 0);
		if (run_blocks(m, 1))
			return m->status;
	}
	m->warmup = false;
	return 0;
}

static int cannot(struct measurement *m, int error)
{
	return error ? ended(m, STATUS_CANNOT_MEASURE) : 0;
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
	m->begun_ns = now_ns();
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
		cannot(m, c->stopper->look(c->stopper, m->record, m->valid, now_ns() - m->begun_ns, false,
					   m->err, m->err_size));
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
			if (run_blocks(m, target - plan->blocks))
				return m->status;
			elapsed = now_ns() - m->begun_ns;
			late = c->max_time_ns && elapsed >= c->max_time_ns;
			if (c->progress)
				c->progress(c->context, m->record, false, plan->blocks,
					    plan->max_blocks, elapsed);
		} while (plan->blocks < target && !late);
		if (cannot(m, c->stopper->look(c->stopper, m->record, m->valid, elapsed, late, m->err,
					       m->err_size)))
			return m->status;
	}
	if (m->valid)
		return 0;
	snprintf(m->err, m->err_size,
		 "in every block a run failed, so that there is nothing to judge. The last one: %s",
		 m->last_failure);
	return ended(m, STATUS_NO_VERDICT);
}

static int set_up(struct measurement *m)
{
	const struct variant_list *list = m->config->variants;

	for (size_t i = 0; i < list->n; i++)
		if (run_hook(m, &list->v[i], list->v[i].hooks.setup, "the --setup hook",
			     plan_block_seed(m->record->plan.seed, 0)))
			return m->status;
	return 0;
}

/* Clean-up happens whatever came before, of every variant, and the first thing that went wrong is told. */
static void clean_up(struct measurement *m)
{
	const struct variant_list *list = m->config->variants;
	int status = m->status;
	char first[2000];

	snprintf(first, sizeof(first), "%s", m->err);
	for (size_t i = 0; i < list->n; i++) {
		m->status = 0;
		run_hook(m, &list->v[i], list->v[i].hooks.cleanup, "the --cleanup hook",
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

	for (size_t g = 0; g < c->n_groups && !is_probed(m, 0); g++)
		if (spawner_start(&m->spawners[g], &m->run, &c->groups[g].config,
				  c->groups[g].slot_errors, m->err, m->err_size))
			return ended(m, STATUS_CANNOT_MEASURE);
	for (size_t i = 0; s && s->n && i < c->n_groups * m->n_variants; i++)
		if (spawner_start_probed(&m->probed_spawners[i], &m->run, &s->configs[i], s->slot_errors[i],
					 m->err, m->err_size))
			return ended(m, STATUS_CANNOT_MEASURE);
	return 0;
}

static int init(struct measurement *m)
{
	size_t n_spawners = m->config->counting->n_groups * m->n_variants;
	size_t n_metrics = m->record->metrics.n;

	m->n_entries = is_probed(m, m->n_variants) && !is_probed(m, 0) ? 2 * m->n_variants : m->n_variants;
	m->order = calloc(m->n_entries, sizeof(*m->order));
	m->requests = calloc(BATCH_MAX + m->n_entries, sizeof(*m->requests));
	m->readings = calloc(n_metrics + 1, sizeof(*m->readings));
	m->scratch = calloc(n_metrics + 1, sizeof(*m->scratch));
	m->spawners = calloc(m->config->counting->n_groups, sizeof(*m->spawners));
	m->probed_spawners = calloc(n_spawners, sizeof(*m->probed_spawners));
	if (!m->order || !m->requests || !m->readings || !m->scratch || !m->spawners || !m->probed_spawners) {
		snprintf(m->err, m->err_size, "out of memory");
		return ended(m, STATUS_CANNOT_MEASURE);
	}
	return start_spawners(m);
}

static void release(struct measurement *m)
{
	for (size_t g = 0; m->spawners && g < m->config->counting->n_groups; g++)
		spawner_free(m->spawners[g]);
	for (size_t i = 0; m->probed_spawners && i < m->config->counting->n_groups * m->n_variants; i++)
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
	/* A second signal, as timeout(1) sends, shall not kill abstat before it has shown what was measured. */
	if (m.status != STATUS_INTERRUPTED)
		interrupt_restore();
	return m.status;
}
