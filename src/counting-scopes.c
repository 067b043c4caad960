/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of scopes. */
#include "counting-scopes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "scopes.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static bool is_scope(const struct scopes *scopes, const char *name, size_t len)
{
	for (size_t i = 0; i < scopes->n; i++)
		if (strlen(scopes->specs[i].name) == len &&
		    !memcmp(scopes->specs[i].name, name, len))
			return true;
	return (len == strlen(SCOPE_REST) && !memcmp(name, SCOPE_REST, len)) ||
	       (len == strlen(SCOPE_WHOLE) && !memcmp(name, SCOPE_WHOLE, len));
}

/* What comes after the "CPU0/" of a CPU that is told apart; NAME where it does not begin so. */
static const char *skip_cpu(const struct scopes *scopes, const char *name, size_t len)
{
	char prefix[32];

	for (size_t i = 0; i < scopes->n_cpus; i++) {
		size_t n = (size_t)snprintf(prefix, sizeof(prefix), "CPU%d/", scopes->cpus[i]);

		if (len > n && !memcmp(name, prefix, n))
			return name + n;
	}
	return name;
}

bool counting_scope_name(const struct scopes *scopes, const char *name, size_t len,
			 const char **event, size_t *event_len)
{
	const char *slash = scopes && scopes->n ? memchr(name, '/', len) : NULL;

	if (!slash || !is_scope(scopes, name, (size_t)(slash - name)))
		return false;
	*event = skip_cpu(scopes, slash + 1, len - (size_t)(slash + 1 - name));
	*event_len = len - (size_t)(*event - name);
	if (!*event_len)
		return false;
	enum scope_part part = scope_part_find(*event, *event_len);

	if (part && !scope_part_is_cost(part)) {
		*event_len = 0;
		return true;
	}
	const char *dot = memrchr(*event, '.', *event_len);

	if (dot && dot > *event &&
	    scope_part_is_cost(scope_part_find(dot + 1, *event_len - (size_t)(dot + 1 - *event))))
		*event_len = (size_t)(dot - *event);
	return true;
}

struct building {
	struct metric_list *list;
	const char *scope;
	int number; /* of the scope; -1: the rest, or the whole */
	int cpu;    /* -1: all */
};

/* One event's cost, or time's: what its metrics have in common. */
struct cost {
	const char *name, *asked, *unit, *reason;
	int slot; /* index of the event, -1: time */
	double scale;
	enum direction direction;
	bool shown;
};

/* "alloc/cycles:u.total", "alloc/CPU0/calls"; EVENT is NULL for counts of calls. malloc'd. */
static char *name_of(const struct building *b, enum scope_part part, const char *event)
{
	bool bare = event && (part == PART_MEAN || part == PART_PROBED);
	char cpu[32] = "", *name;

	if (b->cpu >= 0)
		snprintf(cpu, sizeof(cpu), "CPU%d/", b->cpu);
	if (asprintf(&name, "%s/%s%s%s%s", b->scope, cpu, event ? event : "",
		     event && !bare ? "." : "", bare ? "" : scope_part_word(part)) < 0)
		return NULL;
	return name;
}

static struct metric *append(const struct building *b, enum scope_part part,
			     const struct cost *cost)
{
	struct metric *m = metric_append(b->list);

	if (!m)
		return NULL;
	m->source = METRIC_SCOPE;
	m->part = part;
	m->number = b->number;
	m->cpu = b->cpu;
	m->probed = true;
	m->scope = strdup(b->scope);
	m->name = name_of(b, part, cost ? cost->name : NULL);
	m->event = name_of(b, part, cost ? cost->asked : NULL);
	if (cost) {
		m->of = strdup(cost->name);
		m->unit = strdup(part == PART_SHARE ? "ratio" : cost->unit);
		m->slot = cost->slot;
		m->scale = part == PART_SHARE ? 1 : cost->scale;
		m->direction = part == PART_SHARE ? DIRECTION_NEUTRAL : cost->direction;
		m->shown = cost->shown && part < PART_OVERHEAD;
		m->reason = cost->reason ? strdup(cost->reason) : NULL;
	} else {
		m->unit = strdup(part == PART_INTERRUPTED ? "ratio" : "");
	}
	return m->name && m->event && m->unit && m->scope && (!cost || m->of) ? m : NULL;
}

static int append_parts(const struct building *b, const enum scope_part *parts, size_t n,
			const struct cost *cost)
{
	for (size_t i = 0; i < n; i++)
		if (!append(b, parts[i], cost))
			return -ENOMEM;
	return 0;
}

