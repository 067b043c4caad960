/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of the test programs through a spawner, for tests.
 */
#ifndef ABSTAT_RUN_FIXTURE_H
#define ABSTAT_RUN_FIXTURE_H

#include <stddef.h>

#include "run.h"
#include "spawner.h"

/* What the last run gave; strings are owned. */
struct ran {
	struct run_result result;
	char *out;
	char *err;
	size_t out_len;
	size_t err_len;
	bool truncated;
	size_t n; /* runs reported */
};

/*
 * A config for the commands TEXTS (NULL-terminated), split as variants are; ACT in them is the test
 * program.
 */
struct fixture {
	struct run_config config;
	struct variant_list list;
	struct spawner *spawner;
	struct ran ran;
};

/* Fails the test if a command cannot be split. The config may be changed until the first run. */
void fixture_init(struct fixture *f, const char *const *texts);
void fixture_release(struct fixture *f);

/* One run of variant V. Returns what spawner_run() does; the message of an error is printed. */
int fixture_run(struct fixture *f, uint32_t v);
int fixture_run_request(struct fixture *f, const struct run_request *request);

/* init, one run, no release: the common case. */
void fixture_once(struct fixture *f, const char *text);

/* Milliseconds of CLOCK_MONOTONIC. */
long fixture_now_ms(void);

#endif
