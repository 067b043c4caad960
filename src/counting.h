/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is counted: from the options to the list of metrics, and to the sets of counters that give them.
 *
 * Events that do not fit the hardware counters together are split into rotation groups; every block counts
 * one of them, and the primary metric is in each.
 */
#ifndef ABSTAT_COUNTING_H
#define ABSTAT_COUNTING_H

#include <stdbool.h>
#include <stddef.h>

#include "counter.h"
#include "event.h"
#include "extract.h"
#include "metric.h"
#include "options.h"
#include "record.h"

/* One rotation group: the counters that its spawner opens, and where each metric's value is. */
struct counting_group {
	struct counter_config config; /* events is owned by the group */
	int *slot_of;	 /* one a metric: its slot, -1 where this group does not count it */
	int *slot_errors;/* one a slot: errno, as the spawner opened it */
};

struct scopes;

struct counting {
	size_t n_scoped; /* events, the first ones, that scopes are measured with */
	struct event_list events;
	struct counting_group *groups;
	size_t n_groups; /* at least 1 */
	int *cpus;	 /* system-wide: the CPUs counted on */
	size_t n_cpus;
	struct extract *extracts; /* each --extract; the slot of its metric is its index */
	size_t n_extracts;
};

/*
 * SCOPES have their specifications, or are NULL. Fills C, record->metrics, record->primary and the plan's `groups` and `multiplexed`. PRIMARY is the name that the user
 * chose, or NULL. Opens events for a moment to find out what works here. Returns 0, or an exit status
 * (STATUS_USAGE, STATUS_CANNOT_MEASURE) with a message in ERR.
 */
int counting_init(struct counting *c, const struct event_options *options, const struct judge_options *judge,
		  const struct scopes *scopes, struct record *record, char *err, size_t err_size);

/* Appends the events of TEXT. 0, or an exit status with a message in ERR. */
int counting_add_events(struct counting *c, const char *text, char *err, size_t err_size);

void counting_release(struct counting *c);

#endif
