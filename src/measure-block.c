/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs of a block, in their random order, with their hooks; what comes of each goes into the
 * record.
 *
 * Runs are asked for in batches of about BATCH_NS, so that the time between two short runs is not
 * spent on waking processes; where a run must be kept, or a hook run, before the next one begins, a
 * batch is one run.
 */
#include "measurement.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "failure.h"
#include "interrupt.h"
#include "monotonic.h"
#include "plan.h"
#include "readings.h"
#include "spawner.h"

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
	    .switches =
		(int64_t)(result->usage.voluntary_switches + result->usage.involuntary_switches),
	};

	if (record_append(r, &run, m->readings)) {
		snprintf(m->err, m->err_size, "out of memory after %zu runs", r->n_runs);
		return measure_ended(m, STATUS_CANNOT_MEASURE);
	}
	if (m->config->keep &&
	    m->config->keep(m->config->context, r, r->n_runs - 1, m->err, m->err_size))
		return measure_ended(m, STATUS_CANNOT_MEASURE);
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
		return measure_ended(m, STATUS_CANNOT_MEASURE);
	}
	size_t at = m->group * m->n_variants + request->variant;
	struct probed_run probed = {.result = scopes, .killed = result->stragglers_killed > 0};

	if (m->probed) {
		probed.config = &m->config->scopes->configs[at];
		probed.slot_errors = m->config->scopes->slot_errors[at];
	}
	if (m->probed && scopes && scopes_note_engine(m->config->scopes, scopes, m->record)) {
		snprintf(m->err, m->err_size, "out of memory");
		return measure_ended(m, STATUS_CANNOT_MEASURE);
	}
	if (m->probed &&
	    scopes_check_files(m->config->scopes, request->variant, m->err, m->err_size))
		return measure_ended(m, STATUS_CANNOT_MEASURE);
	if (m->probed && scopes && result->outcome == RUN_OK &&
	    scopes_check_regions(m->config->scopes, request->variant, scopes, m->err, m->err_size))
		return measure_ended(m, STATUS_CANNOT_MEASURE);
	readings_compute(m->config->counting, m->record, m->group, result, values,
			 m->probed ? &probed : NULL, output, m->scratch, m->readings);
	if (append_run(m, request, result))
		return m->status;
	if (result->outcome == RUN_INTERRUPTED)
		return measure_ended(m, STATUS_INTERRUPTED);
	if (result->outcome != RUN_OK && !options->ignore_failure) {
		failure_describe(&place, result, output, m->err, m->err_size);
		return measure_ended(m, STATUS_NO_VERDICT);
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
int measure_hook(struct measurement *m, const struct variant *v, const char *command,
		 const char *what, uint64_t block_seed)
{
	char why[300] = "";

	if (!command)
		return 0;
	int r = hook_run(command, &m->run, block_seed, why, sizeof(why));

	if (interrupt_signal())
		return measure_ended(m, STATUS_INTERRUPTED);
	if (r == 0)
		return 0;
	if (r < 0)
		snprintf(m->err, m->err_size, "%s of '%s' could not be run: %s", what, v->name,
			 why);
	else if (r > 128)
		snprintf(m->err, m->err_size, "%s of '%s' (%s) was killed by signal %d (%s)", what,
			 v->name, command, r - 128, strsignal(r - 128));
	else
		snprintf(m->err, m->err_size, "%s of '%s' (%s) exited with status %d", what,
			 v->name, command, r);
	return measure_ended(m, r < 0 ? STATUS_CANNOT_MEASURE : STATUS_NO_VERDICT);
}

static int run_batch(struct measurement *m, const struct run_request *requests, size_t n)
{
	struct spawner *spawner =
	    m->probed ? m->probed_spawners[m->group * m->n_variants + requests[0].variant]
		      : m->spawners[m->group];
	char why[300] = "";

	interrupt_watch(spawner);
	int r = interrupt_signal()
		    ? 0
		    : spawner_run(spawner, requests, n, m->config->run->ignore_failure, on_run, m,
				  why, sizeof(why));
	interrupt_watch(NULL);
	if (m->status)
		return m->status;
	if (interrupt_signal())
		return measure_ended(m, STATUS_INTERRUPTED);
	if (r < 0) {
		snprintf(m->err, m->err_size, "%s", why);
		return measure_ended(m, STATUS_CANNOT_MEASURE);
	}
	return 0;
}

static int run_one_with_hooks(struct measurement *m, const struct run_request *request)
{
	const struct variant *v = &m->config->variants->v[request->variant];

	if (measure_hook(m, v, v->hooks.prepare, "the --prepare hook", request->block_seed) ||
	    run_batch(m, request, 1))
		return m->status;
	return measure_hook(m, v, v->hooks.conclude, "the --conclude hook", request->block_seed);
}

/* The second half of a block's entries, or all, are probed runs. */
bool measure_is_probed(const struct measurement *m, size_t entry)
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
		m->probed = measure_is_probed(m, m->order[i]);
		if (hooks ? run_one_with_hooks(m, &m->requests[i])
			  : run_batch(m, &m->requests[i], 1))
			return m->status;
	}
	return 0;
}

/* Runs at most MOST blocks, and at least one. */
int measure_blocks(struct measurement *m, uint32_t most)
{
	const struct counting *c = m->config->counting;
	uint64_t begin = monotonic_ns();
	uint32_t n = 1, begun = m->block;

	m->group = m->block % c->n_groups;
	if (m->config->keep || has_hooks_around_runs(m) || measure_is_probed(m, m->n_entries - 1)) {
		if (run_block_singly(m))
			return m->status;
	} else {
		/* Failures are told apart by block, so that only blocks without hooks, groups and
		 * failures go together. */
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
	m->block_ns = (monotonic_ns() - begin) / (m->block - begun);
	return 0;
}
