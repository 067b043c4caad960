/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From events to metrics: one a counted event (a row a CPU with -A), the times and resources, the derived ones and the
 * user's own, and which of them is the primary.
 */
#ifndef ABSTAT_COUNTING_METRICS_H
#define ABSTAT_COUNTING_METRICS_H

#include <stddef.h>

struct counting;
struct event_options;
struct judge_options;
struct record;
struct scopes;

/*
 * Adds to C's events those that expressions and the primary metric name, finds out which can be counted, and fills
 * record->metrics and record->primary. Returns 0, STATUS_USAGE or STATUS_CANNOT_MEASURE with a message in ERR.
 */
int counting_metrics(struct counting *c, const struct event_options *options,
		     const struct judge_options *judge, const struct scopes *scopes, struct record *record, char *err,
		     size_t err_size);

#endif
