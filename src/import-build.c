/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From cells to a record. */
#include "import-build.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Readings that a file may make: sparse tables must not fill the memory. */
enum { MAX_READINGS = 32 << 20 };

void import_build_init(struct import_build *b, const struct import *in, struct record *r)
{
	*b = (struct import_build){
	    .in = in, .r = r, .metrics = json_object(), .variants = json_object()};
}

void import_build_release(struct import_build *b)
{
	free(b->cells);
	free(b->failures);
	json_decref(b->metrics);
	json_decref(b->variants);
}

/* "cycles:u" was asked for as "cycles". Only a suffix of modifiers is one. */
static char *without_modifiers(const char *name)
{
	const char *colon = strrchr(name, ':');

	if (colon && colon[1] && colon != name &&
	    strspn(colon + 1, "ukhHGpPDSWe") == strlen(colon + 1) && strlen(colon + 1) <= 6)
		return strndup(name, (size_t)(colon - name));
	return strdup(name);
}

long import_build_metric(struct import_build *b, const char *name, const char *event,
			 const char *unit, enum direction direction)
{
	struct metric_list *list = &b->r->metrics;
	json_t *known = json_object_get(b->metrics, name);
	struct metric *m;

	if (known)
		return (long)json_integer_value(known);
	if (list->n >= RECORD_MAX_METRICS)
		return import_error(b->in, -E2BIG, "more than %d metrics", RECORD_MAX_METRICS);
	m = metric_append(list);
	if (!m)
		return import_error(b->in, -ENOMEM, "out of memory");
	m->name = strdup(name);
	m->event = event ? strdup(event) : without_modifiers(name);
	m->unit = strdup(unit);
	m->direction = direction;
	m->source = METRIC_IMPORT;
	m->group = m->slot = -1;
	m->scale = 1;
	m->shown = true;
	if (!m->name || !m->event || !m->unit ||
	    json_object_set_new_nocheck(b->metrics, name, json_integer((json_int_t)list->n - 1)))
		return import_error(b->in, -ENOMEM, "out of memory");
	return (long)list->n - 1;
}

/* NAME, or NAME#2 and so on, whichever is free. NULL if out of memory. */
static char *unique_name(struct import_build *b, const char *name)
{
	json_int_t seen = json_integer_value(json_object_get(b->variants, name));
	char *unique = strdup(name);

	while (unique && json_object_get(b->variants, unique)) {
		free(unique);
		if (asprintf(&unique, "%s#%lld", name, (long long)++seen) < 0)
			unique = NULL;
	}
	if (unique &&
	    (json_object_set_new_nocheck(b->variants, name, json_integer(seen ? seen : 1)) ||
	     json_object_set_new_nocheck(b->variants, unique, json_integer(1)))) {
		free(unique);
		unique = NULL;
	}
	return unique;
}

long import_build_variant(struct import_build *b, const char *name, const char *command)
{
	struct record *r = b->r;
	char *unique = unique_name(b, name);

	if (!unique || !record_add_variant(r, unique, command)) {
		free(unique);
		if (r->n_variants >= RECORD_MAX_VARIANTS)
			return import_error(b->in, -E2BIG, "more than %d commands",
					    RECORD_MAX_VARIANTS);
		return import_error(b->in, -ENOMEM, "out of memory");
	}
	free(unique);
	return (long)r->n_variants - 1;
}

int import_build_cell(struct import_build *b, const struct import_cell *cell)
{
	if (b->n_cells == b->capacity) {
		size_t capacity = b->capacity + b->capacity / 2 + 64;
		struct import_cell *cells = reallocarray(b->cells, capacity, sizeof(*cells));

		if (!cells)
			return import_error(b->in, -ENOMEM, "out of memory");
		b->cells = cells;
		b->capacity = capacity;
	}
	b->cells[b->n_cells++] = *cell;
	return 0;
}

int import_build_failure(struct import_build *b, uint32_t variant, uint32_t row,
			 enum run_outcome outcome, int status)
{
	struct import_failure *failures =
	    reallocarray(b->failures, b->n_failures + 1, sizeof(*failures));

	if (!failures)
		return import_error(b->in, -ENOMEM, "out of memory");
	failures[b->n_failures++] = (struct import_failure){variant, row, outcome, status};
	b->failures = failures;
	return 0;
}

/* Adds a cell to what is known already: single measurements are gathered (Welford), means stand
 * alone. */
