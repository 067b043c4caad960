/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Readings: from what a run's counters, clock and wait4(2) said to one reading a metric, each a value or a reason.
 */
#ifndef ABSTAT_READINGS_H
#define ABSTAT_READINGS_H

#include "counting.h"
#include "readings-scope.h"
#include "record.h"
#include "run.h"

/*
 * Fills READINGS, one a metric of RECORD, from the run's RESULT and its counts VALUES, one a slot of rotation
 * group GROUP, or of a probed run PROBED (else NULL), and its OUTPUT, where a metric is taken from that. SCRATCH holds as many doubles as there are metrics.
 */
void readings_compute(const struct counting *counting, const struct record *record, size_t group,
		      const struct run_result *result, const struct counter_value *values,
		      const struct probed_run *probed, const struct run_output *output, double *scratch, struct reading *readings);

#endif
