/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stoppers: when a measurement has seen enough. `stat` stops by runs and time, `compare` by evidence.
 */
#ifndef ABSTAT_STOPPER_H
#define ABSTAT_STOPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "record.h"

struct stopper {
	/*
	 * Fixes the plan before the first measured run: BLOCK_NS is the time of a warm-up block, 0 if there was none. Fills
	 * the record's plan. 0, or -errno with a message in ERR.
	 */
	int (*begin)(struct stopper *stopper, struct record *record, uint64_t block_ns, char *err,
		     size_t err_size);

	/* How many more whole blocks to run before look() is called; at least 1. VALID blocks have been run so far. */
	uint32_t (*next)(const struct stopper *stopper, const struct record *record, uint32_t valid);

	/*
	 * Called after that many blocks, and a last time when the time of --max-time is over. Sets plan.stopped to stop. 0, or
	 * -errno with a message in ERR.
	 */
	int (*look)(struct stopper *stopper, struct record *record, uint32_t valid, uint64_t elapsed_ns,
		    bool out_of_time, char *err, size_t err_size);

	void (*release)(struct stopper *stopper);
};

/* For `stat`: -r N, or at least 10 runs and about 3 seconds, or --precision. */
struct stopper *stopper_by_runs_new(const struct plan_options *options);

/* For `compare`: group-sequential, or -r N, or --precision. JUDGE must live as long as the stopper. */
struct stopper *stopper_by_evidence_new(const struct plan_options *options,
					const struct judge_options *judge);

/* For `calibrate`: -r N, or about a minute of blocks, no fewer than 100 and no more than 2000. */
struct stopper *stopper_for_calibration_new(const struct plan_options *options);

void stopper_free(struct stopper *stopper);

#endif
