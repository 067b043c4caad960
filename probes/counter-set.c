/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a set of counters: companions, groups, slots.
 */
#include "counter-set.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "event.h"

static bool takes_counter(const struct event *event)
{
	return !event->software && event->tool == TOOL_NONE;
}

/* Errors after which no further event can be opened either. */
static bool fatal_error(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOSYS;
}

static int add_companion(struct counter_set *set, const struct perf_event_attr *attr,
			 const char *pmu)
{
	int fd = counter_open(attr, 0, -1, -1);

	if (fd < 0)
		return fd;
	set->companions[set->n_companions++] = (struct companion){.fd = fd, .pmu = pmu};
	return 0;
}

static bool has_companion(const struct counter_set *set, const char *pmu)
{
	for (size_t i = 0; i < set->n_companions; i++)
		if (!strcmp(set->companions[i].pmu, pmu))
			return true;
	return false;
}

/*
 * The companions: an event that is not inherited in every task context that holds inherited ones.
 * Without them the kernel takes the contexts of parent and child for clones of each other and swaps
 * them at a context switch, so that exec enables the parent's events: later runs would count
 * nothing. Before 6.2 hardware and software events have contexts of their own, hence one for each.
 * They exclude the kernel, because an ordinary user may not open them otherwise.
 */
static int open_companions(struct counter_set *set, const struct counter_config *config)
{
	struct perf_event_attr dummy = {
	    .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_DUMMY,
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	};
	int e = config->n ? add_companion(set, &dummy, "software") : 0;

	for (size_t i = 0; i < config->n && e == 0; i++) {
		const struct event *event = config->events[i];
		struct perf_event_attr attr = event->attr;

		if (!takes_counter(event) || has_companion(set, event->pmu))
			continue;
		attr.disabled = 1;
		attr.exclude_user = 0;
		attr.exclude_kernel = 1;
		attr.exclude_hv = 1;
		attr.precise_ip = 0;
		attr.exclusive = 0;
		e = add_companion(set, &attr, event->pmu);
		/* Where the event itself cannot be opened, that is its slot's error. */
		if (!fatal_error(-e))
			e = 0;
	}
	return e;
}

static bool counts_on(const struct event *event, int cpu)
{
	if (!event->cpus)
		return true;
	for (size_t i = 0; i < event->n_cpus; i++)
		if (event->cpus[i] == cpu)
			return true;
	return false;
}

static bool group_takes_counter(const struct counter_config *config, size_t first)
{
	for (size_t i = first; i < config->n; i++) {
		if (i > first && (config->events[i]->group < 0 ||
				  config->events[i]->group != config->events[first]->group))
			break;
		if (takes_counter(config->events[i]))
			return true;
	}
	return false;
}

/*
 * Opens event INDEX on CPU (-1: on the children). *LEADER is the descriptor of its group's leader,
 * or -1: then the event becomes the leader. Siblings follow the leader, which alone is enabled.
 */
static int open_one(struct counter_set *set, const struct counter_config *config, size_t index,
		    size_t slot, int cpu, int *leader)
{
	const struct event *event = config->events[index];
	struct perf_event_attr attr = event->attr;
	int fd;

	attr.pinned = 0;
	if (*leader < 0) {
		attr.pinned =
		    (config->pinned || event->pinned) && group_takes_counter(config, index);
		attr.disabled = 1;
		attr.enable_on_exec = !config->system_wide;
	} else {
		attr.exclusive = 0;
	}
	attr.inherit = !config->system_wide;
	fd = counter_open(&attr, config->system_wide ? -1 : 0, cpu, *leader);
	if (fd < 0)
		return fd;
	set->counters[set->n++] =
	    (struct counter){.fd = fd,
			     .slot = slot,
			     .leader = *leader < 0,
			     .steady = !takes_counter(event) && event->group < 0};
	if (*leader < 0 && event->group >= 0)
		*leader = fd;
	return 0;
}

/*
 * A slot is never a part of a sum: if one CPU's event is missing, the others of the slot are closed
 * too. Siblings that lose their leader so are leaders from then on, as they are for the kernel.
 */
static void close_slot(struct counter_set *set, size_t slot)
{
	size_t kept = 0;
	bool orphan = false;

	for (size_t i = 0; i < set->n; i++) {
		struct counter c = set->counters[i];

		orphan = orphan && !c.leader;
		if (c.slot == slot) {
			close(c.fd);
			orphan = orphan || c.leader;
			continue;
		}
		c.leader = c.leader || orphan;
		set->counters[kept++] = c;
	}
	set->n = kept;
}

static int open_on(struct counter_set *set, const struct counter_config *config, size_t cpu_index,
		   int *slot_errors)
{
	int cpu = config->system_wide ? config->cpus[cpu_index] : -1;
	int leader = -1;

	for (size_t i = 0; i < config->n; i++) {
		const struct event *event = config->events[i];
		bool own_slot = config->system_wide && config->per_cpu;
		size_t slot = own_slot ? i * config->n_cpus + cpu_index : i;
		int e;

		if (i == 0 || event->group < 0 || event->group != config->events[i - 1]->group)
			leader = -1;
		if (config->system_wide && !counts_on(event, cpu)) {
			if (own_slot)
				slot_errors[slot] = ENODEV;
			continue;
		}
		if (slot_errors[slot])
			continue;
		e = open_one(set, config, i, slot, cpu, &leader);
		if (e < 0 && fatal_error(-e))
			return e;
		slot_errors[slot] = -e;
	}
	return 0;
}

/*
 * A software event tells how long hardware events should have been enabled: see recall_enabled() in
 * counter.c. Where none is asked for, this one is counted beside them.
 */
static int open_reference(struct counter_set *set)
{
	struct perf_event_attr dummy = {
	    .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_DUMMY,
	    .disabled = 1,
	    .inherit = 1,
	    .enable_on_exec = 1,
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	};
	bool steady = false, others = false;
	int fd;

	for (size_t i = 0; i < set->n; i++)
		*(set->counters[i].steady ? &steady : &others) = true;
	if (steady || !others)
		return 0;
	fd = counter_open(&dummy, 0, -1, -1);
	if (fd < 0)
		return fatal_error(-fd) ? fd : 0;
	set->counters[set->n++] =
	    (struct counter){.fd = fd, .leader = true, .steady = true, .slot = COUNTER_NO_SLOT};
	return 0;
}

static bool slot_has_counter(const struct counter_set *set, size_t slot)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->counters[i].slot == slot)
			return true;
	return false;
}

int counter_set_fill(struct counter_set *set, const struct counter_config *config, int *slot_errors)
{
	size_t passes = config->system_wide ? config->n_cpus : 1;
	int e = config->system_wide ? 0 : open_companions(set, config);

	if (e < 0 && !fatal_error(-e)) {
		/* Without its companion no event would count rightly. */
		for (size_t i = 0; i < set->slots; i++)
			slot_errors[i] = -e;
		return 0;
	}
	for (size_t i = 0; i < passes && e == 0; i++)
		e = open_on(set, config, i, slot_errors);
	if (e == 0 && !config->system_wide)
		e = open_reference(set);
	if (e < 0)
		return e;
	for (size_t i = 0; i < set->slots; i++) {
		if (slot_errors[i])
			close_slot(set, i);
		else if (!slot_has_counter(set, i))
			slot_errors[i] = ENODEV;
	}
	return 0;
}
