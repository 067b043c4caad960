/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second way to start a command: its process waits before it executes it, so that events can be
 * opened on that process. It is a copy of the spawner (a process that shares its memory could not
 * wait), which makes it slower than the first.
 */
#ifndef ABSTAT_GATE_H
#define ABSTAT_GATE_H

#include <sys/types.h>

struct gate {
	int open_fd;   /* closed or written to: the process goes on */
	int result_fd; /* tells what became of the execution */
};

/*
 * Starts a process that waits, then calls EXECUTE, which returns an errno where it could not.
 * Returns 0 and the process's number in *PID, or -errno.
 */
int gate_start(struct gate *g, int (*execute)(void *), void *context, pid_t *pid);

/* Lets it go on. Returns 0 once the command is being executed, else the errno. */
int gate_open(struct gate *g);

/* The same in two steps, for a process that is watched between them. */
void gate_unlock(struct gate *g);
int gate_result(struct gate *g);

/* Ends it instead, and reaps it. */
void gate_abandon(struct gate *g, pid_t pid);

#endif