static void summarise(struct record_summary *s, const struct import_cell *c)
{
	double delta = c->value - s->mean;

	if (c->n != 1 || !s->n || isnan(c->value)) {
		if (s->n && isnan(c->value))
			return;
		*s = (struct record_summary){.n = isnan(c->value) ? 0 : c->n,
					     .mean = c->value,
					     .sd = c->sd,
					     .running = c->running,
					     .reason = (uint8_t)c->reason};
		return;
	}
	double squares = s->n > 1 ? s->sd * s->sd * (double)(s->n - 1) : 0;

	s->n++;
	s->mean += delta / (double)s->n;
	s->sd = sqrt((squares + delta * (c->value - s->mean)) / (double)(s->n - 1));
}

static int fill_summaries(struct import_build *b)
{
	struct record *r = b->r;
	size_t n = r->n_variants * r->metrics.n;

	if (n > MAX_READINGS)
		return import_error(b->in, -E2BIG, "too many metrics for %zu commands",
				    r->n_variants);
	r->summaries = calloc(n, sizeof(*r->summaries));
	if (!r->summaries)
		return import_error(b->in, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		r->summaries[i] = (struct record_summary){
		    .mean = NAN, .sd = NAN, .running = 1, .reason = NULL_UNKNOWN};
	for (size_t i = 0; i < b->n_cells; i++) {
		const struct import_cell *c = &b->cells[i];

		summarise(&r->summaries[c->variant * r->metrics.n + c->metric], c);
	}
	return 0;
}

/* A share as times: only their ratio is known. */
static void set_running(struct reading *v, double share)
{
	if (share >= 1 || share < 0)
		return;
	v->enabled = 1000000;
	v->running = (uint64_t)(share * 1e6) & ((UINT64_C(1) << 56) - 1);
}

static int fill_runs(struct import_build *b)
{
	struct record *r = b->r;
	size_t *rows = calloc(r->n_variants + 1, sizeof(*rows)), total = 0;
	int rc = 0;

	if (!rows)
		return import_error(b->in, -ENOMEM, "out of memory");
	for (size_t i = 0; i < b->n_cells; i++)
		if (b->cells[i].row >= rows[b->cells[i].variant])
			rows[b->cells[i].variant] = (size_t)b->cells[i].row + 1;
	for (size_t i = 0, n; i <= r->n_variants; i++) {
		n = rows[i];
		rows[i] = total; /* now where the variant's rows begin */
		total += n;
	}
	if (total > MAX_READINGS / r->metrics.n) {
		free(rows);
		return import_error(b->in, -E2BIG, "%zu runs of %zu metrics are too many", total,
				    r->metrics.n);
	}
	r->runs = calloc(total, sizeof(*r->runs));
	r->readings = calloc(total * r->metrics.n, sizeof(*r->readings));
	if (!r->runs || !r->readings)
		rc = import_error(b->in, -ENOMEM, "out of memory");
	for (size_t v = 0; !rc && v < r->n_variants; v++)
		for (size_t i = rows[v]; i < rows[v + 1]; i++)
			r->runs[i] = (struct record_run){.block = (uint32_t)(i - rows[v]),
							 .variant = (uint16_t)v,
							 .group = -1,
							 .cpu = -1,
							 .frequency = -1,
							 .migrations = -1,
							 .switches = -1};
	for (size_t i = 0; !rc && i < total * r->metrics.n; i++)
		r->readings[i] = (struct reading){.value = NAN, .reason = NULL_UNKNOWN};
	for (size_t i = 0; !rc && i < b->n_cells; i++) {
		const struct import_cell *c = &b->cells[i];
		struct reading *v =
		    &r->readings[(rows[c->variant] + c->row) * r->metrics.n + c->metric];

		*v = (struct reading){.value = c->value, .reason = c->reason};
		set_running(v, c->running);
	}
	for (size_t i = 0; !rc && i < b->n_failures; i++) {
		const struct import_failure *f = &b->failures[i];
		struct record_run *run = &r->runs[rows[f->variant] + f->row];

		if (rows[f->variant] + f->row >= rows[f->variant + 1])
			continue;
		run->outcome = (uint8_t)f->outcome;
		run->status = f->status;
	}
	if (!rc) {
		r->n_runs = r->capacity = total;
		r->plan.blocks = (uint32_t)(total / r->n_variants);
		r->plan.stopped = STOPPED_BLOCKS;
	}
	free(rows);
	return rc;
}

int import_build_finish(struct import_build *b)
{
	bool summaries = false;

	if (!b->n_cells)
		return import_error(b->in, -ENODATA, "there are no measurements in it");
	for (size_t i = 0; i < b->n_cells && !summaries; i++)
		summaries = b->cells[i].n != 1;
	b->r->complete = true;
	return summaries ? fill_summaries(b) : fill_runs(b);
}
