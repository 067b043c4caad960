/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measuring: runs the variants block by block as planned, and appends every run to the record.
 */
#ifndef ABSTAT_MEASURE_H
#define ABSTAT_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counting.h"
#include "options.h"
#include "record.h"
#include "resume.h"
#include "scopes.h"
#include "stopper.h"
#include "variant.h"

struct measure_config {
	struct record *record;	/* metrics, variants, and the plan's seed and warm-up are filled in */
	struct counting *counting;
	const struct variant_list *variants;
	const struct run_options *run;
	const struct scopes *scopes;	/* n is 0: nothing is probed */
	uint64_t max_time_ns;	/* 0: none */
	struct stopper *stopper;
	void *context;		/* of the functions below */
	/* Called between runs, after DONE of at most MOST blocks (0: not known). May be NULL. */
	void (*progress)(void *context, const struct record *record, bool warmup, uint32_t done,
			 uint32_t most, uint64_t elapsed_ns);
	/*
	 * Keeps the run that has just ended, before the next one begins; NULL: runs are kept in memory only. 0, or -errno
	 * with a message in ERR, which ends the measurement.
	 */
	int (*keep)(void *context, const struct record *record, size_t run, char *err, size_t err_size);
	/* The plan is fixed; called before the first measured run. May be NULL. As keep(). */
	int (*planned)(void *context, const struct record *record, char *err, size_t err_size);
	const struct resume_point *resumed; /* go on from there, after another warm-up; NULL: begin */
};

/*
 * After an interrupt the signals stay caught until interrupt_restore(). Returns 0, or an exit status with a message in ERR: STATUS_NO_VERDICT (a run or a hook failed),
 * STATUS_CANNOT_MEASURE, STATUS_INTERRUPTED. What was measured until then is in the record. Clean-up hooks
 * are run in every case once a set-up hook was.
 */
int measure(const struct measure_config *config, char *err, size_t err_size);

#endif
