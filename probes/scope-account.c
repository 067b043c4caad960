/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of each call of a run, and what the whole of it cost.
 */
#include <math.h>

#include "scope-parts.h"

/* Times of two events are taken one after the other. */
#define TIME_SLACK_NS 100000u
#define TIME_SLACK_SHARE 1000u

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Whether the time A is B's, or not noticeably less. */
static bool as_long_as(uint64_t a, uint64_t b)
{
	return a + TIME_SLACK_NS + b / TIME_SLACK_SHARE >= b;
}

/* Hits in the group of the probes at scope's begins or ends; at least SEEN of them. */
static uint64_t group_hits(const struct scope_set *set, size_t scope, bool end, uint64_t seen)
{
	uint64_t hits = 0;

	for (size_t i = 0; i < set->layout.n_probes; i++) {
		size_t m = set->layout.first_probe + i;

		if (set->probes[i].scope == scope && set->probes[i].end == end)
			hits += minus(set->after.values[m], set->before.values[m]);
	}
	return most(hits, seen);
}

/*
 * Every call is accounted for. Of those that were in the group and have no cost, the begins that
 * outnumber the ends did not return; the others were lost. Where nothing was lost, pairing knows.
 */
static void account(const struct scope_set *set, size_t scope, bool counted, uint64_t unpaired,
		    struct scope_calls *c)
{
	const struct pair_count *p = &pairing_counts(set->pairing)[scope];
	uint64_t begins = group_hits(set, scope, false, p->begins);
	uint64_t ends = group_hits(set, scope, true, p->ends);
	uint64_t rest = minus(begins, p->paired);

	c->calls = most(set->after.calls[scope] - set->before.calls[scope], begins);
	c->measured = p->paired;
	c->interrupted = p->interrupted;
	if (!set->plan.inherit)
		c->unfollowed = minus(
		    c->calls, most(set->after.first[scope] - set->before.first[scope], begins));
	c->not_counted = minus(c->calls, c->unfollowed + begins);
	if (begins == p->begins && ends == p->ends && !unpaired)
		c->lost = least(p->voided, rest);
	else
		c->lost = rest - least(minus(begins, ends), rest);
	rest -= c->lost;
	if (!counted) {
		uint64_t open = least(p->open, rest);

		c->not_counted += open;
		rest -= open;
	}
	c->missed =
	    least(p->missed + minus(set->after.missed[scope], set->before.missed[scope]), rest);
	c->unreturned = rest - c->missed;
}

/* What probing added to the run: all calls, measured or not. */
static double all_overhead(const struct scope_set *set, const struct scope_result *result,
			   size_t cost)
{
	const struct scope_config *c = set->config;
	double sum = 0;

	for (size_t i = 0; c->constants && i < c->n_targets; i++) {
		uint64_t probed = minus(result->calls[i].calls,
					result->calls[i].not_counted + result->calls[i].unfollowed);

		sum += (double)probed *
		       c->constants[set->scopes[i].row * scope_costs(c) + cost].around;
	}
	return sum;
}

static void take_whole(const struct scope_set *set, bool counted, struct scope_result *result)
{
	size_t costs = scope_costs(set->config);

	for (size_t i = 0; i < costs; i++) {
		size_t m = i + 1 < costs ? set->plan.cost_members[i] : PAIR_NO_MEMBER;

		result->overhead[i] = all_overhead(set, result, i);
		result->counted[i] = m != PAIR_NO_MEMBER && counted;
		result->whole[i] = result->counted[i] && result->followed
				       ? (double)(set->after.values[m] - set->before.values[m])
				       : NAN;
	}
	result->counted[costs - 1] = true;
	result->whole[costs - 1] = (double)(set->after.time - set->before.time);
}

/*
 * That a child made no calls is not known, however short it was, where nothing counts them. Records
 * tell of every thread and process that began; times, which are a little different in each run, are
 * looked at where there may be more than records tell.
 */
static bool is_followed(const struct scope_set *set, const struct drain_count *drained,
			uint64_t ran)
{
	if (set->definitions.breakpoints) {
		if (set->following.incomplete || drained->forks ||
		    drained->threads > set->following.n)
			return false;
		if (!drained->gaps)
			return true;
	}
	/* A thread with a group of its own has run a little before that is opened. */
	return set->plan.inherit ||
	       as_long_as(set->after.own - set->before.own + set->following.n * TIME_SLACK_NS, ran);
}

void scope_set_account(const struct scope_set *set, const struct drain_count *drained,
		       struct scope_result *result)
{
	uint64_t ran;
	bool counted;

	ran = set->after.reference - set->before.reference;
	result->followed = is_followed(set, drained, ran);
	if (!set->plan.inherit)
		ran = set->after.own - set->before.own;
	counted = as_long_as(set->after.running - set->before.running, ran);
	result->throttled = drained->throttled;
	for (size_t i = 0; i < set->config->n_targets; i++)
		account(set, i, counted, drained->unpaired, &result->calls[i]);
	tally_result(set->tally, result);
	take_whole(set, counted, result);
}
