/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two pipes to a forked process: one that it waits at, and one that the execution closes.
 */
#include "gate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void wait_and_execute(int open_fd, int result_fd, int (*execute)(void *),
				       void *context)
{
	char byte;
	ssize_t n;
	int error;

	do
		n = read(open_fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	/* Nobody opens the gate any more. */
	if (n != 1)
		_exit(127);
	error = execute(context);
	(void)!write(result_fd, &error, sizeof(error));
	_exit(127);
}

int gate_start(struct gate *g, int (*execute)(void *), void *context, pid_t *pid)
{
	int opened[2], result[2], rc = 0;

	if (pipe2(opened, O_CLOEXEC))
		return -errno;
	if (pipe2(result, O_CLOEXEC)) {
		rc = -errno;
		close(opened[0]);
		close(opened[1]);
		return rc;
	}
	*pid = fork();
	if (*pid == 0) {
		/* Else the end of the spawner would not be seen. */
		close(opened[1]);
		wait_and_execute(opened[0], result[1], execute, context);
	}
	if (*pid < 0)
		rc = -errno;
	close(opened[0]);
	close(result[1]);
	*g = (struct gate){opened[1], result[0]};
	if (rc) {
		close(g->open_fd);
		close(g->result_fd);
	}
	return rc;
}

void gate_unlock(struct gate *g)
{
	while (write(g->open_fd, "", 1) < 0 && errno == EINTR)
		;
}

int gate_result(struct gate *g)
{
	int error = 0;
	ssize_t n;

	do
		n = read(g->result_fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	close(g->open_fd);
	close(g->result_fd);
	return n == sizeof(error) ? error : 0;
}

int gate_open(struct gate *g)
{
	gate_unlock(g);
	return gate_result(g);
}

void gate_abandon(struct gate *g, pid_t pid)
{
	close(g->open_fd);
	close(g->result_fd);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}
