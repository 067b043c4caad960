/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user said of the metrics: which way each is better, how much of a difference matters,
 * and which one decides.
 */
#ifndef ABSTAT_COUNTING_PRIMARY_H
#define ABSTAT_COUNTING_PRIMARY_H

#include <stddef.h>

struct counting;
struct event_options;
struct judge_options;
struct record;

/* The metric that the user chose to decide; NULL: none was named. */
const char *counting_primary_name(const struct judge_options *judge);

/*
 * Sets the directions and margins of record->metrics, which is complete, and record->primary.
 * Returns 0, STATUS_USAGE or STATUS_CANNOT_MEASURE with a message in ERR.
 */
int counting_judge(const struct counting *c, const struct event_options *options,
		   const struct judge_options *judge, struct record *record, char *err,
		   size_t err_size);

#endif
