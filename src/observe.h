/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a run took place.
 */
#ifndef ABSTAT_OBSERVE_H
#define ABSTAT_OBSERVE_H

#include <sys/types.h>

#include "run.h"

/*
 * Fills in cpu, frequency and migrations of R from what /proc says of PID, a process that has ended
 * and is not yet reaped. What cannot be read stays -1. Migrations are those of the command's first
 * thread.
 */
void observe_end(pid_t pid, struct run_result *r);

#endif
