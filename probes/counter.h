/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters that are opened once and count every run.
 *
 * A counter set is opened by the process that spawns the runs, on itself: disabled, inherited,
 * enabled on exec. Each child counts from its exec to its end, and what it counted is folded into
 * the set when it ends. A run's counts are the difference of two reads. Beside the inherited events
 * the set holds companions that are not inherited, so that the kernel never swaps the contexts of
 * parent and child. System-wide sets hold one event a CPU and are enabled around the run.
 */
#ifndef ABSTAT_COUNTER_H
#define ABSTAT_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;
struct counter_set;

/* All three are sums over the run (or over the CPUs); times in ns. */
struct counter_value {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

struct counter_config {
	const struct event *const *events; /* perf events only, groups contiguous */
	size_t n;
	bool pinned;      /* a hardware event has a counter all the time, or running is less than
			     enabled; else events take turns */
	bool system_wide; /* count on CPUs rather than on the children of this process */
	const int *cpus;  /* system-wide: which CPUs */
	size_t n_cpus;
	bool per_cpu; /* system-wide: a slot a CPU instead of the sum over the CPUs */
};

/*
 * Opens the set in the calling process. SLOT_ERRORS, an array of counter_slots() ints, receives 0
 * or the errno of each slot: a slot that could not be opened reads as zeros and is not an error of
 * the set. Returns 0, or -errno with a message in ERR if nothing can be counted at all (no file
 * descriptors left, ...).
 */
int counter_set_open(struct counter_set **set, const struct counter_config *config,
		     int *slot_errors, char *err, size_t err_size);

/* The number of values that a read gives: n, or n × n_cpus in event-major order with per_cpu. */
size_t counter_slots(const struct counter_config *config);

/* Start and stop of a run for system-wide sets; no-ops (0) for inherited ones. */
int counter_set_enable(struct counter_set *set);
int counter_set_disable(struct counter_set *set);

/* Totals since the set was opened, one a slot. Returns 0 or -errno. */
int counter_set_read(struct counter_set *set, struct counter_value *values);

void counter_set_free(struct counter_set *set);

/*
 * Splits EVENTS into groups that fit the hardware counters together, found out by trying: each
 * candidate is opened pinned on a short busy child, and fits if every event ran all the time that
 * it was enabled. events[PRIMARY] (if PRIMARY < n and it is a hardware event) is part of every
 * group; events of one {group} stay together; software events take no counter and belong to every
 * group. PMUs are split each by itself, and one whose events all fit is in every group. A single
 * event that does not run even alone (another process holds its counter) has a group to itself, and
 * no value in the runs. GROUP_OF receives for each event its group from 0, or COUNTER_EVERY_GROUP.
 * Returns the number of groups (≥1), or -errno with a message; -E2BIG if one {group} (with the
 * primary) does not fit by itself: the message names it.
 */
#define COUNTER_EVERY_GROUP (-1)
int counter_fit(const struct event *const *events, size_t n, size_t primary, int *group_of,
		char *err, size_t err_size);

#endif
