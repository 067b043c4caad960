/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regions that programs mark with abstat/region.h, and count by themselves.
 *
 *   names and events → a memory file a run → the program's threads count → a result a run
 *
 * A set belongs to the process that spawns the runs, whose descriptor the programs open. Each run
 * has a fresh file behind the same path, so that what an earlier run left behind cannot write into
 * it.
 */
#ifndef ABSTAT_REGION_SET_H
#define ABSTAT_REGION_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;
struct scope_result;
struct region_set;

struct region_config {
	const char *const *names; /* identifiers of up to 63 characters; at most 64 */
	size_t n_names;
	const size_t *rows; /* [n_names]: of a result's scopes; NULL: the first ones, in order */
	/* Of one PMU and software; at most 15. */
	const struct event *const *events;
	size_t n_events;
	const bool *scoped; /* [n_events]: those to be counted; NULL: all */
};

/* What a run's programs said of themselves. */
struct region_programs {
	unsigned n; /* those that have any of the regions in them */
	uint64_t present; /* a bit for each of the config's names: one of them has that region */
	int error;  /* an errno of a thread whose events, or calls, could not be counted; 0: none */
	unsigned threads_user; /* whose counters were read in user space */
	unsigned threads_read; /* by read(2) */
	uint64_t unbegun;      /* ends that no begin was open for: they are no calls */
};

/*
 * Opens each event once on the calling thread, as the programs will. SLOT_ERRORS [n_events]
 * receives 0 or an errno of each; those with one are not counted. Returns 0, or -errno with a
 * message in ERR.
 */
int region_set_open(struct region_set **set, const struct region_config *config, int *slot_errors,
		    char *err, size_t err_size);

/* What the runs must have in their environment: "ABSTAT_REGIONS=PATH". Of the set. */
const char *region_set_variable(const struct region_set *set);

/* Prepares a run. 0 or -errno with a message. */
int region_set_begin(struct region_set *set, char *err, size_t err_size);

/*
 * After the run's last process. Fills in the regions' rows of RESULT's calls and costs, of n_events
 * + 1 costs each; costs of events that could not be opened are NAN. The calls of a thread that could
 * not open them are not counted. Adds to outermost and overhead. 0 or -errno with a message.
 */
int region_set_end(struct region_set *set, struct scope_result *result,
		   struct region_programs *programs, char *err, size_t err_size);

void region_set_free(struct region_set *set);

#endif
