/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of scopes: what became of the calls of each, and what they cost in every event and in
 * time.
 */
#ifndef ABSTAT_COUNTING_SCOPES_H
#define ABSTAT_COUNTING_SCOPES_H

#include <stdbool.h>
#include <stddef.h>

struct counting;
struct record;
struct scopes;

/*
 * Whether the LEN bytes at NAME are SCOPE/calls, SCOPE/EVENT, SCOPE/EVENT.total and so on, of one
 * of SCOPES (NULL: none) or of the rest, or SCOPE/CPU0/calls and so on of one of their CPUs. The
 * event is given as it stands in NAME, and may be none that there is; *EVENT_LEN is 0 for counts of
 * calls.
 */
bool counting_scope_name(const struct scopes *scopes, const char *name, size_t len,
			 const char **event, size_t *event_len);

/*
 * Appends the metrics of SCOPES, and of their CPUs, in the first N_EVENTS of C's events, whose own
 * metrics are in the record, and in time. 0 or -ENOMEM.
 */
int counting_append_scopes(const struct counting *c, const struct scopes *scopes, size_t n_events,
			   struct record *record);

#endif
