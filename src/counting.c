/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is counted.
 *
 *   options → event list → what works here → metrics → rotation groups → one set of counters a group
 */
#include "counting.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "counting-metrics.h"
#include "expr.h"
#include "machine.h"

static const char default_events[] =
	"task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches,"
	"branch-misses,cache-misses";
static const char *const detail_events[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	"L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

int counting_add_events(struct counting *c, const char *text, char *err, size_t err_size)
{
	int r = event_list_parse(&c->events, text, &event_roots_default, err, err_size);

	if (!r)
		return 0;
	return r == -EACCES || r == -ENOMEM ? STATUS_CANNOT_MEASURE : STATUS_USAGE;
}

static int parse_events(struct counting *c, const struct event_options *o, char *err, size_t err_size)
{
	int r = 0;

	for (size_t i = 0; i < o->events.n && !r; i++)
		r = counting_add_events(c, o->events.v[i], err, err_size);
	if (!o->events.n && !o->null_run && !r)
		r = counting_add_events(c, default_events, err, err_size);
	for (int d = 0; d < o->detail && d < 3 && !r; d++)
		r = counting_add_events(c, detail_events[d], err, err_size);
	return r;
}

static int parse_cpus(struct counting *c, const struct event_options *o, char *err, size_t err_size)
{
	char online[4096] = "";
	const char *list = o->cpu_list;

	if (!o->system_wide)
		return 0;
	if (!list) {
		FILE *f = fopen("/sys/devices/system/cpu/online", "re");

		if (f) {
			if (!fgets(online, sizeof(online), f))
				online[0] = '\0';
			fclose(f);
		}
		online[strcspn(online, "\n")] = '\0';
		list = online;
	}
	if (machine_parse_cpu_list(list, &c->cpus, &c->n_cpus) || !c->n_cpus) {
		snprintf(err, err_size, "'%s' is not a list of CPUs: write 0-3,8", list);
		return STATUS_USAGE;
	}
	long configured = sysconf(_SC_NPROCESSORS_CONF);

	for (size_t i = 0; i < c->n_cpus; i++)
		if (c->cpus[i] >= configured) {
			snprintf(err, err_size, "there is no CPU %d: this machine has CPUs 0-%ld",
				 c->cpus[i], configured - 1);
			return STATUS_USAGE;
		}
	return 0;
}

static bool can_count(const struct event *e)
{
	return e->tool == TOOL_NONE && e->reason == EVENT_OK;
}

/* A counter's, of the whole or of a scope. */
static bool is_of_event(const struct metric *m)
{
	return (m->source == METRIC_COUNTER || m->source == METRIC_SCOPE) && m->slot >= 0;
}

/* The events behind metric M, through expressions of expressions, are put into one brace group: TO replaces their groups. */
static void tie_events(const struct counting *c, const struct metric_list *list, const struct metric *m,
		       int to, int *group)
{
	if (m->source == METRIC_EXPR) {
		for (size_t i = 0; i < expr_n_names(m->expr); i++)
			tie_events(c, list, &list->v[m->operands[i]], to, group);
		return;
	}
	if (!is_of_event(m) || c->events.events[m->slot].software ||
	    !can_count(&c->events.events[m->slot]))
		return;
	int old = group[m->slot];

	if (old < 0) {
		group[m->slot] = to;
		return;
	}
	for (size_t i = 0; i < c->events.n; i++)
		if (group[i] == old)
			group[i] = to;
}

/*
 * The members of a ratio must be counted in the same runs: with more groups than one, the events of every expression
 * are tied together as if the user had written them in braces.
 */
static void tie_ratios(struct counting *c, const struct metric_list *list, int *group)
{
	int next = c->events.n_groups;

	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].source == METRIC_EXPR)
			tie_events(c, list, &list->v[i], next++, group);
}

/* The events that a counter set takes, those of one group next to each other; *index_of says where each came from. */
static size_t countable_events(const struct counting *c, const struct event **out, size_t *index_of)
{
	size_t n = 0;

	for (size_t i = 0; i < c->events.n; i++) {
		const struct event *e = &c->events.events[i];
		bool seen = false;

		for (size_t k = 0; k < n && e->group >= 0; k++)
			seen |= c->events.events[index_of[k]].group == e->group;
		if (!can_count(e) || seen)
			continue;
		for (size_t k = i; k < c->events.n; k++) {
			const struct event *other = &c->events.events[k];

			if (can_count(other) && (k == i || (e->group >= 0 && other->group == e->group))) {
				index_of[n] = k;
				out[n++] = other;
			}
		}
	}
	return n;
}

