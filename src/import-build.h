/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects what an importer finds, in whatever order, and makes a record of it.
 *
 * A cell is one number: of a variant, of a metric, of a row. If every cell is one measurement, rows
 * become runs; if cells are means of several, they become summaries.
 */
#ifndef ABSTAT_IMPORT_BUILD_H
#define ABSTAT_IMPORT_BUILD_H

#include <jansson.h>

#include "import.h"

struct import_cell {
	uint32_t variant, metric, row;
	uint64_t n;     /* measurements behind it */
	double value;   /* NaN with a reason */
	double sd;      /* of the n; NaN: unknown */
	double running; /* share of the time that it was counted, from 0 to 1 */
	enum null_reason reason;
};

struct import_build {
	const struct import *in;
	struct record *r;
	struct import_cell *cells;
	size_t n_cells, capacity;
	json_t *metrics;  /* name to index */
	json_t *variants; /* names taken, to how often they were asked for */
	struct import_failure {
		uint32_t variant, row;
		enum run_outcome outcome;
		int status;
	} * failures;
	size_t n_failures;
};

void import_build_init(struct import_build *b, const struct import *in, struct record *r);
void import_build_release(struct import_build *b);

/*
 * The index of the metric NAME, made if it is new (EVENT: NULL for NAME without its modifiers).
 * -ENOMEM, or -E2BIG if there are too many, with a message.
 */
long import_build_metric(struct import_build *b, const char *name, const char *event,
			 const char *unit, enum direction direction);

/* The index of a new variant; if the name is taken, "#2" and so on is added. Negative as above. */
long import_build_variant(struct import_build *b, const char *name, const char *command);

int import_build_cell(struct import_build *b, const struct import_cell *cell);

/* Says that a row's run failed. */
int import_build_failure(struct import_build *b, uint32_t variant, uint32_t row,
			 enum run_outcome outcome, int status);

/* Fills the record. 0 or -errno with a message: -ENODATA if there is no cell. */
int import_build_finish(struct import_build *b);

#endif
