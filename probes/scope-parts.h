/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a set of scopes consists of, private to the files that make it.
 */
#ifndef ABSTAT_SCOPE_PARTS_H
#define ABSTAT_SCOPE_PARTS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "counter.h"
#include "region-set.h"
#include "scope-define.h"
#include "scope-drain.h"
#include "scope-group.h"
#include "scope-pair.h"
#include "scope-set.h"
#include "scope-tally.h"

/* Everything that is counted, in sum; a run is the difference of two. */
struct scope_reading {
	uint64_t *values;   /* the group's members */
	uint64_t *calls;    /* [scope] */
	uint64_t *first;    /* [scope]: of the first thread */
	uint64_t *missed;   /* [scope] */
	uint64_t running;   /* of the group */
	uint64_t reference; /* that the run's threads ran, ns */
	uint64_t own;       /* that its first thread ran, and those that are followed by themselves */
	uint64_t time;
};

/* A thread that has a group of its own. */
struct scope_followed {
	struct scope_followed *next;
	pid_t tid;
	struct scope_group group;
};

/* The threads of a run beside the first one, where those are followed one by one. */
struct scope_following {
	struct scope_followed *threads;
	size_t n, n_now; /* those that there were, and are */
	struct scope_reading ended; /* of those that are no more: values, running, own */
	bool incomplete;            /* there are some that are not followed */
};

/* The scopes that are marked regions. */
struct scope_regions {
	struct region_config config;
	const char **names;
	size_t *rows;
	struct region_set *set; /* NULL: there are none */
	bool alone;             /* there are no others: what follows counts the whole */
	struct counter_config counters;
	struct counter_set *whole;
	struct counter_value *before, *after;
};

struct scope_set {
	const struct scope_config *config;
	struct scope_definitions definitions;
	struct group_plan plan;
	struct pair_scope *scopes;
	struct pair_probe *probes;
	struct pair_layout layout;
	struct pair_sink sink;
	struct pairing *pairing;
	struct tally *tally;
	struct drain *drain;
	int *cpus;
	size_t n_cpus;
	struct scope_group *groups; /* one a CPU, or one */
	size_t n_groups;
	int reference; /* descriptors of software events that only tell how long... */
	int own;       /* ...all threads ran, and the first one; the latter is not inherited */
	int *calls;    /* [scope] */
	int *first;    /* [scope]: without inheritance; -1 where all can be followed */
	uint64_t *scratch;
	struct scope_reading before, after;
	bool unplaced; /* breakpoints are in a library that is not there yet */
	struct scope_following following;
	struct scope_regions regions;
};

/* What the samples mean, and room for them, once the probes are defined. 0 or -errno. */
int scope_set_describe(struct scope_set *set);

/* The CPUs that the runs may use. 0 or -errno. */
int scope_set_find_cpus(struct scope_set *set);

/*
 * Opens everything on PID, or (0) on what the calling process spawns; and closes it. 0, or -errno
 * with a message.
 */
int scope_set_open_events(struct scope_set *set, pid_t pid, char *err, size_t err_size);
void scope_set_close_events(struct scope_set *set);

/* Reads everything. 0 or -errno. */
int scope_set_read(struct scope_set *set, struct scope_reading *r);

/*
 * Adds what a group has counted to R; OWN: the time that it was enabled, too. 0 or -errno.
 */
int scope_set_add(struct scope_set *set, const struct scope_group *group, bool own,
		  struct scope_reading *r);

/*
 * scope_group_open of a thread, wherever it runs, with as large a ring as a user may lock who is not
 * privileged: perf_event_mlock_kb and 'ulimit -l' limit it. PLAN has its size afterwards.
 */
int scope_group_open_small(struct scope_group *group, struct group_plan *plan, pid_t pid);

/*
 * Sets the breakpoints again where PID has executed another program, and is stopped; as
 * scope_set_load() does. 0, or -errno: none is set, or not all.
 */
int scope_set_reload(struct scope_set *set, pid_t pid);

/* Begins to follow a run's threads, adds what they have counted, and follows none any more. */
void scope_follow_reset(struct scope_set *set);
int scope_follow_read(struct scope_set *set, struct scope_reading *r);
void scope_follow_none(struct scope_set *set);

/* 0, or -errno with a message. */
int scope_regions_open(struct scope_set *set, int *slot_errors, char *err, size_t err_size);
int scope_regions_begin(struct scope_set *set, char *err, size_t err_size);

/* Completes RESULT, in which the other scopes are. 0, or -errno with a message. */
int scope_regions_end(struct scope_set *set, struct scope_result *result, char *err,
		      size_t err_size);
void scope_regions_release(struct scope_set *set);

/* The result of a run, from the two readings and from pairing. */
void scope_set_account(const struct scope_set *set, const struct drain_count *drained,
		       struct scope_result *result);

#endif
