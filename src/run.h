/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of one variant, as plain data: what was asked of the spawner, and what came of it.
 */
#ifndef ABSTAT_RUN_H
#define ABSTAT_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "counter.h"

enum run_outcome {
	RUN_OK = 0,      /* ended with a status that counts as success */
	RUN_EXIT,        /* exited with another status */
	RUN_SIGNAL,      /* died by a signal */
	RUN_TIMEOUT,     /* was killed at --run-timeout */
	RUN_STRAGGLERS,  /* left processes behind, and --stragglers=error */
	RUN_INTERRUPTED, /* SIGINT or SIGTERM came while it ran */
	RUN_NOT_STARTED, /* could not be executed: see error */
};

/* Resources from wait4(2), summed over all processes of the run that were reaped; times in ns. */
struct run_usage {
	uint64_t user_ns;
	uint64_t system_ns;
	uint64_t max_rss; /* bytes; the largest process */
	uint64_t minor_faults;
	uint64_t major_faults;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	uint64_t block_reads;
	uint64_t block_writes;
};

struct run_result {
	enum run_outcome outcome;
	int status;           /* exit status or signal number */
	int error;            /* errno of RUN_NOT_STARTED, else 0 */
	uint64_t start_ns;    /* CLOCK_REALTIME at the spawn */
	uint64_t duration_ns; /* CLOCK_MONOTONIC, spawn to the command's own exit */
	struct run_usage usage;
	/* Bytes: the spawner's own peak; a max_rss at or below it is an upper bound. */
	uint64_t max_rss_floor;
	uint32_t stragglers; /* processes that outlived the command */
	/* Of those, killed after their time of grace: counts and usage end at the command's exit. */
	uint32_t stragglers_killed;
	int32_t cpu;        /* that the command was last seen on, -1 unknown */
	int64_t frequency;  /* Hz of that CPU right after the run, -1 unknown */
	int64_t migrations; /* of the command's first thread, -1 unknown */
};

#endif
