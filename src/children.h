/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The direct children of this process, found and killed.
 */
#ifndef ABSTAT_CHILDREN_H
#define ABSTAT_CHILDREN_H

/*
 * Sends SIGKILL to every direct child and to the process group of each one, unless it is our own.
 * As a subreaper, we become the parent of the grandchildren: call until wait4(2) says ECHILD.
 * Async-signal-safe. Returns the number of children found, or -errno: the first reason why one
 * could not be signalled, or why /proc could not be read.
 */
int children_kill(void);

#endif
