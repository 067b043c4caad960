/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The run in flight and what may end it early: its time limit, an interrupt, the death of abstat.
 *
 * All three are signals to the spawner whose handlers kill the run's process group themselves, so
 * that there is no moment between a check and a wait in which one could get lost, and no timer or
 * poll to set up around each run. Handlers need a place that they can find: it is private to
 * flight.c.
 */
#ifndef ABSTAT_FLIGHT_H
#define ABSTAT_FLIGHT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The signal by which abstat says that it has written a signal number to `interrupt`. */
#define FLIGHT_INTERRUPT_SIGNAL SIGUSR1

/*
 * Gives the calling process the spawner's signal dispositions: the default or a handler for
 * everything, so that exec gives the workload the default ones. INTERRUPT (0: none) and RUN_PID
 * live in memory that abstat shares. Call once, in the thread that will wait for the runs. Returns
 * 0 or -errno.
 */
int flight_init(pid_t parent, const atomic_int *interrupt, atomic_int *run_pid);

/* PID, the leader of a process group, runs from now on, for at most TIMEOUT_NS (0: no limit). */
void flight_begin(pid_t pid, uint64_t timeout_ns);

/*
 * The leader has been reaped: its number may belong to somebody else now. The time limit goes on.
 */
void flight_leader_ended(void);

/* Everything of the run is gone: no more time limit. Returns whether it was reached. */
bool flight_end(void);

/* What handlers noted: asked by whoever waits and was woken. */
bool flight_interrupted(void);
bool flight_timed_out(void);

/*
 * True if the run was killed for seconds, again and again, and is still there: we may not signal
 * it.
 */
bool flight_stuck(void);

#endif
