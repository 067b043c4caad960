/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What measuring has in hand while it goes on: between measure.c, which decides how many blocks
 * there are, and measure-block.c, which runs them.
 */
#ifndef ABSTAT_MEASUREMENT_H
#define ABSTAT_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure.h"
#include "spawner.h"

/* Runs asked for in a batch: for about so long, and at most so many. */
enum { BATCH_NS = 50000000, BATCH_MAX = 4096 };

struct measurement {
	const struct measure_config *config;
	struct record *record;
	struct run_config run;
	struct spawner **spawners;        /* one a rotation group */
	struct spawner **probed_spawners; /* group × variant */
	size_t n_variants;
	size_t n_entries; /* runs of a block: entry e is variant e % n_variants */
	bool probed;      /* the run that runs is */
	size_t group;     /* rotation group of the block that runs */
	uint32_t block;   /* the next one to run, warm-up included */
	uint32_t valid;   /* measured blocks in which no run failed */
	bool warmup;
	bool block_failed;
	size_t in_block;   /* runs of the current block that have ended */
	uint64_t begun_ns; /* CLOCK_MONOTONIC at the first measured block */
	uint64_t block_ns; /* the time that a block takes, 0: not known yet */
	uint16_t *order;
	struct run_request *requests;
	struct reading *readings;
	double *scratch;
	char last_failure[1500]; /* with --ignore-failure: what the last one was */
	int status;              /* exit status of what ended the measurement, 0: nothing did */
	char *err;
	size_t err_size;
};

/* Measuring ends with exit STATUS, which is returned; the message is in m->err. */
static inline int measure_ended(struct measurement *m, int status)
{
	m->status = status;
	return status;
}

/* Whether ENTRY of a block is a run with probes: with scopes the second half, or all of them. */
bool measure_is_probed(const struct measurement *m, size_t entry);

/* Runs COMMAND, the hook WHAT of V (NULL: there is none). A hook that fails is an error, as a
 * failing run is. Returns m->status. */
int measure_hook(struct measurement *m, const struct variant *v, const char *command,
		 const char *what, uint64_t block_seed);

/* Runs at most MOST blocks, and at least one, into the record. Returns m->status. */
int measure_blocks(struct measurement *m, uint32_t most);

#endif
