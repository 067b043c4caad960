/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what the threads of a run's programs left in its file to the run's result.
 */
#ifndef ABSTAT_REGION_MERGE_H
#define ABSTAT_REGION_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include <abstat/region-layout.h>

#include "region-set.h"
#include "scope-set.h"

struct region_merge {
	int fd;
	const struct abstat_region_file
	    *head;              /* as written before the run: programs are not trusted */
	const size_t *event_of; /* [head->n_events]: the place of its cost */
	size_t n_events;        /* of the result's rows, with those not opened */
	struct scope_result *result;
	const size_t *rows; /* as in struct region_config */
	struct region_programs *programs;
};

/* As region_set_end(). 0 or -errno. */
int region_merge(const struct region_merge *merge);

#endif
