/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Execute breakpoints of the processor as probes: for users who may not use those of the kernel.
 *
 * There are few of them, and they are at addresses of a process rather than at places of a file:
 * these are known once the process executes the program, at which it is stopped.
 */
#ifndef ABSTAT_SCOPE_BREAKPOINT_H
#define ABSTAT_SCOPE_BREAKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "scope-define.h"

struct group_plan;

/* Whether TARGETS are of kinds that breakpoints can measure at all; else only probes can. */
bool scope_breakpoints_apply(const struct scope_target *targets, size_t n_targets);

/* The first of them whose markers are passed by until a probe counts up a semaphore; or NULL. */
const struct scope_target *scope_breakpoints_guarded(const struct scope_target *targets,
						     size_t n_targets);

/* How many a process can have, as this one is; ERROR: the errno of having one more. */
size_t scope_breakpoints_free(int *error);

/*
 * As scope_define, with breakpoints whose addresses are still to be found. -ENOTSUP: a scope's end
 * cannot be seen so, or is seen at an unknown number of places; -ENOSPC: they are more than there
 * are breakpoints free in this process.
 */
int scope_define_breakpoints(struct scope_definitions *d, const struct scope_target *targets,
			     size_t n_targets, char *err, size_t err_size);

/*
 * Sets the addresses of the breakpoints of PLAN, whose group is made of D, in process PID, which is
 * stopped. 0, or -ENOENT with a message: the file of a scope is not mapped there, and its breakpoints
 * are disabled; or another -errno.
 */
int scope_place_breakpoints(const struct scope_definitions *d, struct group_plan *plan, pid_t pid,
			    char *err, size_t err_size);

#endif
