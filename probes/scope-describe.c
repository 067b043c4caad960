/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the samples of a set of scopes mean.
 */
#include <errno.h>
#include <stdlib.h>

#include "scope-parts.h"

/* uretprobes that the kernel keeps of a thread at once. */
#define RETURN_DEPTH 64
/* More sites than this are left to one probe of the return. */
#define MAX_SITES 64
#if defined(__x86_64__)
/* The return address is on the stack at the entry, and no more after the return. */
#define RETURN_DELTA sizeof(uint64_t)
#else
#define RETURN_DELTA 0
#endif

enum scope_ending scope_ending_of(const struct scope_target *t)
{
	if (t->kind == SCOPE_KERNEL)
		return SCOPE_ENDING_RETURN;
	if (!t->at_return)
		return SCOPE_ENDING_PLACE;
	return t->n_ends && t->n_ends <= MAX_SITES && !t->tail_call ? SCOPE_ENDING_SITES
								    : SCOPE_ENDING_RETURN;
}

static void describe_scope(struct pair_scope *s, const struct scope_target *t, unsigned row)
{
	bool at_return = scope_ending_of(t) == SCOPE_ENDING_RETURN;

	*s = (struct pair_scope){
	    .match = PAIR_BY_STACK,
	    .end_delta = at_return ? RETURN_DELTA : 0,
	    .kernel = t->kind == SCOPE_KERNEL,
	    .row = row,
	    .depth = at_return && t->kind != SCOPE_KERNEL ? RETURN_DEPTH : 0,
	};
	if (t->kind == SCOPE_RANGE)
		s->match = PAIR_NEAREST;
	else if (t->kind == SCOPE_MARKERS)
		s->match = PAIR_LAST;
}

static int make_layout(struct scope_set *set)
{
	const struct scope_config *c = set->config;
	const struct scope_definitions *d = &set->definitions;

	set->scopes = calloc(c->n_targets, sizeof(*set->scopes));
	set->probes = calloc(d->n_probes, sizeof(*set->probes));
	if (!set->scopes || !set->probes)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_targets; i++)
		describe_scope(&set->scopes[i], &c->targets[i], (unsigned)i);
	for (size_t i = 0; i < d->n_probes; i++)
		set->probes[i] = (struct pair_probe){d->probes[i].scope, d->probes[i].end};
	set->layout = (struct pair_layout){
	    .scopes = set->scopes,
	    .n_scopes = c->n_targets,
	    .probes = set->probes,
	    .n_probes = d->n_probes,
	    .n_members = set->plan.n,
	    .first_probe = set->plan.first_probe,
	    .switches = set->plan.switches,
	    .cost_members = set->plan.cost_members,
	    .n_cost_members = c->n_events,
	    .n_rows = c->n_targets,
	};
	set->tally = tally_new(&set->layout, c);
	if (!set->tally)
		return -ENOMEM;
	set->sink = tally_sink(set->tally);
	set->pairing = pairing_new(&set->layout, &set->sink);
	return set->pairing ? 0 : -ENOMEM;
}

static int reading_init(struct scope_reading *r, size_t members, size_t scopes)
{
	r->values = calloc(members + 3 * scopes, sizeof(*r->values));
	if (!r->values)
		return -ENOMEM;
	r->calls = r->values + members;
	r->first = r->calls + scopes;
	r->missed = r->first + scopes;
	return 0;
}

static int make_room(struct scope_set *set)
{
	size_t n = set->config->n_targets;
	int rc = reading_init(&set->before, set->plan.n, n);

	rc = rc ? rc : reading_init(&set->after, set->plan.n, n);
	rc = rc ? rc : reading_init(&set->following.ended, set->plan.n, n);
	set->scratch = calloc(set->plan.n, sizeof(*set->scratch));
	return set->scratch ? rc : -ENOMEM;
}

int scope_set_describe(struct scope_set *set)
{
	int rc = make_layout(set);

	return rc ? rc : make_room(set);
}
