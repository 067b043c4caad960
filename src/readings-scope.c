/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readings of scopes. */
#include "readings-scope.h"

#include <errno.h>
#include <math.h>

#include "event.h"

/* More calls without a cost than this share, and a total is no value. */
#define MOST_MISSING 0.01

static struct reading null_reading(enum null_reason reason)
{
	return (struct reading){.value = NAN, .reason = reason};
}

static struct reading value_reading(double value)
{
	if (isnan(value))
		return null_reading(NULL_NOT_COUNTED);
	return (struct reading){.value = value};
}

/* Why nothing can be said of COST in this run; NULL_NONE: something can. */
static enum null_reason why_not(const struct probed_run *run, int cost)
{
	int error;

	if (!run->result)
		return NULL_RUN_FAILED;
	if (run->killed)
		return NULL_KILLED;
	if (cost < 0)
		return NULL_OTHER_GROUP;
	error = (size_t)cost < run->config->n_events ? run->slot_errors[cost] : 0;
	if (error)
		return error == EACCES || error == EPERM ? NULL_NOT_PERMITTED : NULL_NOT_SUPPORTED;
	return NULL_NONE;
}

/* Calls that had a cost, or should have had one. */
static uint64_t returned(const struct scope_calls *c)
{
	return c->calls > c->unreturned ? c->calls - c->unreturned : 0;
}

/*
 * What the totals of scope NUMBER are multiplied by; NaN where too many calls have no cost, with
 * the reason why in *REASON. Programs count their regions: that has more reasons than what others
 * hold.
 */
static double scale_of(const struct probed_run *run, int number, enum null_reason *reason)
{
	const struct scope_calls *c = &run->result->calls[number];
	bool region = scope_is_region(&run->config->targets[number]);
	double all = (double)returned(c), missing = all - (double)c->measured;

	*reason = NULL_NONE;
	if (c->calls == 0)
		return 1;
	if (all == 0) {
		*reason = NULL_NOT_RETURNED;
		return NAN;
	}
	if (c->measured && missing <= MOST_MISSING * all)
		return fmax(1, all / (double)c->measured);
	*reason = !region && c->not_counted >= c->lost + c->unfollowed + c->missed
		      ? NULL_NOT_COUNTED
		      : NULL_CALLS_LOST;
	return NAN;
}

/*
 * Whether there may have been calls of scope NUMBER that nothing saw: in processes that are not
 * followed, where no probe only counts. Programs count their regions wherever they are.
 */
static bool went_unseen(const struct probed_run *run, int number)
{
	return run->result->engine == SCOPE_ENGINE_BREAKPOINTS && !run->result->followed &&
	       !scope_is_region(&run->config->targets[number]);
}

/* Of a scope of which nothing went unseen. */
static struct reading reading_of_seen(const struct scope_calls *c, enum scope_part part)
{
	switch (part) {
	case PART_CALLS:
		return value_reading((double)c->calls);
	case PART_LOST:
		return value_reading((double)c->lost);
	case PART_NOT_COUNTED:
		return value_reading((double)c->not_counted);
	case PART_UNFOLLOWED:
		return value_reading((double)c->unfollowed);
	case PART_MISSED:
		return value_reading((double)c->missed);
	case PART_UNRETURNED:
		return value_reading((double)c->unreturned);
	default:
		if (!c->measured)
			return null_reading(c->calls ? NULL_NOT_RETURNED : NULL_NO_CALLS);
		return value_reading((double)c->interrupted / (double)c->measured);
	}
}

static struct reading reading_of_calls(const struct probed_run *run, const struct metric *m)
{
	const struct scope_calls *c = &run->result->calls[m->number];

	if (went_unseen(run, m->number) &&
	    (m->part == PART_CALLS || m->part == PART_UNFOLLOWED || !c->calls))
		return null_reading(NULL_NOT_FOLLOWED);
	return reading_of_seen(c, m->part);
}

