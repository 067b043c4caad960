/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of scopes: what it consists of, and the result of a run from what was counted and paired.
 */
#include "scope-set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error-text.h"
#include "scope-breakpoint.h"
#include "scope-parts.h"

size_t scope_costs(const struct scope_config *config)
{
	return config->n_events + 1;
}

size_t scope_result_size(const struct scope_config *config)
{
	size_t n = config->n_targets, costs = scope_costs(config);

	return n * sizeof(struct scope_calls) + n * costs * sizeof(struct scope_cost) +
	       3 * costs * sizeof(double) +
	       config->n_told * n * (sizeof(uint64_t) + costs * sizeof(double)) +
	       (costs * sizeof(bool) + 7) / 8 * 8;
}

void scope_result_place(struct scope_result *result, const struct scope_config *config,
			void *memory)
{
	size_t n = config->n_targets, costs = scope_costs(config);

	memset(memory, 0, scope_result_size(config));
	*result = (struct scope_result){.costs = memory};
	result->calls = (void *)(result->costs + n * costs);
	result->whole = (void *)(result->calls + n);
	result->outermost = result->whole + costs;
	result->overhead = result->outermost + costs;
	result->cpu_totals = result->overhead + costs;
	result->cpu_calls = (void *)(result->cpu_totals + config->n_told * n * costs);
	result->counted = (void *)(result->cpu_calls + config->n_told * n);
}

static int set_init(struct scope_set *set, const struct scope_config *config)
{
	size_t n = config->n_targets;

	*set = (struct scope_set){
	    .config = config, .definitions = {.tracefs = -1}, .reference = -1, .own = -1};
	set->calls = calloc(n, sizeof(*set->calls));
	set->first = calloc(n, sizeof(*set->first));
	if (!set->calls || !set->first)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		set->calls[i] = set->first[i] = -1;
	return 0;
}

static int plan_group(struct scope_set *set, int *slot_errors, char *err, size_t err_size)
{
	return group_plan_init(&set->plan, set->config, &set->definitions, set->cpus, set->n_cpus,
			       slot_errors, err, err_size);
}

/* Instead of the kernel's probes, which are not to be had. */
static int use_breakpoints(struct scope_set *set, int *slot_errors, char *err, size_t err_size)
{
	const struct scope_config *config = set->config;
	char first[600], why[700] = "";
	int rc;

	snprintf(first, sizeof(first), "%s", err);
	group_plan_release(&set->plan);
	scope_undefine(&set->definitions);
	rc = scope_define_breakpoints(&set->definitions, config->targets, config->n_targets, why,
				      sizeof(why));
	if (!rc)
		return plan_group(set, slot_errors, err, err_size);
	snprintf(err, err_size, "%s. The processor's breakpoints are what is left, because %s", why,
		 first);
	return rc;
}

/* After RC, which says that the kernel's probes are not to be had. */
static int do_without_probes(struct scope_set *set, int rc, int *slot_errors, char *err,
			     size_t err_size)
{
	const struct scope_config *config = set->config;
	const struct scope_target *guarded =
	    scope_breakpoints_guarded(config->targets, config->n_targets);

	if (scope_breakpoints_apply(config->targets, config->n_targets))
		return use_breakpoints(set, slot_errors, err, err_size);
	if (guarded && rc != -ENOENT)
		snprintf(err, err_size,
			 "scope '%s': the markers are behind semaphores: a program passes them by "
			 "until a probe of the kernel counts those up, and this user may not use "
			 "the kernel's probes: run as root",
			 guarded->name);
	return rc;
}

/* What probes take, if there are any. */
static int open_probes(struct scope_set *set, int *slot_errors, char *err, size_t err_size)
{
	const struct scope_config *config = set->config;
	int rc = drain_new(&set->drain);

	rc = rc ? rc : scope_set_find_cpus(set);
	if (rc)
		return error_text(rc, "cannot prepare the probes", err, err_size);
	rc = scope_define(&set->definitions, config->targets, config->n_targets, err, err_size);
	if (!rc)
		rc = plan_group(set, slot_errors, err, err_size);
	if (rc == -EACCES || rc == -EPERM || rc == -ENOENT)
		rc = do_without_probes(set, rc, slot_errors, err, err_size);
	if (!rc) {
		rc = scope_set_describe(set);
		if (rc)
			error_text(rc, "cannot prepare the probes", err, err_size);
	}
	if (!rc && set->plan.inherit)
		rc = scope_set_open_events(set, 0, err, err_size);
	return rc;
}

