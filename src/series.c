/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series of values, taken out of a record. */
#include "series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

bool *series_failed_blocks(const struct record *record, size_t *n)
{
	uint32_t last = 0;
	bool any = false;

	for (size_t i = 0; i < record->n_runs; i++) {
		if (record->runs[i].block > last)
			last = record->runs[i].block;
		any |= record->runs[i].outcome != RUN_OK;
	}
	*n = (size_t)last + 1;
	bool *failed = calloc(*n, sizeof(*failed));

	for (size_t i = 0; failed && any && i < record->n_runs; i++)
		if (!record->runs[i].warmup && record->runs[i].outcome != RUN_OK)
			failed[record->runs[i].block] = true;
	return failed;
}

static bool counts(const struct record *record, size_t run, size_t variant, size_t metric,
		   const bool *failed, size_t n_failed)
{
	const struct record_run *r = &record->runs[run];

	return !r->warmup && r->variant == variant && record_counts(record, run, metric) &&
	       !(r->block < n_failed && failed[r->block]);
}

int series_take(struct series *s, const struct record *record, size_t variant, size_t metric,
		const bool *failed, size_t n_failed)
{
	size_t n = record->n_runs; /* at most: memory that is not written to costs nothing */

	*s = (struct series){0};
	s->values = calloc(n + 1, sizeof(*s->values));
	s->blocks = calloc(n + 1, sizeof(*s->blocks));
	s->runs = calloc(n + 1, sizeof(*s->runs));
	if (!s->values || !s->blocks || !s->runs) {
		series_release(s);
		return -ENOMEM;
	}
	for (size_t i = 0; i < record->n_runs; i++) {
		double value;

		if (!counts(record, i, variant, metric, failed, n_failed))
			continue;
		value = record_reading(record, i, metric)->value;
		if (isnan(value))
			continue;
		s->values[s->n] = value;
		s->blocks[s->n] = record->runs[i].block;
		s->runs[s->n] = i;
		s->n++;
	}
	return 0;
}

static void keep(struct series *s, size_t from, size_t to)
{
	s->values[to] = s->values[from];
	s->blocks[to] = s->blocks[from];
	s->runs[to] = s->runs[from];
}

bool series_next_common(const uint32_t *a, size_t n_a, size_t *i, const uint32_t *b, size_t n_b,
			size_t *k)
{
	while (*i < n_a && *k < n_b && a[*i] != b[*k]) {
		if (a[*i] < b[*k])
			++*i;
		else
			++*k;
	}
	return *i < n_a && *k < n_b;
}

void series_pair(struct series *a, struct series *b)
{
	size_t n = 0;

	/* Blocks run one after the other, so both series ascend. */
	for (size_t i = 0, k = 0; series_next_common(a->blocks, a->n, &i, b->blocks, b->n, &k);
	     n++) {
		keep(a, i++, n);
		keep(b, k++, n);
	}
	a->n = b->n = n;
}

void series_release(struct series *s)
{
	free(s->values);
	free(s->blocks);
	free(s->runs);
	*s = (struct series){0};
}
