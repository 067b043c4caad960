/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spawner: a small process that owns a set of counters and executes runs.
 *
 * It is forked from abstat early, one for every group of events that are counted together. It opens
 * its events on itself, is the subreaper of what it starts, and stays small, because a run's peak
 * memory cannot read below that of the process that spawned it. Hooks are never run by it. abstat
 * asks for a batch of runs and sleeps until results come, so that nothing but the workload runs
 * while it is measured.
 */
#ifndef ABSTAT_SPAWNER_H
#define ABSTAT_SPAWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counter.h"
#include "run.h"
#include "scope-set.h"
#include "variant.h"

enum straggler_policy { STRAGGLERS_KILL, STRAGGLERS_WAIT, STRAGGLERS_ERROR };
enum stream_mode { STREAM_NULL, STREAM_PIPE, STREAM_INHERIT, STREAM_FILE };

/* How every run is executed. Strings are borrowed. */
struct run_config {
	const struct variant *variants;
	size_t n_variants;
	const char *stdin_path; /* NULL: /dev/null */
	enum stream_mode stdout_mode;
	const char *stdout_path; /* STREAM_FILE: truncated at each run */
	bool keep_output; /* hand each run's stdout and stderr to the callback whole (--extract) */
	const char *cwd;  /* NULL: as abstat's */
	/* "NAME=VALUE" sets, "NAME" alone removes; NULL-terminated; NULL: none. */
	const char *const *env;
	const int *cpus; /* affinity of the runs; NULL: as abstat's */
	size_t n_cpus;
	uint64_t timeout_ns; /* 0: none; at it the process group, and what left it, is killed */
	enum straggler_policy stragglers;
	uint64_t grace_ns;        /* that stragglers get; 0: none */
	const uint8_t *ok_status; /* 256 flags: which exit statuses are success; NULL: 0 only */
	bool layout_block;        /* no address randomisation, a stack offset a block */
	bool observe_cpu;         /* read where each run ended and that CPU's frequency */
};

struct run_request {
	uint32_t variant;
	uint32_t block;
	uint64_t block_seed;   /* replaces {block}; the same for all variants of the block */
	uint32_t stack_offset; /* layout_block: bytes, the same for all variants of the block */
};

/*
 * A run's output: stderr_text always holds the last lines (≤ 4 KiB); with keep_output both are
 * whole.
 */
struct run_output {
	const char *stdout_text;
	size_t stdout_len;
	const char *stderr_text;
	size_t stderr_len;
	bool truncated; /* keep_output: one of them was longer than 16 MiB; what follows is lost */
};

/*
 * Called in abstat's process for each run, in order. VALUES are those of the counters; a spawner
 * with scopes has none, and gives SCOPES, which is NULL otherwise and where the run did not start.
 * Both last until DONE returns. Returns 0 to go on, else spawner_run() stops and returns that.
 */
typedef int spawner_done_fn(void *context, const struct run_request *request,
			    const struct run_result *result, const struct counter_value *values,
			    const struct scope_result *scopes, const struct run_output *output);

struct spawner;

/*
 * Forks the spawner, which opens COUNTERS (n may be 0). SLOT_ERRORS as in counter_set_open(). RUN
 * and COUNTERS must live as long as the spawner. Returns 0 or -errno with a message in ERR.
 */
int spawner_start(struct spawner **spawner, const struct run_config *run,
		  const struct counter_config *counters, int *slot_errors, char *err,
		  size_t err_size);

/*
 * Likewise, but every run is probed: its SCOPES are opened instead of counters. SLOT_ERRORS as in
 * scope_set_open(). SCOPES and what it points to must live as long as the spawner.
 */
int spawner_start_probed(struct spawner **spawner, const struct run_config *run,
			 const struct scope_config *scopes, int *slot_errors, char *err,
			 size_t err_size);

/*
 * Executes N requests in order and calls DONE for each one. Stops after the first run whose outcome
 * is not RUN_OK unless KEEP_GOING (a RUN_NOT_STARTED or RUN_INTERRUPTED always stops). With N=1 the
 * run is reported before the next can begin: callers that must not lose a finished run ask for one
 * at a time. Returns 0, DONE's value, or -errno with a message in ERR (-EPIPE: the spawner died).
 */
int spawner_run(struct spawner *spawner, const struct run_request *requests, size_t n,
		bool keep_going, spawner_done_fn *done, void *context, char *err, size_t err_size);

/*
 * Asks the run in flight to end: forwards SIGNAL to its process group, and kills it after two
 * seconds. No further run starts; the next request is reported as RUN_INTERRUPTED with no times.
 * Async-signal-safe, and right at any moment.
 */
void spawner_interrupt(struct spawner *spawner, int signal);

void spawner_free(struct spawner *spawner);

/*
 * Runs a hook by sh -c, from the calling process, which owns no events. stdout and stderr go to
 * abstat's stderr. Returns the exit status, 128+signal, or -errno with a message. CWD, ENV and
 * {block} as for runs.
 */
int hook_run(const char *command, const struct run_config *run, uint64_t block_seed, char *err,
	     size_t err_size);

#endif
