/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stopping a child where it has executed its program and not yet run any of it, and each of its
 * threads where it begins, as a debugger does.
 */
#ifndef ABSTAT_SCOPE_STOP_H
#define ABSTAT_SCOPE_STOP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Prepares PID, a child of the calling thread that has yet to execute a program. 0, or -errno with
 * a message: it may not be traced. Everything else must be done by the same thread.
 */
int scope_stop_prepare(pid_t pid, char *err, size_t err_size);

/* Waits until PID is stopped there: 0, or -ECHILD: it ended before, and is reaped. */
int scope_stop_wait(pid_t pid);

/*
 * Lets it run until it returns from its next system call; ADDRESS: where to. 0, -ECHILD: it has
 * ended, and is still to be reaped; or -errno.
 */
int scope_stop_system_call(pid_t pid, uint64_t *address);

/* Where it goes on, while it is stopped. 0 or -errno. */
int scope_stop_address(pid_t pid, uint64_t *address);

/* Lets it run, and leaves it alone from now on. */
void scope_stop_release(pid_t pid);

/* Lets it, or one of its threads, run on; its next stop is waited for by scope_stop_next(). */
void scope_stop_continue(pid_t tid);

enum scope_stop_kind {
	SCOPE_STOP_NONE,     /* it was one that meant nothing, and is over */
	SCOPE_STOP_ENDED,    /* the process has ended, and is still to be reaped */
	SCOPE_STOP_THREAD,   /* a thread begins: it is to be continued */
	SCOPE_STOP_FOREIGN,  /* what began is no thread of the process; it was left alone */
	SCOPE_STOP_GONE,     /* a thread has ended */
	SCOPE_STOP_EXECUTED, /* another program was executed: it is to be continued */
	SCOPE_STOP_JOB,      /* job control stopped it, and it was left so */
};

struct scope_stop {
	enum scope_stop_kind kind;
	pid_t tid;
	pid_t former; /* of SCOPE_STOP_EXECUTED: who executed, that is TID from now on */
	int signal;   /* of SCOPE_STOP_JOB */
};

/*
 * Waits for the next of PID, which was let run by scope_stop_continue(). Other children of the
 * calling process are not reaped. 0, -EINTR: a signal was handled; or -errno.
 */
int scope_stop_next(pid_t pid, struct scope_stop *stop);

#endif
