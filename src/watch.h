/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user sees while it is measured: what it may cost, before it begins, and a progress line.
 */
#ifndef ABSTAT_WATCH_H
#define ABSTAT_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "progress.h"
#include "record.h"

struct watch {
	struct progress progress;
	const struct judge_options *judge;
	bool compare;
	bool quiet;
	uint64_t next_ns; /* the interval is computed no earlier than this, on CLOCK_MONOTONIC */
	struct progress_state state;
};

/* JUDGE must live as long as the watch. */
void watch_init(struct watch *w, const struct judge_options *judge, bool compare, bool quiet);

/* The plan is fixed: says what a long measurement may cost. */
void watch_planned(struct watch *w, const struct record *record);

/* Between runs. DONE blocks of the MOST that there may be (0: not known) have ended. */
void watch_blocks(struct watch *w, const struct record *record, bool warmup, uint32_t done, uint32_t most,
		  uint64_t elapsed_ns);

/* Before anything else is printed. */
void watch_end(struct watch *w);

#endif
