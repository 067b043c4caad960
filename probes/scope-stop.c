/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stops of ptrace(2).
 */
#include "scope-stop.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Processes that are started by fork(2) and the like are left alone: who is traced gets no rights
 * from set-user-ID programs, and an end of a child that is traced is told to its parent later.
 */
#define OPTIONS                                                                                    \
	(PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)
/* By TRACESYSGOOD, of a stop at a system call. */
#define SYSTEM_CALL (SIGTRAP | 0x80)

int scope_stop_prepare(pid_t pid, char *err, size_t err_size)
{
	/* If we end while it is stopped, nobody would continue it. */
	if (!ptrace(PTRACE_SEIZE, pid, NULL, (void *)(uintptr_t)OPTIONS))
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

/* Of an event the number is ptrace's own; else it is a signal that is to be delivered. */
static void let_go_on(pid_t tid, int status)
{
	ptrace(PTRACE_CONT, tid, NULL, (void *)(uintptr_t)(status >> 16 ? 0 : WSTOPSIG(status)));
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
		let_go_on(pid, status);
	}
}

static int get_info(pid_t pid, struct __ptrace_syscall_info *info)
{
	return ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof(*info), info) < 0 ? -errno : 0;
}

int scope_stop_address(pid_t pid, uint64_t *address)
{
	struct __ptrace_syscall_info info = {0};
	int rc = get_info(pid, &info);

	*address = info.instruction_pointer;
	return rc;
}

int scope_stop_system_call(pid_t pid, uint64_t *address)
{
	int status, signal = 0;

	for (;;) {
		struct __ptrace_syscall_info info = {0};
		siginfo_t end = {0};

		ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(uintptr_t)signal);
		while (waitid(P_PID, (id_t)pid, &end, WEXITED | WSTOPPED | WNOWAIT | __WALL))
			if (errno != EINTR)
				return -errno;
		if (end.si_code != CLD_TRAPPED && end.si_code != CLD_STOPPED)
			return -ECHILD;
		if (waitpid(pid, &status, __WALL) < 0)
			return -errno;
		signal = 0;
		if (WIFSTOPPED(status) && WSTOPSIG(status) == SYSTEM_CALL) {
			int rc = get_info(pid, &info);

			*address = info.instruction_pointer;
			if (rc || info.op == PTRACE_SYSCALL_INFO_EXIT)
				return rc;
		} else if (WIFSTOPPED(status) && !(status >> 16)) {
			signal = WSTOPSIG(status);
		}
	}
}

void scope_stop_release(pid_t pid)
{
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
}

void scope_stop_continue(pid_t tid)
{
	ptrace(PTRACE_CONT, tid, NULL, NULL);
}

/* Else it was started by clone(2) as a process of its own. */
static bool is_thread(pid_t pid, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/task/%ld", (long)pid, (long)tid);
	return !access(path, F_OK);
}

/* A stop that ptrace makes: of a thread that begins, by a signal of job control, or after one. */
static void take_stop(pid_t pid, int signal, struct scope_stop *stop)
{
	if (signal != SIGTRAP) {
		stop->kind = SCOPE_STOP_JOB;
		stop->signal = signal;
		return;
	}
	if (stop->tid == pid) {
		scope_stop_continue(pid);
	} else if (is_thread(pid, stop->tid)) {
		stop->kind = SCOPE_STOP_THREAD;
	} else {
		stop->kind = SCOPE_STOP_FOREIGN;
		scope_stop_release(stop->tid);
	}
}

/* Whichever thread executes a program, it is the process's first one afterwards. */
static void take_exec(struct scope_stop *stop)
{
	unsigned long former = 0;

	stop->kind = SCOPE_STOP_EXECUTED;
	stop->former = ptrace(PTRACE_GETEVENTMSG, stop->tid, NULL, &former) ? 0 : (pid_t)former;
}

int scope_stop_next(pid_t pid, struct scope_stop *stop)
{
	siginfo_t info = {0};
	int status;

	*stop = (struct scope_stop){.kind = SCOPE_STOP_NONE};
	/* Of children, __WCLONE takes only those that are traced: others wait to be reaped. */
	if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOWAIT | __WCLONE))
		return -errno;
	stop->tid = info.si_pid;
	if (stop->tid == pid && info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED) {
		stop->kind = SCOPE_STOP_ENDED;
		return 0;
	}
	if (waitpid(stop->tid, &status, __WALL) < 0)
		return errno == ECHILD ? 0 : -errno;
	if (!WIFSTOPPED(status))
		stop->kind = SCOPE_STOP_GONE;
	else if (status >> 16 == PTRACE_EVENT_EXEC)
		take_exec(stop);
	else if (status >> 16 == PTRACE_EVENT_STOP)
		take_stop(pid, WSTOPSIG(status), stop);
	else
		let_go_on(stop->tid, status);
	return 0;
}
