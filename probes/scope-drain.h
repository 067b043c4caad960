/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that takes samples out of the ring buffers while a run goes on, puts them in order, and
 * has them paired.
 *
 * It is started before any event is opened, so that none counts it, and blocks all signals.
 */
#ifndef ABSTAT_SCOPE_DRAIN_H
#define ABSTAT_SCOPE_DRAIN_H

#include <stddef.h>
#include <stdint.h>

#include "scope-group.h"
#include "scope-pair.h"

struct drain;
struct scope_set;

/* What came out of the ring buffers beside calls. */
struct drain_count {
	uint64_t throttled; /* records of that */
	uint64_t unpaired;  /* samples that there was no memory for */
	uint64_t forks;     /* processes that the threads started */
	uint64_t threads;   /* likewise */
	uint64_t gaps;      /* times that records did not fit: there may be more of all these */
};

/* Starts the thread. 0 or -errno. */
int drain_new(struct drain **drain);

/* Ends the thread. */
void drain_free(struct drain *d);

/*
 * From now on drains the rings of GROUPS, opened by PLAN, into PAIRING. All are borrowed until
 * drain_detach(), which drains what is left first. 0 or -errno.
 */
int drain_attach(struct drain *d, const struct scope_group *groups, size_t n,
		 const struct group_plan *plan, struct pairing *pairing);
void drain_detach(struct drain *d);

/* Drains the ring of one more group, which is borrowed (0 or -ENOMEM); and no more, after the rest. */
int drain_add(struct drain *d, const struct scope_group *group);
void drain_remove(struct drain *d, const struct scope_group *group);

/* Takes all that was written to the rings until now. */
void drain_rest(struct drain *d);

/* The counts since the last call of this. */
struct drain_count drain_take_counts(struct drain *d);

/* The one of a set. */
struct drain *scope_set_drain(const struct scope_set *set);

/* Keeps the thread from draining, as a machine does that has no time for it; and lets it again. */
void drain_hold(struct drain *d);
void drain_resume(struct drain *d);

#endif
