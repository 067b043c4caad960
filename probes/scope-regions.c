/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marked regions in a set of scopes: the programs count them, and the set hands out what they
 * counted. Where there are no other scopes nothing is probed: the whole is counted as a run that is
 * not probed is, which takes no privileges.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error-text.h"
#include "scope-parts.h"

bool scope_is_region(const struct scope_target *target)
{
	return target->kind == SCOPE_REGION;
}

static int gather(struct scope_set *set)
{
	const struct scope_config *c = set->config;
	struct scope_regions *r = &set->regions;
	size_t n = 0;

	r->names = calloc(c->n_targets + 1, sizeof(*r->names));
	r->rows = calloc(c->n_targets + 1, sizeof(*r->rows));
	if (!r->names || !r->rows)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_targets; i++) {
		if (!scope_is_region(&c->targets[i]))
			continue;
		r->rows[n] = i;
		r->names[n++] = c->targets[i].symbol;
	}
	r->alone = n == c->n_targets;
	r->config = (struct region_config){
	    .names = r->names,
	    .n_names = n,
	    .rows = r->rows,
	    .events = c->events,
	    .n_events = c->n_events,
	    .scoped = c->scoped,
	};
	return 0;
}

static int open_whole(struct scope_set *set, int *slot_errors, char *err, size_t err_size)
{
	const struct scope_config *c = set->config;
	struct scope_regions *r = &set->regions;

	r->counters = (struct counter_config){.events = c->events, .n = c->n_events, .pinned = true};
	r->before = calloc(c->n_events + 1, sizeof(*r->before));
	r->after = calloc(c->n_events + 1, sizeof(*r->after));
	if (!r->before || !r->after)
		return error_text(-ENOMEM, "cannot prepare the counters", err, err_size);
	return counter_set_open(&r->whole, &r->counters, slot_errors, err, err_size);
}

int scope_regions_open(struct scope_set *set, int *slot_errors, char *err, size_t err_size)
{
	struct scope_regions *r = &set->regions;
	int *errors = calloc(set->config->n_events + 1, sizeof(*errors));
	int rc = errors ? gather(set) : -ENOMEM;

	if (rc)
		error_text(rc, "cannot prepare the regions", err, err_size);
	if (!rc && r->config.n_names)
		rc = region_set_open(&r->set, &r->config, errors, err, err_size);
	if (!rc && r->alone)
		rc = open_whole(set, slot_errors, err, err_size);
	for (size_t i = 0; !rc && r->alone && i < set->config->n_events; i++)
		if (!slot_errors[i])
			slot_errors[i] = errors[i];
	free(errors);
	return rc;
}

int scope_regions_begin(struct scope_set *set, char *err, size_t err_size)
{
	struct scope_regions *r = &set->regions;
	int rc = r->set ? region_set_begin(r->set, err, err_size) : 0;

	if (rc || !r->whole)
		return rc;
	rc = counter_set_read(r->whole, r->before);
	return rc ? error_text(rc, "cannot read the counters", err, err_size) : 0;
}

/* As without probes. */
static int take_whole(struct scope_set *set, struct scope_result *result)
{
	struct scope_regions *r = &set->regions;
	size_t n = set->config->n_events;
	int rc = counter_set_read(r->whole, r->after);

	memset(result->outermost, 0, (n + 1) * sizeof(*result->outermost));
	memset(result->overhead, 0, (n + 1) * sizeof(*result->overhead));
	for (size_t i = 0; i < n && !rc; i++) {
		const struct counter_value *a = &r->after[i], *b = &r->before[i];

		result->counted[i] = a->running - b->running >= a->enabled - b->enabled;
		result->whole[i] = result->counted[i] ? (double)(a->value - b->value) : NAN;
	}
	result->counted[n] = true;
	result->followed = true;
	result->inherited = true;
	result->engine = SCOPE_ENGINE_NONE;
	return rc;
}

int scope_regions_end(struct scope_set *set, struct scope_result *result, char *err,
		      size_t err_size)
{
	struct scope_regions *r = &set->regions;
	int rc = r->whole ? take_whole(set, result) : 0;

	if (rc)
		return error_text(rc, "cannot read the counters", err, err_size);
	if (!r->set)
		return 0;
	rc = region_set_end(r->set, result, &result->programs, err, err_size);
	/*
	 * Which calls of a function lie in a region, and which of a region in a function, is not
	 * known: so neither is what is in no scope.
	 */
	for (size_t i = 0; !r->alone && i < scope_costs(set->config); i++)
		result->outermost[i] = NAN;
	return rc;
}

const char *scope_set_variable(const struct scope_set *set)
{
	return set->regions.set ? region_set_variable(set->regions.set) : NULL;
}

void scope_regions_release(struct scope_set *set)
{
	struct scope_regions *r = &set->regions;

	region_set_free(r->set);
	counter_set_free(r->whole);
	free(r->names);
	free(r->rows);
	free(r->before);
	free(r->after);
}
