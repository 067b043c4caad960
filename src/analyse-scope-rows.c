/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The costs of all parts of a run, side by side. */
#include "analyse-scope-rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "series.h"

/* The values of RUN at ROW; false if a part has none. */
static bool fill_row(struct scope_rows *rows, size_t row, const struct record *record, size_t run,
		     const long *metrics)
{
	for (size_t p = 0; p < rows->n_parts; p++) {
		double value = record_reading(record, run, (size_t)metrics[p])->value;

		if (isnan(value) || !record_counts(record, run, (size_t)metrics[p]))
			return false;
		rows->values[p * rows->capacity + row] = value;
	}
	return true;
}

static void fill(struct scope_rows *rows, const struct analyse_source *source, const long *metrics,
		 const bool *failed)
{
	const struct record *record = source->record;

	for (size_t i = 0; i < record->n_runs; i++) {
		const struct record_run *run = &record->runs[i];

		if (run->warmup || run->variant != source->variant || failed[run->block] ||
		    !fill_row(rows, rows->n, record, i, metrics))
			continue;
		rows->blocks[rows->n++] = run->block;
	}
}

int scope_rows_take(struct scope_rows *rows, const struct analyse_source *source,
		    const char *const *names, size_t n_parts)
{
	const struct record *record = source->record;
	long *metrics = calloc(n_parts + 1, sizeof(*metrics));
	size_t n_failed, found = 0;
	bool *failed = series_failed_blocks(record, &n_failed);

	*rows = (struct scope_rows){
	    .capacity = record->n_runs + 1,
	    .n_parts = n_parts,
	    .values = calloc(record->n_runs + 1, (n_parts + 1) * sizeof(*rows->values)),
	    .blocks = calloc(record->n_runs + 1, sizeof(*rows->blocks)),
	};
	int r = metrics && failed && rows->values && rows->blocks ? 0 : -ENOMEM;

	for (size_t p = 0; p < n_parts && !r; p++) {
		metrics[p] = metric_find_counted(&record->metrics, names[p]);
		found += metrics[p] >= 0;
	}
	if (!r && found == n_parts)
		fill(rows, source, metrics, failed);
	free(metrics);
	free(failed);
	if (r)
		scope_rows_release(rows);
	return r;
}

static void keep(struct scope_rows *rows, size_t from, size_t to)
{
	for (size_t p = 0; p < rows->n_parts; p++)
		rows->values[p * rows->capacity + to] = rows->values[p * rows->capacity + from];
	rows->blocks[to] = rows->blocks[from];
}

void scope_rows_pair(struct scope_rows *a, struct scope_rows *b)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; series_next_common(a->blocks, a->n, &i, b->blocks, b->n, &k);
	     n++) {
		keep(a, i++, n);
		keep(b, k++, n);
	}
	a->n = b->n = n;
}

void scope_rows_release(struct scope_rows *rows)
{
	free(rows->values);
	free(rows->blocks);
	*rows = (struct scope_rows){0};
}
