/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What abstat and a spawner share: a batch of runs in memory, and a socket that wakes one or the
 * other.
 *
 * The two take turns. abstat fills in requests and wakes the spawner; the spawner executes them
 * until all are done, one failed, or enough time has passed to make waking up cheap; then it wakes
 * abstat, which takes the results, and nothing is measured meanwhile.
 */
#ifndef ABSTAT_SPAWNER_SHARED_H
#define ABSTAT_SPAWNER_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture.h"
#include "counter.h"
#include "run.h"
#include "spawner.h"

#define SPAWNER_BATCH 256

struct spawner_slot {
	struct run_request request;
	struct run_result result;
	struct captured out;
	struct captured err;
	bool has_scopes; /* the run started, and its result is in... */
	struct scope_result scopes; /* ...memory that is shared too */
};

struct spawner_shared {
	atomic_int interrupt; /* signal to forward; once set, no further run starts */
	atomic_int run_pid;   /* of the run in flight */
	bool keep_going;
	uint32_t n;    /* requests */
	uint32_t done; /* results */
	int rc;        /* 0, or why the spawner cannot go on, -errno, with a message */
	char message[512];
	struct spawner_slot slots[SPAWNER_BATCH];
};

/* What the process that spawns gets from the one that asks. */
struct spawner_seat {
	const struct run_config *config;
	const struct counter_config *counters; /* NULL: none */
	size_t n_slots;                        /* counter_slots(counters) */
	const struct scope_config *scopes;     /* NULL: the runs are not probed */
	size_t n_errors;                       /* n_slots, or the events of SCOPES */
	struct spawner_shared *shared;
	struct counter_value *values; /* SPAWNER_BATCH × n_slots, shared */
	int *slot_errors;             /* n_errors, shared */
	int socket;
	int out_sink; /* memfds that take the output */
	int err_sink;
	pid_t parent;
};

/* The spawner's whole life, after the fork. Does not return. */
_Noreturn void spawner_main(const struct spawner_seat *seat);

#endif
