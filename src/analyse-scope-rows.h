/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows: the exclusive costs of all parts of a run, side by side, of the probed runs of a variant in
 * which each part has one.
 */
#ifndef ABSTAT_ANALYSE_SCOPE_ROWS_H
#define ABSTAT_ANALYSE_SCOPE_ROWS_H

#include "analyse.h"

struct scope_rows {
	double *values;   /* part × capacity + row */
	uint32_t *blocks; /* one a row */
	size_t n, capacity;
	size_t n_parts;
};

/* The rows of SOURCE for the metrics NAMES, one a part. Without all of these metrics there are
 * none. 0 or -ENOMEM. */
int scope_rows_take(struct scope_rows *rows, const struct analyse_source *source,
		    const char *const *names, size_t n_parts);

/* Keeps the rows whose block both have. */
void scope_rows_pair(struct scope_rows *a, struct scope_rows *b);

static inline const double *scope_rows_of(const struct scope_rows *rows, size_t part)
{
	return rows->values + part * rows->capacity;
}

void scope_rows_release(struct scope_rows *rows);

#endif
