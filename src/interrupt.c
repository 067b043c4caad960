/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that end a measurement. A signal handler takes no context: the state of this file is the one that it needs. */
#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "spawner.h"

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[sizeof(caught) / sizeof(caught[0])];
static bool catching;
static volatile sig_atomic_t pending;
static struct spawner *volatile watched;

static void on_signal(int signal)
{
	int saved = errno;

	pending = signal;
	if (watched)
		spawner_interrupt(watched, signal);
	errno = saved;
}

static void on_file_limit(int signal)
{
	(void)signal;
}

/*
 * A record that reaches ulimit -f is a write that fails with EFBIG, and no death. A handler, not
 * SIG_IGN, which the runs would inherit.
 */
static void survive_file_limit(void)
{
	struct sigaction action = {.sa_handler = on_file_limit, .sa_flags = SA_RESTART}, old;

	sigemptyset(&action.sa_mask);
	if (!sigaction(SIGXFSZ, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &action, NULL);
}

void interrupt_catch(void)
{
	interrupt_restore();
	survive_file_limit();
	catching = true;
	struct sigaction action = {.sa_handler = on_signal};

	pending = 0;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++) {
		sigaction(caught[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(caught[i], &action, NULL);
	}
}

void interrupt_restore(void)
{
	if (!catching)
		return;
	catching = false;
	watched = NULL;
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &before[i], NULL);
}

void interrupt_watch(struct spawner *spawner)
{
	watched = spawner;
}

int interrupt_signal(void)
{
	return pending;
}
