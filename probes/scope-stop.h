/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stopping a child where it has executed its program and not yet run any of it, as a debugger does.
 */
#ifndef ABSTAT_SCOPE_STOP_H
#define ABSTAT_SCOPE_STOP_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Prepares PID, a child of the calling thread that has yet to execute a program. 0, or -errno with
 * a message: it may not be traced. Everything else must be done by the same thread.
 */
int scope_stop_prepare(pid_t pid, char *err, size_t err_size);

/* Waits until PID is stopped there: 0, or -ECHILD: it ended before, and is reaped. */
int scope_stop_wait(pid_t pid);

/* Lets it run, and leaves it alone from now on. */
void scope_stop_release(pid_t pid);

#endif