/* As the whole's metric M has it. */
static struct cost cost_of(const struct metric *m, int event, double scale)
{
	return (struct cost){
	    .name = m->name,
	    .asked = m->event,
	    .unit = m->unit,
	    .reason = m->reason,
	    .slot = event,
	    .scale = scale,
	    .direction = m->direction,
	    .shown = m->shown,
	};
}

/* The costs to measure: every event that has a metric of its own, then time. */
static size_t list_costs(const struct counting *c, const struct metric_list *list, size_t n_events,
			 struct cost *costs)
{
	long time = metric_find(list, tool_events[TOOL_DURATION_TIME].name);
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct metric *m = &list->v[i];

		if (m->source == METRIC_COUNTER && (size_t)m->slot < n_events)
			costs[n++] = cost_of(m, m->slot, c->events.events[m->slot].scale);
	}
	if (time >= 0)
		costs[n++] = cost_of(&list->v[time], -1, 1);
	return n;
}

/*
 * Which calls of a function lie in a marked region, and which regions in a function, is not known:
 * so what is in neither is not.
 */
static bool rest_is_known(const struct scopes *scopes)
{
	size_t regions = 0;

	for (size_t i = 0; i < scopes->n; i++)
		regions += scopes->specs[i].kind == SCOPE_REGION;
	return regions == 0 || regions == scopes->n;
}

/* Of the calls that end on each CPU: how many, and what they cost. */
static int append_cpus(const struct scopes *scopes, size_t scope, const struct cost *costs,
		       size_t n, struct metric_list *list)
{
	static const enum scope_part calls[] = {PART_CALLS}, of_cpu[] = {PART_MEAN, PART_TOTAL};
	int r = 0;

	for (size_t c = 0; c < scopes->n_cpus && !r; c++) {
		struct building b = {list, scopes->specs[scope].name, (int)scope, scopes->cpus[c]};

		r = append_parts(&b, calls, ARRAY_SIZE(calls), NULL);
		for (size_t i = 0; i < n && !r; i++)
			r = append_parts(&b, of_cpu, ARRAY_SIZE(of_cpu), &costs[i]);
	}
	return r;
}

static int append_all(const struct scopes *scopes, const struct cost *costs, size_t n,
		      struct metric_list *list)
{
	static const enum scope_part counts[] = {PART_CALLS,      PART_LOST,   PART_NOT_COUNTED,
						 PART_UNFOLLOWED, PART_MISSED, PART_UNRETURNED,
						 PART_INTERRUPTED};
	static const enum scope_part of_scope[] = {PART_MEAN,     PART_P50,        PART_P99,
						   PART_TOTAL,    PART_SELF,       PART_SHARE,
						   PART_OVERHEAD, PART_OVERHEAD_SE};
	static const enum scope_part of_rest[] = {PART_TOTAL, PART_SHARE};
	static const enum scope_part of_whole[] = {PART_PROBED};
	struct building rest = {list, SCOPE_REST, -1, -1}, whole = {list, SCOPE_WHOLE, -1, -1};
	int r = 0;

	for (size_t s = 0; s < scopes->n && !r; s++) {
		struct building b = {list, scopes->specs[s].name, (int)s, -1};

		r = append_parts(&b, counts, ARRAY_SIZE(counts), NULL);
		for (size_t i = 0; i < n && !r; i++)
			r = append_parts(&b, of_scope, ARRAY_SIZE(of_scope), &costs[i]);
		if (!r)
			r = append_cpus(scopes, s, costs, n, list);
	}
	for (size_t i = 0; i < n && !r && rest_is_known(scopes); i++)
		r = append_parts(&rest, of_rest, ARRAY_SIZE(of_rest), &costs[i]);
	for (size_t i = 0; i < n && !r; i++)
		r = append_parts(&whole, of_whole, ARRAY_SIZE(of_whole), &costs[i]);
	return r;
}

int counting_append_scopes(const struct counting *c, const struct scopes *scopes, size_t n_events,
			   struct record *record)
{
	struct metric_list *list = &record->metrics;
	struct cost *costs;
	size_t n;
	int r;

	if (!scopes || !scopes->n)
		return 0;
	if (scopes->only)
		for (size_t i = 0; i < list->n; i++)
			list->v[i].probed = true;
	costs = calloc(list->n + 1, sizeof(*costs));
	if (!costs)
		return -ENOMEM;
	/* Strings of the list stay where they are when it grows. */
	n = list_costs(c, list, n_events, costs);
	r = append_all(scopes, costs, n, list);
	free(costs);
	return r;
}