/* The index in OUT of an event that the primary metric rests on and that needs a counter; n if there is none. */
static size_t primary_event(const struct record *record, const struct counting *c,
			    const size_t *index_of, size_t n)
{
	const struct metric *m = &record->metrics.v[record->primary];

	while (m->source == METRIC_EXPR && expr_n_names(m->expr)) {
		const struct metric *next = NULL;

		for (size_t i = 0; i < expr_n_names(m->expr); i++) {
			const struct metric *operand = &record->metrics.v[m->operands[i]];

			if (operand->source == METRIC_EXPR ||
			    (is_of_event(operand) &&
			     !c->events.events[operand->slot].software))
				next = operand;
		}
		if (!next)
			return n;
		m = next;
	}
	for (size_t i = 0; i < n && is_of_event(m); i++)
		if (index_of[i] == (size_t)m->slot)
			return i;
	return n;
}

struct fitting {
	const struct event **events;
	size_t *index_of;
	int *group_of;
	size_t n;
	int groups;
};

static void fitting_release(struct fitting *f)
{
	free(f->events);
	free(f->index_of);
	free(f->group_of);
}

/* Splits the events into groups, with GROUP as the brace group of each. */
static int split(struct counting *c, const struct record *record, const int *group, struct fitting *f,
		 char *err, size_t err_size)
{
	for (size_t i = 0; i < c->events.n; i++)
		c->events.events[i].group = group[i];
	f->n = countable_events(c, f->events, f->index_of);
	size_t primary = primary_event(record, c, f->index_of, f->n);

	f->groups = counter_fit(f->events, f->n, primary, f->group_of, err, err_size);
	return f->groups < 0 ? f->groups : 0;
}

/*
 * As the user grouped them; if that takes more groups than one, with the events of each ratio tied together. Where a ratio's
 * events do not fit together at all, it has no value, and the rest is still counted.
 */
static int split_with_ratios(struct counting *c, const struct record *record, struct fitting *f, char *err,
			     size_t err_size)
{
	int *asked = calloc(c->events.n + 1, sizeof(*asked));
	int *tied = calloc(c->events.n + 1, sizeof(*tied));
	int r = asked && tied ? 0 : -ENOMEM;

	for (size_t i = 0; i < c->events.n && !r; i++)
		asked[i] = tied[i] = c->events.events[i].group;
	if (!r)
		r = split(c, record, asked, f, err, err_size);
	if (!r && f->groups > 1) {
		tie_ratios(c, &record->metrics, tied);
		r = split(c, record, tied, f, err, err_size);
		if (r == -E2BIG)
			r = split(c, record, asked, f, err, err_size);
	}
	free(asked);
	free(tied);
	return r;
}

static int fit(struct counting *c, const struct event_options *o, const struct record *record,
	       struct fitting *f, char *err, size_t err_size)
{
	size_t n = c->events.n + 1;

	f->events = calloc(n, sizeof(*f->events));
	f->index_of = calloc(n, sizeof(*f->index_of));
	f->group_of = calloc(n, sizeof(*f->group_of));
	if (!f->events || !f->index_of || !f->group_of)
		return -ENOMEM;
	if (!o->multiplex)
		return split_with_ratios(c, record, f, err, err_size);
	f->groups = 1;
	f->n = countable_events(c, f->events, f->index_of);
	for (size_t i = 0; i < f->n; i++)
		f->group_of[i] = COUNTER_EVERY_GROUP;
	return 0;
}

/* The place of CPU, which is counted on. */
static int cpu_index(const struct counting *c, int cpu)
{
	size_t i = 0;

	while (i + 1 < c->n_cpus && c->cpus[i] != cpu)
		i++;
	return (int)i;
}

