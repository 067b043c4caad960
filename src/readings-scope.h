/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what a probed run gave to readings: of scopes, of what is in none, and of the whole under
 * probes.
 *
 * Up to 1 % of a scope's calls may have no cost (lost samples): its total is scaled to all calls
 * then. Beyond, it has no value. Calls that did not return are no part of a total.
 */
#ifndef ABSTAT_READINGS_SCOPE_H
#define ABSTAT_READINGS_SCOPE_H

#include "metric.h"
#include "record.h"
#include "scope-set.h"

/* What came of a probed run. */
struct probed_run {
	const struct scope_result *result; /* NULL: nothing, the run did not start */
	const struct scope_config *config;
	const int *slot_errors; /* one an event */
	bool killed; /* what the command left behind was probed until it was killed, after its end */
};

/* The reading of METRIC_SCOPE metric M; COST is the place of its event in RUN's costs, -1: in
 * another group. */
struct reading reading_of_scope(const struct probed_run *run, const struct metric *m, int cost);

/* The reading of the whole run in COST, with what probing added; times SCALE. */
struct reading reading_of_whole(const struct probed_run *run, int cost, double scale);

#endif
