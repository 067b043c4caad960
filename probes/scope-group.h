/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The group that counters and probes are in, so that each hit of a probe carries the values of all
 * counters and the hits of all probes.
 */
#ifndef ABSTAT_SCOPE_GROUP_H
#define ABSTAT_SCOPE_GROUP_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct scope_config;
struct scope_definitions;

enum group_member_kind { MEMBER_EVENT, MEMBER_SWITCHES, MEMBER_PROBE };

struct group_member {
	enum group_member_kind kind;
	size_t index; /* of the event, or of the probe */
	struct perf_event_attr attr;
};

/* What a group consists of: the first is its leader. */
struct group_plan {
	struct group_member *members;
	size_t n;
	size_t *cost_members; /* [event]: its member, or PAIR_NO_MEMBER */
	size_t switches;
	size_t first_probe;
	bool inherit;
	size_t ring_size; /* bytes */
};

/*
 * Finds out which of CONFIG's events can be in a group with the probes here, and whether the group
 * can be inherited: by opening it on the calling process, on the first of CPUS, for a moment.
 * SLOT_ERRORS: 0, or an errno, for each event. Returns 0, or -errno with a message where not even
 * the probes can be opened.
 */
int group_plan_init(struct group_plan *plan, const struct scope_config *config,
		    const struct scope_definitions *definitions, const int *cpus, size_t n_cpus,
		    int *slot_errors, char *err, size_t err_size);
void group_plan_release(struct group_plan *plan);

/* The message for an event that cannot be opened, of WHAT ("'parse'"); returns ERROR, a -errno. */
int group_cannot_open(const char *what, int error, char *err, size_t err_size);

/* A group that is open, on one CPU or (cpu -1) wherever the process is. */
struct scope_group {
	int cpu;
	int *fds;         /* one a member */
	uint64_t *ids;    /* likewise: what samples are identified by */
	uint64_t *buffer; /* that reads go to */
	size_t n;
	void *ring; /* mapped: struct perf_event_mmap_page and then the data */
	size_t ring_size;
};

/*
 * Disabled, and enabled when PID (0: what the calling process spawns) executes a program; with
 * breakpoints, enabled. 0 or -errno.
 */
int scope_group_open(struct scope_group *g, const struct group_plan *plan, pid_t pid, int cpu);
void scope_group_close(struct scope_group *g);

/*
 * Of all members; how long the group was enabled while its thread ran, and counted, in ns. 0, or
 * -errno; a pinned group that lost its counters reads zeros.
 */
int scope_group_read(const struct scope_group *g, uint64_t *enabled, uint64_t *running,
		     uint64_t *values);

/*
 * perf_event_open(2) of an event outside of the group, that only counts: from the execution of a
 * program (AT_EXEC), or at once. Descriptor or -errno.
 */
int scope_count_open(const struct perf_event_attr *attr, pid_t pid, bool inherit, bool at_exec);

#endif