static int build_group(struct counting *c, const struct event_options *o, const struct record *record,
		       const struct fitting *f, int number)
{
	struct counting_group *g = &c->groups[number];
	const struct event **events = calloc(f->n + 1, sizeof(*events));
	int *place = calloc(c->events.n + 1, sizeof(*place)); /* of an event in this set, from 1 */
	size_t n = 0;

	g->config.events = events;
	g->slot_of = calloc(record->metrics.n + 1, sizeof(*g->slot_of));
	if (!events || !place || !g->slot_of) {
		free(place);
		return -ENOMEM;
	}
	for (size_t i = 0; i < f->n; i++) {
		if (f->group_of[i] != COUNTER_EVERY_GROUP && f->group_of[i] != number)
			continue;
		events[n++] = f->events[i];
		place[f->index_of[i]] = (int)n;
	}
	g->config = (struct counter_config){
		.events = events,
		.n = n,
		.pinned = !o->multiplex,
		.system_wide = o->system_wide,
		.cpus = c->cpus,
		.n_cpus = c->n_cpus,
		.per_cpu = o->per_cpu,
	};
	for (size_t i = 0; i < record->metrics.n; i++) {
		const struct metric *m = &record->metrics.v[i];
		int p = is_of_event(m) && !m->reason ? place[m->slot] : 0;

		g->slot_of[i] = p - 1;
		/* Time comes after the events, in every group. */
		if (m->source == METRIC_SCOPE && m->slot < 0)
			g->slot_of[i] = (int)n;
		if (p && m->source == METRIC_COUNTER && m->cpu >= 0)
			g->slot_of[i] = (p - 1) * (int)c->n_cpus + cpu_index(c, m->cpu);
	}
	free(place);
	g->slot_errors = calloc(counter_slots(&g->config) + 1, sizeof(*g->slot_errors));
	return g->slot_errors ? 0 : -ENOMEM;
}

static int build_groups(struct counting *c, const struct event_options *o, struct record *record,
			const struct fitting *f)
{
	c->groups = calloc((size_t)f->groups, sizeof(*c->groups));
	if (!c->groups)
		return -ENOMEM;
	c->n_groups = (size_t)f->groups;
	for (int g = 0; g < f->groups; g++) {
		int r = build_group(c, o, record, f, g);

		if (r)
			return r;
	}
	for (size_t i = 0; i < record->metrics.n; i++) {
		struct metric *m = &record->metrics.v[i];

		for (size_t k = 0; k < f->n && is_of_event(m); k++)
			if (f->index_of[k] == (size_t)m->slot)
				m->group = f->group_of[k];
		if (m->group == COUNTER_EVERY_GROUP)
			m->group = -1;
	}
	record->plan.groups = f->groups;
	record->plan.multiplexed = o->multiplex;
	return 0;
}

int counting_init(struct counting *c, const struct event_options *options,
		  const struct judge_options *judge, const struct scopes *scopes, struct record *record,
		  char *err, size_t err_size)
{
	struct fitting f = {0};

	*c = (struct counting){0};
	int r = parse_events(c, options, err, err_size);

	if (!r)
		r = parse_cpus(c, options, err, err_size);
	if (!r)
		r = counting_metrics(c, options, judge, scopes, record, err, err_size);
	if (!r && record->metrics.n > RECORD_MAX_METRICS) {
		snprintf(err, err_size,
			 "%zu metrics are more than a record holds (%d): count fewer events, or "
			 "scopes%s",
			 record->metrics.n, RECORD_MAX_METRICS,
			 !options->per_cpu ? ""
			 : options->system_wide
			     ? ", or fewer CPUs (-C), or leave out -A"
			     : ", or let runs use fewer CPUs (--cpus), or leave out -A");
		r = STATUS_USAGE;
	}
	if (r)
		return r;
	r = fit(c, options, record, &f, err, err_size);
	if (!r)
		r = build_groups(c, options, record, &f);
	fitting_release(&f);
	if (r == -ENOMEM)
		snprintf(err, err_size, "out of memory");
	return r ? STATUS_CANNOT_MEASURE : 0;
}

void counting_release(struct counting *c)
{
	for (size_t g = 0; g < c->n_groups; g++) {
		free((void *)c->groups[g].config.events);
		free(c->groups[g].slot_of);
		free(c->groups[g].slot_errors);
	}
	for (size_t i = 0; i < c->n_extracts; i++)
		extract_release(&c->extracts[i]);
	free(c->extracts);
	free(c->groups);
	free(c->cpus);
	event_list_release(&c->events);
	*c = (struct counting){0};
}