int scope_set_open(struct scope_set **out, const struct scope_config *config, int *slot_errors,
		   char *err, size_t err_size)
{
	struct scope_set *set = malloc(sizeof(*set));
	int rc = set ? set_init(set, config) : -ENOMEM;

	*out = NULL;
	if (rc) {
		error_text(rc, "cannot prepare the scopes", err, err_size);
	} else {
		for (size_t i = 0; i < config->n_events; i++)
			slot_errors[i] = 0;
		rc = scope_regions_open(set, slot_errors, err, err_size);
	}
	if (!rc && !set->regions.alone)
		rc = open_probes(set, slot_errors, err, err_size);
	if (rc) {
		scope_set_free(set);
		return rc;
	}
	*out = set;
	return 0;
}

bool scope_set_needs_pid(const struct scope_set *set)
{
	return !set->regions.alone && !set->plan.inherit;
}

bool scope_set_needs_exec(const struct scope_set *set)
{
	return !set->regions.alone && set->definitions.breakpoints;
}

struct drain *scope_set_drain(const struct scope_set *set)
{
	return set->drain;
}

int scope_set_begin(struct scope_set *set, pid_t pid, char *err, size_t err_size)
{
	int rc = scope_regions_begin(set, err, err_size);

	if (rc || set->regions.alone)
		return rc;
	if (set->definitions.breakpoints)
		rc = scope_place_breakpoints(&set->definitions, &set->plan, pid, err, err_size);
	set->unplaced = rc == -ENOENT;
	if ((!rc || set->unplaced) && !set->plan.inherit)
		rc = scope_set_open_events(set, pid, err, err_size);
	if (rc)
		return rc;
	drain_rest(set->drain);
	drain_take_counts(set->drain);
	drain_hold(set->drain);
	pairing_reset(set->pairing);
	tally_reset(set->tally);
	drain_resume(set->drain);
	scope_follow_reset(set);
	rc = scope_set_read(set, &set->before);
	return rc ? error_text(rc, "cannot read the counters", err, err_size) : 0;
}

/*
 * Whether a group of breakpoints had no counter. Probes that only count would tell how many calls
 * it missed; here nothing does.
 */
static bool went_unseen(const struct scope_set *set)
{
	return set->definitions.breakpoints && set->plan.members[0].attr.pinned &&
	       set->after.running == set->before.running && set->after.own > set->before.own;
}

int scope_set_end(struct scope_set *set, struct scope_result *result, char *err, size_t err_size)
{
	struct drain_count drained;
	int rc;

	if (set->regions.alone)
		return scope_regions_end(set, result, err, err_size);
	/* The program could not be executed, and so nothing was begun. */
	if (set->definitions.breakpoints && !set->n_groups)
		return 0;
	drain_rest(set->drain);
	rc = scope_set_read(set, &set->after);
	if (rc)
		return error_text(rc, "cannot read the counters", err, err_size);
	if (went_unseen(set)) {
		snprintf(
		    err, err_size,
		    "others hold the hardware counters, so that the execute breakpoints, which are "
		    "in one group with them, were not set: leave out hardware events (-e "
		    "task-clock), "
		    "or measure as root");
		return -EBUSY;
	}
	drained = drain_take_counts(set->drain);
	drain_hold(set->drain);
	pairing_finish(set->pairing);
	drain_resume(set->drain);
	scope_set_account(set, &drained, result);
	result->engine = set->definitions.breakpoints    ? SCOPE_ENGINE_BREAKPOINTS
			 : set->definitions.tracefs >= 0 ? SCOPE_ENGINE_TRACEFS
							 : SCOPE_ENGINE_PMU;
	result->inherited = set->plan.inherit;
	if (!set->plan.inherit)
		scope_set_close_events(set);
	return scope_regions_end(set, result, err, err_size);
}

void scope_set_free(struct scope_set *set)
{
	if (!set)
		return;
	scope_set_close_events(set);
	scope_regions_release(set);
	drain_free(set->drain);
	free(set->cpus);
	pairing_free(set->pairing);
	tally_free(set->tally);
	group_plan_release(&set->plan);
	scope_undefine(&set->definitions);
	free(set->scopes);
	free(set->probes);
	free(set->calls);
	free(set->first);
	free(set->scratch);
	free(set->before.values);
	free(set->after.values);
	free(set->following.ended.values);
	free(set);
}