/* VALUE of all calls that were measured, of what was subtracted from them. */
static struct reading reading_of_overhead(const struct scope_calls *c,
					  const struct scope_cost *cost, double value, double scale)
{
	if (isnan(value) && !isnan(cost->total))
		return null_reading(NULL_NOT_CALIBRATED);
	return value_reading(value / (double)c->measured * scale);
}

/* Per call, of those measured: those that are missing may have cost something else. */
static struct reading reading_a_call(const struct probed_run *run, const struct metric *m,
				     int cost_at)
{
	const struct scope_calls *c = &run->result->calls[m->number];
	const struct scope_cost *cost =
	    &run->result->costs[(size_t)m->number * scope_costs(run->config) + (size_t)cost_at];
	double scale = m->scale;
	enum null_reason reason;

	if (!c->measured) {
		scale_of(run, m->number, &reason);
		return null_reading(c->calls ? reason : NULL_NO_CALLS);
	}
	switch (m->part) {
	case PART_MEAN:
		return value_reading(cost->total / (double)c->measured * scale);
	case PART_P50:
		return value_reading(cost->p50 * scale);
	case PART_P99:
		return value_reading(cost->p99 * scale);
	case PART_OVERHEAD:
		return reading_of_overhead(c, cost, cost->overhead, scale);
	default:
		return reading_of_overhead(c, cost, cost->overhead_se, scale);
	}
}

/* The whole run without what probing added to it. */
static double bare_whole(const struct scope_result *r, int cost)
{
	return r->whole[cost] - r->overhead[cost];
}

static struct reading reading_of_total(const struct probed_run *run, const struct metric *m,
				       int cost)
{
	const struct scope_cost *v =
	    &run->result->costs[(size_t)m->number * scope_costs(run->config) + (size_t)cost];
	enum null_reason reason;
	double scale = scale_of(run, m->number, &reason);

	if (went_unseen(run, m->number))
		return null_reading(NULL_NOT_FOLLOWED);
	if (reason)
		return null_reading(reason);
	if (m->part == PART_TOTAL)
		return value_reading(v->total * scale * m->scale);
	if (m->part == PART_SELF)
		return value_reading(v->self * scale * m->scale);
	if (!run->result->counted[cost] || !run->result->followed)
		return null_reading(run->result->followed ? NULL_NOT_COUNTED : NULL_NOT_FOLLOWED);
	double whole = bare_whole(run->result, cost);

	return whole > 0 ? value_reading(v->total * scale / whole) : null_reading(NULL_NOTHING_LEFT);
}

/*
 * Of the calls that have a cost, those that ended on M's CPU. Totals are scaled as the scope's own
 * is, so that those of the CPUs add up to it.
 */
static struct reading reading_on_cpu(const struct probed_run *run, const struct metric *m, int cost)
{
	const struct scope_config *config = run->config;
	const struct scope_result *r = run->result;
	enum null_reason reason;
	double scale = scale_of(run, m->number, &reason);
	size_t place = 0;

	while (place < config->n_told && config->told[place] != m->cpu)
		place++;
	if (place == config->n_told)
		return null_reading(NULL_UNKNOWN);
	if (went_unseen(run, m->number) && m->part != PART_MEAN)
		return null_reading(NULL_NOT_FOLLOWED);
	place = place * config->n_targets + (size_t)m->number;
	if (reason && !r->calls[m->number].measured)
		return null_reading(reason);
	if (m->part == PART_CALLS)
		return value_reading((double)r->cpu_calls[place]);

	double total = r->cpu_totals[place * scope_costs(config) + (size_t)cost] * m->scale;

	if (m->part == PART_TOTAL)
		return reason ? null_reading(reason) : value_reading(total * scale);
	return r->cpu_calls[place] ? value_reading(total / (double)r->cpu_calls[place])
				   : null_reading(NULL_NO_CALLS_HERE);
}

/*
 * Whether the time that is left, REST, is less than nothing by more than what probing adds can be
 * wrong by: calls that ran at the same time are in the sum each.
 */
static bool is_overlap(const struct scope_result *r, int cost, double rest)
{
	return rest < -0.1 * r->overhead[cost] - 0.01 * r->whole[cost];
}

