/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spawning with vfork semantics, waiting, and taking what was counted.
 *
 * The system calls of a run that leaves nothing behind: clone, in the child setpgid and execve,
 * wait4 twice, a read of each counter and of the empty pipe. File descriptors, signal dispositions,
 * mask, affinity and personality are the spawner's own, set once, so that nothing is left to do for
 * them between the clock and the exec.
 */
#include "execute.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "flight.h"
#include "gate.h"
#include "observe.h"
#include "scope-follow.h"
#include "scope-stop.h"
#include "stragglers.h"

struct child_start {
	const struct launch *launch;
	const char *cwd;
	int error;
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Returns only where the command cannot be executed: with the errno. */
__attribute__((no_sanitize("address", "undefined"))) static int execute_command(void *context)
{
	const struct child_start *start = context;

	if (!setpgid(0, 0) && (!start->cwd || !chdir(start->cwd)))
		execve(start->launch->path, start->launch->argv, start->launch->envp);
	return errno;
}

/*
 * Runs in the spawner's memory, while the spawner waits: system calls only, and no other effects
 * than the error.
 */
__attribute__((no_sanitize("address", "undefined"))) static int child_main(void *context)
{
	struct child_start *start = context;

	start->error = execute_command(start);
	_exit(127);
}

static int fail(struct executor *e, int error, const char *what)
{
	snprintf(e->message, e->message_size, "%s: %s", what, strerror(-error));
	return error;
}

/* The command's files take the place of our own stdin and stdout, which we do not use. */
static int open_stream(struct executor *e, const char *path, int flags, int fd)
{
	int opened = open(path, flags | O_CLOEXEC | O_NOCTTY, 0666);
	int rc;

	if (opened < 0)
		return fail(e, -errno, path);
	rc = dup2(opened, fd) < 0 ? fail(e, -errno, path) : 0;
	close(opened);
	return rc;
}

static int open_streams(struct executor *e)
{
	const struct run_config *c = e->config;
	int rc = 0;

	if (c->stdin_path)
		rc = open_stream(e, c->stdin_path, O_RDONLY, STDIN_FILENO);
	if (!rc && c->stdout_mode == STREAM_FILE)
		rc = open_stream(e, c->stdout_path, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
	return rc;
}

static int read_counters(struct executor *e, struct counter_value *values)
{
	int rc = e->set ? counter_set_read(e->set, values) : 0;

	return rc ? fail(e, rc, "cannot read the counters") : 0;
}

/* The result is what was counted between the two reads; the second is the next run's first. */
static void take_counts(struct executor *e, struct counter_value *values)
{
	struct counter_value *after = e->after;

	for (size_t i = 0; i < e->n_slots; i++) {
		values[i].value = after[i].value - e->before[i].value;
		values[i].enabled = after[i].enabled - e->before[i].enabled;
		values[i].running = after[i].running - e->before[i].running;
	}
	e->after = e->before;
	e->before = after;
}

/* Nobody is there to continue it, and waiting would never end. */
static void kill_stopped(pid_t pid, int signal, int *stopped)
{
	*stopped = signal;
	kill(-pid, SIGKILL);
}

static int stuck(struct executor *e)
{
	return fail(e, -EPERM, "the command does not end and cannot be killed");
}

/* Until the command has ended, and is to be reaped, its threads stop where they begin. */
static int follow_threads(struct executor *e, pid_t pid, int *stopped)
{
	int rc, signal = 0;

	do {
		rc = scope_set_follow(e->scopes, pid, &signal);
		if (signal && !*stopped)
			kill_stopped(pid, signal, stopped);
		if (rc == -EINTR)
			rc = flight_stuck() ? stuck(e) : 0;
		else if (rc < 0)
			fail(e, rc, "cannot wait for the command's threads");
	} while (!rc);
	return rc < 0 ? rc : 0;
}

/*
 * Returns the status of wait4(2), or -errno. STOPPED: the signal that stopped the command, which
 * was killed then.
 */
static int wait_for_command(struct executor *e, pid_t pid, struct run_result *r, int *stopped)
{
	uint64_t end = 0;
	struct rusage ru;
	int status = 0;

	if (e->scopes && scope_set_needs_exec(e->scopes))
		status = follow_threads(e, pid, stopped);
	if (status < 0)
		return status;
	/* The dead process can be looked at until it is reaped; the clock does not count that. */
	if (e->config->observe_cpu &&
	    !waitid(P_PID, (id_t)pid, NULL, WEXITED | WSTOPPED | WNOWAIT)) {
		end = clock_ns(CLOCK_MONOTONIC);
		observe_end(pid, r);
	}
	for (;;) {
		pid_t got = wait4(pid, &status, WUNTRACED, &ru);

		if (got == pid && !WIFSTOPPED(status))
			break;
		if (got == pid) {
			kill_stopped(pid, WSTOPSIG(status), stopped);
		} else if (errno != EINTR) {
			return fail(e, -errno, "cannot wait for the command");
		} else if (flight_stuck()) {
			return stuck(e);
		}
	}
	r->duration_ns = (end ? end : clock_ns(CLOCK_MONOTONIC)) - r->duration_ns;
	usage_add(&r->usage, &ru);
	return status;
}

static void judge(const struct run_config *c, struct run_result *r, int status, int stopped,
		  bool timed_out)
{
	if (WIFEXITED(status)) {
		r->status = WEXITSTATUS(status);
		r->outcome =
		    (c->ok_status ? c->ok_status[r->status] : r->status == 0) ? RUN_OK : RUN_EXIT;
	} else {
		r->status = stopped ? stopped : WTERMSIG(status);
		r->outcome = RUN_SIGNAL;
	}
	if (r->outcome == RUN_OK && r->stragglers && c->stragglers == STRAGGLERS_ERROR)
		r->outcome = RUN_STRAGGLERS;
	if (timed_out)
		r->outcome = RUN_TIMEOUT;
	if (flight_interrupted())
		r->outcome = RUN_INTERRUPTED;
}

/*
 * Ends what the command left behind. What ends in time is part of the run. If anything had to be
 * killed, the counts and the resources are those at the command's own exit: when a process was
 * killed is no property of the command.
 */
static int end_stragglers(struct executor *e, struct run_result *r)
{
	const struct run_config *c = e->config;
	uint64_t grace = c->stragglers == STRAGGLERS_WAIT ? UINT64_MAX : c->grace_ns;
	struct reaped ended = {0}, killed = {0};
	int rc = read_counters(e, e->after);

	if (rc)
		return rc;
	if (flight_timed_out() || flight_interrupted())
		grace = 0;
	rc = stragglers_end(grace, &ended, &killed);
	if (rc)
		return fail(e, rc, "a process that the command left behind cannot be killed");
	r->stragglers = ended.n + killed.n;
	r->stragglers_killed = killed.n;
	if (killed.n)
		return 0;
	usage_merge(&r->usage, &ended.usage);
	return read_counters(e, e->after);
}

/* After the command's own exit: everything else that belongs to the run, and its counts. */
static int finish(struct executor *e, struct run_result *r, struct counter_value *values)
{
	struct reaped orphans = {0};
	int living = stragglers_reap(&orphans);
	int rc;

	if (living < 0)
		return fail(e, living, "cannot wait for the command's children");
	if (orphans.n)
		usage_merge(&r->usage, &orphans.usage);
	rc = living ? end_stragglers(e, r) : read_counters(e, e->after);
	if (rc)
		return rc;
	take_counts(e, values);
	/* What a killed straggler had counted was added later than our last read. */
	e->before_valid = !living;
	return 0;
}

static void not_started(struct run_result *r, int error)
{
	r->outcome = RUN_NOT_STARTED;
	r->error = error;
	r->duration_ns = 0;
}

static int start_clocks(struct executor *e, struct run_result *r)
{
	int rc = e->before_valid ? 0 : read_counters(e, e->before);

	if (!rc && e->set) {
		rc = counter_set_enable(e->set);
		if (rc)
			return fail(e, rc, "cannot start the counters");
	}
	r->start_ns = clock_ns(CLOCK_REALTIME);
	r->duration_ns = clock_ns(CLOCK_MONOTONIC);
	return rc;
}

/* Breakpoints are set on the process when it has executed the command, where it is stopped. */
static int start_stopped(struct executor *e, struct child_start *start, struct run_result *r,
			 pid_t pid, struct gate *gate)
{
	int rc = scope_stop_prepare(pid, e->message, e->message_size);

	if (rc) {
		gate_abandon(gate, pid);
		return rc;
	}
	gate_unlock(gate);
	rc = scope_stop_wait(pid);
	start->error = gate_result(gate);
	if (rc) {
		/* It ended before it could tell why it does not execute. */
		start->error = start->error ? start->error : -rc;
		return 0;
	}
	rc = scope_set_begin(e->scopes, pid, e->message, e->message_size);
	rc = rc ? rc : start_clocks(e, r);
	rc = rc ? rc : scope_set_load(e->scopes, pid, e->message, e->message_size);
	if (rc) {
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		return rc;
	}
	scope_stop_continue(pid);
	return 0;
}

/* The probes are opened on the process while it waits at the gate. */
static int start_gated(struct executor *e, struct child_start *start, struct run_result *r,
		       pid_t *pid)
{
	struct gate gate;
	int rc = gate_start(&gate, execute_command, start, pid);

	if (rc)
		return fail(e, rc, "cannot start the command");
	if (scope_set_needs_exec(e->scopes))
		return start_stopped(e, start, r, *pid, &gate);
	rc = scope_set_begin(e->scopes, *pid, e->message, e->message_size);
	rc = rc ? rc : start_clocks(e, r);
	if (rc) {
		gate_abandon(&gate, *pid);
		return rc;
	}
	start->error = gate_open(&gate);
	return 0;
}

static int start_command(struct executor *e, struct child_start *start, struct run_result *r,
			 pid_t *pid)
{
	int rc = 0;

	if (e->scopes && scope_set_needs_pid(e->scopes))
		return start_gated(e, start, r, pid);
	if (e->scopes)
		rc = scope_set_begin(e->scopes, 0, e->message, e->message_size);
	rc = rc ? rc : start_clocks(e, r);
	if (rc)
		return rc;
	*pid = clone(child_main, e->child_stack, CLONE_VM | CLONE_VFORK | SIGCHLD, start);
	if (*pid < 0)
		start->error = errno;
	return 0;
}

static int end_scopes(struct executor *e, const struct run_result *r)
{
	int rc;

	if (!e->scopes)
		return 0;
	rc = scope_set_end(e->scopes, e->scope_result, e->message, e->message_size);
	if (!rc)
		e->scope_result->whole[e->n_scope_costs - 1] = (double)r->duration_ns;
	return rc;
}

static int fly(struct executor *e, const struct launch *launch, struct run_result *r,
	       struct counter_value *values)
{
	struct child_start start = {.launch = launch, .cwd = e->config->cwd};
	int status = 0, stopped = 0;
	pid_t pid = -1;
	int rc = start_command(e, &start, r, &pid);

	if (rc)
		return rc;
	if (!start.error) {
		flight_begin(pid, e->config->timeout_ns);
		status = wait_for_command(e, pid, r, &stopped);
		flight_leader_ended();
	}
	rc = e->set ? counter_set_disable(e->set) : 0;
	if (rc)
		return fail(e, rc, "cannot stop the counters");
	if (start.error) {
		if (pid > 0)
			waitpid(pid, NULL, 0);
		not_started(r, start.error);
		e->before_valid = false;
		return end_scopes(e, r);
	}
	if (status < 0)
		return status;
	rc = finish(e, r, values);
	rc = rc ? rc : end_scopes(e, r);
	e->scopes_valid = !rc;
	judge(e->config, r, status, stopped, flight_end());
	return rc;
}

int execute_run(struct executor *e, const struct run_request *request, struct run_result *result,
		struct counter_value *values, struct captured *out, struct captured *err)
{
	const struct launch *launch;
	int rc;

	*result = (struct run_result){.cpu = -1, .frequency = -1, .migrations = -1};
	*out = (struct captured){0};
	*err = (struct captured){0};
	e->scopes_valid = false;
	memset(values, 0, e->n_slots * sizeof(*values));
	if (flight_interrupted()) {
		result->outcome = RUN_INTERRUPTED;
		return 0;
	}
	rc = launcher_prepare(&e->launcher, request, &launch);
	if (rc) {
		not_started(result, -rc);
		return 0;
	}
	rc = open_streams(e);
	if (rc)
		return rc;
	rc = fly(e, launch, result, values);
	if (e->capture_out)
		capture_finish(&e->out, out);
	capture_finish(&e->err, err);
	return rc;
}
