/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hooks: shell commands around the runs, started by abstat itself, which owns no events.
 *
 * A server that a hook leaves running stays: it is what --setup is good for, and --cleanup may end
 * it. It is nobody's straggler, and no counter counts it.
 */
#include "spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "environment.h"
#include "run-failure.h"

/* That a hook has between an interrupt and SIGKILL. */
#define INTERRUPT_GRACE_S 2

/* What is handed on to the hook: signals that abstat itself does not ignore. */
static void forwarded_signals(sigset_t *set)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action;

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(set, signals[i]);
}

static int start(pid_t *pid, char *command, const struct run_config *run, char **envp)
{
	char *argv[] = {(char *)"sh", (char *)"-c", command, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t all, none;
	int rc;

	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
					    POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawn_file_actions_init(&actions);
	rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	if (!rc && run->cwd)
		rc = posix_spawn_file_actions_addchdir_np(&actions, run->cwd);
	if (!rc)
		rc = posix_spawn(pid, "/bin/sh", &actions, &attr, argv, envp);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return -rc;
}

/*
 * Waits for PID with the signals of FORWARDED and SIGCHLD blocked: none can come between a look and
 * a wait. *CAUGHT gets those that were handed on.
 */
static int wait_for(pid_t pid, const sigset_t *forwarded, sigset_t *caught)
{
	const struct timespec grace = {.tv_sec = INTERRUPT_GRACE_S};
	sigset_t awaited = *forwarded;
	bool interrupted = false;
	int status;

	sigaddset(&awaited, SIGCHLD);
	for (;;) {
		pid_t got = waitpid(pid, &status, WNOHANG | WUNTRACED);
		int sig;

		if (got == pid && WIFSTOPPED(status)) {
			kill(-pid, SIGKILL);
			while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
				;
			return status;
		}
		if (got == pid)
			return status;
		if (got < 0 && errno != EINTR)
			return -errno;
		sig = sigtimedwait(&awaited, NULL, interrupted ? &grace : NULL);
		if (sig < 0 && errno == EAGAIN)
			kill(-pid, SIGKILL);
		if (sig <= 0 || sig == SIGCHLD)
			continue;
		kill(-pid, sig);
		sigaddset(caught, sig);
		interrupted = true;
	}
}

/* abstat's own handlers get what was meant for it as soon as the mask is restored. */
static void raise_again(const sigset_t *caught)
{
	for (int sig = 1; sig < SIGRTMIN; sig++)
		if (sigismember(caught, sig) == 1)
			kill(getpid(), sig);
}

static int set_error(char *err, size_t err_size, const char *command, const char *cwd, int error)
{
	snprintf(err, err_size, "cannot run '%s'%s%s%s: %s", command, cwd ? " in '" : "",
		 cwd ? cwd : "", cwd ? "'" : "", strerror(-error));
	return error;
}

static int run(char *command, const struct run_config *config, char **envp, char *err,
	       size_t err_size)
{
	const struct sigaction reap = {.sa_handler = SIG_DFL};
	struct sigaction old_reap;
	sigset_t forwarded, blocked, caught, old;
	pid_t pid = -1;
	int rc;

	forwarded_signals(&forwarded);
	sigemptyset(&caught);
	blocked = forwarded;
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &old);
	/* Whoever started abstat may have ignored it, and then there would be no status. */
	sigaction(SIGCHLD, &reap, &old_reap);
	rc = start(&pid, command, config, envp);
	if (!rc)
		rc = wait_for(pid, &forwarded, &caught);
	sigaction(SIGCHLD, &old_reap, NULL);
	raise_again(&caught);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (rc < 0)
		return set_error(err, err_size, command, config->cwd, rc);
	if (WIFEXITED(rc))
		return WEXITSTATUS(rc);
	if (!WIFSTOPPED(rc))
		return 128 + WTERMSIG(rc);
	snprintf(err, err_size,
		 "'%s' was stopped by SIG%s and killed: hooks cannot use the terminal", command,
		 sigabbrev_np(WSTOPSIG(rc)));
	return 128 + WSTOPSIG(rc);
}

int hook_run(const char *command, const struct run_config *config, uint64_t block_seed, char *err,
	     size_t err_size)
{
	char *text = block_expand(command, block_seed);
	char **envp = environment_build(environ, config->env, NULL, 0);
	int rc = -ENOMEM;

	if (err_size)
		err[0] = '\0';
	if (text && envp)
		rc = run(text, config, envp, err, err_size);
	else
		set_error(err, err_size, command, config->cwd, rc);
	free(text);
	words_free(envp);
	return rc;
}