/* What is in no scope: calls that have no cost are scaled up for, or it would be in there. */
static struct reading reading_of_rest(const struct probed_run *run, const struct metric *m,
				      int cost)
{
	const struct scope_result *r = run->result;
	double rest, whole;

	if (!r->followed)
		return null_reading(NULL_NOT_FOLLOWED);
	if (!r->counted[cost])
		return null_reading(NULL_NOT_COUNTED);
	whole = bare_whole(r, cost);
	rest = whole - r->outermost[cost];
	for (size_t s = 0; s < run->config->n_targets; s++) {
		enum null_reason reason;
		double scale = scale_of(run, (int)s, &reason);

		if (reason && reason != NULL_NOT_RETURNED)
			return null_reading(reason);
		if (!reason)
			rest -= (scale - 1) *
				r->costs[s * scope_costs(run->config) + (size_t)cost].self;
	}
	if ((size_t)cost == run->config->n_events && is_overlap(r, cost, rest))
		return null_reading(NULL_OVERLAP);
	if (m->part == PART_TOTAL)
		return value_reading(rest * m->scale);
	return whole > 0 ? value_reading(rest / whole) : null_reading(NULL_NOTHING_LEFT);
}

/* Whether what the calls are counted with needs a counter of the processor, of which there are few.
 */
static bool takes_counter(const struct probed_run *run)
{
	for (size_t i = 0; i < run->config->n_events; i++) {
		const struct event *e = run->config->events[i];

		if (!run->slot_errors[i] && (!e || (!e->software && e->tool == TOOL_NONE)))
			return true;
	}
	return false;
}

/*
 * What lacks no counter and was not counted all the same was on a CPU where nothing counts: if
 * there is a group a CPU. Regions, which programs count by themselves, have reasons of their own.
 * SCOPE: -1 for the rest and the whole.
 */
static struct reading say_where(const struct probed_run *run, int scope, struct reading r)
{
	if (r.reason == NULL_NOT_COUNTED && run->result->inherited &&
	    run->result->engine != SCOPE_ENGINE_NONE && !takes_counter(run) &&
	    (scope < 0 || !scope_is_region(&run->config->targets[scope])))
		r.reason = NULL_OTHER_CPUS;
	return r;
}

static struct reading reading_of_probed(const struct probed_run *run, int cost, double scale)
{
	enum null_reason reason = why_not(run, cost);

	if (reason)
		return null_reading(reason);
	if (!run->result->followed)
		return null_reading(NULL_NOT_FOLLOWED);
	return run->result->counted[cost] ? value_reading(run->result->whole[cost] * scale)
					  : null_reading(NULL_NOT_COUNTED);
}

struct reading reading_of_whole(const struct probed_run *run, int cost, double scale)
{
	return say_where(run, -1, reading_of_probed(run, cost, scale));
}

static struct reading reading_of_part(const struct probed_run *run, const struct metric *m,
				      int cost)
{
	enum null_reason reason = why_not(run, cost);

	if (run->result && !run->killed && !scope_part_is_cost(m->part))
		return m->cpu < 0 ? reading_of_calls(run, m) : reading_on_cpu(run, m, cost);
	if (reason)
		return null_reading(reason);
	if (m->cpu >= 0)
		return reading_on_cpu(run, m, cost);
	if (m->part == PART_PROBED)
		return reading_of_probed(run, cost, m->scale);
	if (m->number < 0)
		return reading_of_rest(run, m, cost);
	if (m->part == PART_TOTAL || m->part == PART_SELF || m->part == PART_SHARE)
		return reading_of_total(run, m, cost);
	if (!run->result->calls[m->number].calls && went_unseen(run, m->number))
		return null_reading(NULL_NOT_FOLLOWED);
	return reading_a_call(run, m, cost);
}

struct reading reading_of_scope(const struct probed_run *run, const struct metric *m, int cost)
{
	return say_where(run, m->number, reading_of_part(run, m, cost));
}
