/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits events into groups that fit the hardware counters, by first fit with real trials.
 *
 * What is placed is a unit: one event, or the events of one {group}. PMUs have counters of their
 * own, so that each PMU's events are split by themselves, and the PMUs' first groups are counted
 * together, their second ones, and so on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counter-trial.h"
#include "counter.h"
#include "event.h"

enum { UNPLACED = -2 };

struct fitting {
	const struct event *const *events;
	size_t n;
	size_t primary;
	int *group_of;
	const struct event **candidate; /* room for n */
	size_t *unit;                   /* the indices of one unit: room for n */
	char *err;
	size_t err_size;
};

static bool takes_counter(const struct event *event)
{
	return !event->software && event->tool == TOOL_NONE && event->reason == EVENT_OK;
}

static bool same_unit(const struct event *a, const struct event *b)
{
	return a == b || (a->group >= 0 && a->group == b->group);
}

static bool of_primary(const struct fitting *f, size_t i)
{
	return f->primary < f->n && takes_counter(f->events[f->primary]) &&
	       takes_counter(f->events[i]) && same_unit(f->events[i], f->events[f->primary]);
}

/* The members of event FIRST's unit that take a counter of its PMU. */
static size_t unit_of(struct fitting *f, size_t first)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (takes_counter(f->events[i]) && same_unit(f->events[i], f->events[first]) &&
		    !strcmp(f->events[i]->pmu, f->events[first]->pmu))
			f->unit[n++] = i;
	return n;
}

/* Do the unit (n_unit of f->unit), the primary metric's, and what GROUP holds of this PMU fit
 * together? */
static int fits(struct fitting *f, size_t n_unit, int group)
{
	const char *pmu = f->events[f->unit[0]]->pmu;
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		bool taken = of_primary(f, i) || (group >= 0 && f->group_of[i] == group);

		for (size_t k = 0; k < n_unit; k++)
			taken = taken || f->unit[k] == i;
		if (taken && takes_counter(f->events[i]) && !strcmp(f->events[i]->pmu, pmu))
			f->candidate[n++] = f->events[i];
	}
	return counter_trial(f->candidate, n);
}

static int too_big(const struct fitting *f, size_t n_unit)
{
	char names[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < n_unit && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? "," : "",
					 f->events[f->unit[i]]->asked);
	if (f->primary < f->n && !of_primary(f, f->unit[0]))
		snprintf(
		    f->err, f->err_size,
		    "the group {%s} and the primary metric %s do not fit the hardware counters "
		    "together; make the group smaller",
		    names, f->events[f->primary]->asked);
	else
		snprintf(
		    f->err, f->err_size,
		    "the group {%s} does not fit the hardware counters; make it smaller, or see "
		    "whether another process holds counters",
		    names);
	return -E2BIG;
}

static int failed(const struct fitting *f, int e)
{
	snprintf(f->err, f->err_size, "cannot try which events fit the counters: %s", strerror(-e));
	return e;
}

static void place(struct fitting *f, size_t n_unit, int group)
{
	for (size_t i = 0; i < n_unit; i++)
		f->group_of[f->unit[i]] = group;
}

/*
 * Puts the unit of event FIRST into the first group with room for it. A single event that fits
 * nowhere has a group to itself: it will not count, and the runs say so. *N_GROUPS is that of this
 * PMU.
 */
static int place_unit(struct fitting *f, size_t first, int *n_groups)
{
	size_t n_unit = unit_of(f, first);
	int e;

	for (int group = 0; group < *n_groups; group++) {
		e = fits(f, n_unit, group);
		if (e < 0)
			return failed(f, e);
		if (e) {
			place(f, n_unit, group);
			return 0;
		}
	}
	if (n_unit > 1) {
		e = fits(f, n_unit, -1);
		if (e <= 0)
			return e < 0 ? failed(f, e) : too_big(f, n_unit);
	}
	place(f, n_unit, (*n_groups)++);
	return 0;
}

static bool on_pmu(const struct fitting *f, size_t i, const char *pmu)
{
	return takes_counter(f->events[i]) && !strcmp(f->events[i]->pmu, pmu);
}

/* Returns 1 if all events of PMU fit together, 0 or -errno. */
static int all_fit(struct fitting *f, const char *pmu)
{
	size_t n = 0;
	int e;

	for (size_t i = 0; i < f->n; i++)
		if (on_pmu(f, i, pmu))
			f->candidate[n++] = f->events[i];
	e = counter_trial(f->candidate, n);
	if (e < 0)
		return failed(f, e);
	for (size_t i = 0; i < f->n && e == 1; i++)
		if (on_pmu(f, i, pmu))
			f->group_of[i] = COUNTER_EVERY_GROUP;
	return e;
}

/* The primary metric's unit is in every group. That of one event may not fit: its runs have no
 * value then. */
static int place_primary(struct fitting *f, const char *pmu)
{
	size_t n_unit;
	int e;

	if (f->primary >= f->n || !on_pmu(f, f->primary, pmu))
		return 0;
	n_unit = unit_of(f, f->primary);
	e = n_unit > 1 ? fits(f, n_unit, -1) : 1;
	if (e <= 0)
		return e < 0 ? failed(f, e) : too_big(f, n_unit);
	place(f, n_unit, COUNTER_EVERY_GROUP);
	return 0;
}

static int split_pmu(struct fitting *f, const char *pmu, int *n_groups)
{
	int e = all_fit(f, pmu), groups = 0;

	if (e)
		return e < 0 ? e : 0;
	e = place_primary(f, pmu);
	if (e < 0)
		return e;
	for (size_t i = 0; i < f->n; i++) {
		if (!on_pmu(f, i, pmu) || f->group_of[i] != UNPLACED)
			continue;
		e = place_unit(f, i, &groups);
		if (e < 0)
			return e;
	}
	*n_groups = groups > *n_groups ? groups : *n_groups;
	return 0;
}

/* Software events follow the {group} that they are in; the others belong to every group. */
static void place_software(struct fitting *f)
{
	for (size_t i = 0; i < f->n; i++) {
		if (takes_counter(f->events[i]))
			continue;
		f->group_of[i] = COUNTER_EVERY_GROUP;
		for (size_t k = 0; k < f->n; k++)
			if (takes_counter(f->events[k]) && same_unit(f->events[i], f->events[k]))
				f->group_of[i] = f->group_of[k];
	}
}

static int split(struct fitting *f)
{
	int n_groups = 1;

	for (size_t i = 0; i < f->n; i++)
		f->group_of[i] = UNPLACED;
	for (size_t i = 0; i < f->n; i++) {
		int e;

		if (!takes_counter(f->events[i]) || f->group_of[i] != UNPLACED)
			continue;
		e = split_pmu(f, f->events[i]->pmu, &n_groups);
		if (e < 0)
			return e;
	}
	place_software(f);
	return n_groups;
}

int counter_fit(const struct event *const *events, size_t n, size_t primary, int *group_of,
		char *err, size_t err_size)
{
	struct fitting f = {
	    .events = events,
	    .n = n,
	    .primary = primary,
	    .group_of = group_of,
	    .candidate = calloc(n + 1, sizeof(*f.candidate)),
	    .unit = calloc(n + 1, sizeof(*f.unit)),
	    .err = err,
	    .err_size = err_size,
	};
	int result = -ENOMEM;

	if (f.candidate && f.unit)
		result = split(&f);
	else
		snprintf(err, err_size, "cannot try which events fit the counters: out of memory");
	free(f.candidate);
	free(f.unit);
	return result;
}
