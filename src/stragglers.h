/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command leaves behind: processes that outlive it, whose parent the spawner has become.
 */
#ifndef ABSTAT_STRAGGLERS_H
#define ABSTAT_STRAGGLERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "run.h"

/* What was reaped beside the command itself. */
struct reaped {
	uint32_t n;
	struct run_usage usage;
};

void usage_add(struct run_usage *sum, const struct rusage *ru);
void usage_merge(struct run_usage *sum, const struct run_usage *more);

/*
 * Reaps what has already ended, without waiting. Returns 1 if children live on, 0 if there are
 * none, or -errno.
 */
int stragglers_reap(struct reaped *r);

/*
 * Waits at most GRACE_NS (UINT64_MAX: for ever; cut short by the run's time limit and by an
 * interrupt) for all children to end, then kills until none is left. ENDED: those that ended by
 * themselves; KILLED: the others. Returns 0 or -errno: a process could not be killed.
 */
int stragglers_end(uint64_t grace_ns, struct reaped *ended, struct reaped *killed);

#endif
