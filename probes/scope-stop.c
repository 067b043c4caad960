/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stop of ptrace(2) at an execve(2).
 */
#include "scope-stop.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

int scope_stop_prepare(pid_t pid, char *err, size_t err_size)
{
	/* If we end while it is stopped, nobody would continue it. */
	if (!ptrace(PTRACE_SEIZE, pid, NULL,
		    (void *)(uintptr_t)(PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)))
		return 0;
	int error = errno;

	snprintf(
	    err, err_size,
	    "execute breakpoints, which need no privileges, are set while the program is stopped "
	    "by ptrace(2), which is not permitted here: %s; see "
	    "/proc/sys/kernel/yama/ptrace_scope",
	    strerror(error));
	return -error;
}

int scope_stop_wait(pid_t pid)
{
	for (;;) {
		int status;

		if (waitpid(pid, &status, __WALL) < 0) {
			if (errno == EINTR)
				continue;
			return -ECHILD;
		}
		if (!WIFSTOPPED(status))
			return -ECHILD;
		if (status >> 16 == PTRACE_EVENT_EXEC)
			return 0;
		/* Of an event the number is ptrace's own; else it is a signal that is to be
		 * delivered. */
		ptrace(PTRACE_CONT, pid, NULL,
		       (void *)(uintptr_t)(status >> 16 ? 0 : WSTOPSIG(status)));
	}
}

void scope_stop_release(pid_t pid)
{
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
}
