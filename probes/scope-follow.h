/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the threads of a run that is measured by breakpoints.
 */
#ifndef ABSTAT_SCOPE_FOLLOW_H
#define ABSTAT_SCOPE_FOLLOW_H

#include <stddef.h>
#include <sys/types.h>

struct scope_set;

/*
 * Lets PID, on which a set is begun where it was stopped at its exec, run until the libraries are
 * there that scopes are in, and stops it there. 0, also where it ended meanwhile; or -errno with a
 * message: there are none of that name.
 */
int scope_set_load(struct scope_set *set, pid_t pid, char *err, size_t err_size);

/*
 * Waits for what PID and its threads do next: a set is begun on it where it was stopped at its
 * exec, and it was let run by scope_stop_continue(). 1: it has ended, and is to be reaped; 0: it
 * goes on, and this is to be called again; -EINTR: likewise, a signal was handled; or -errno.
 * SIGNAL: where it has been stopped by job control, by which; else left as it is.
 */
int scope_set_follow(struct scope_set *set, pid_t pid, int *signal);

#endif
