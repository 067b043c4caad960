/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --metric after the fact. */
#include "record-expr.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr.h"

static int no_memory(char *err, size_t err_size)
{
	snprintf(err, err_size, "out of memory");
	return -ENOMEM;
}

static bool is_known(void *context, const char *name, size_t len)
{
	const struct metric_list *list = context;

	for (size_t i = 0; i < list->n; i++)
		if ((strlen(list->v[i].name) == len && !memcmp(list->v[i].name, name, len)) ||
		    (strlen(list->v[i].event) == len && !memcmp(list->v[i].event, name, len)))
			return true;
	return false;
}

/* Room for one metric more in every run. */
static int widen_readings(struct record *r)
{
	size_t old = r->metrics.n - 1, wide = r->metrics.n;
	struct reading *readings;

	if (!r->n_runs)
		return 0;
	readings = calloc(r->n_runs, wide * sizeof(*readings));
	if (!readings)
		return -ENOMEM;
	for (size_t i = 0; i < r->n_runs; i++)
		memcpy(&readings[i * wide], &r->readings[i * old], old * sizeof(*readings));
	free(r->readings);
	r->readings = readings;
	r->capacity = r->n_runs;
	return 0;
}

static int widen_summaries(struct record *r)
{
	size_t old = r->metrics.n - 1, wide = r->metrics.n;
	struct record_summary *summaries = calloc(r->n_variants + 1, wide * sizeof(*summaries));

	if (!summaries)
		return -ENOMEM;
	for (size_t i = 0; i < r->n_variants; i++) {
		memcpy(&summaries[i * wide], &r->summaries[i * old], old * sizeof(*summaries));
		summaries[i * wide + old] = (struct record_summary){
		    .mean = NAN, .sd = NAN, .running = 1, .reason = NULL_OPERAND};
	}
	free(r->summaries);
	r->summaries = summaries;
	return 0;
}

/* Why an expression of READINGS has no value. */
static enum null_reason reason_of(const struct metric *m, const struct reading *readings,
				  bool divided)
{
	if (divided)
		return NULL_DIVISION;
	for (size_t k = 0; k < expr_n_names(m->expr); k++)
		if (readings[m->operands[k]].reason == NULL_PROBED ||
		    readings[m->operands[k]].reason == NULL_BARE)
			return (enum null_reason)readings[m->operands[k]].reason;
	for (size_t k = 0; k < expr_n_names(m->expr); k++)
		if (readings[m->operands[k]].reason == NULL_OTHER_GROUP)
			return NULL_OTHER_GROUP;
	return NULL_OPERAND;
}

static int compute(struct record *r)
{
	const struct metric *m = &r->metrics.v[r->metrics.n - 1];
	double *values = calloc(r->metrics.n, sizeof(*values));

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < r->n_runs; i++) {
		struct reading *readings = &r->readings[i * r->metrics.n];
		struct reading *result = &readings[r->metrics.n - 1];
		bool divided = false;

		for (size_t k = 0; k + 1 < r->metrics.n; k++)
			values[k] = readings[k].value;
		*result = (struct reading){.value = metric_eval(m, values, &divided)};
		if (isnan(result->value))
			result->reason = reason_of(m, readings, divided);
	}
	free(values);
	return 0;
}

/* Appends the metric, with a value for every run. Takes UNIT over. */
static int add(struct record *r, const char *name, char *unit, enum direction direction,
	       const char *text, char *err, size_t err_size)
{
	struct expr *e;
	const char *missing = NULL;
	struct metric *m;
	int rc;

	if (metric_find(&r->metrics, name) >= 0) {
		free(unit);
		snprintf(err, err_size, "there is a metric '%s' already", name);
		return -EINVAL;
	}
	e = expr_parse(text, is_known, &r->metrics, err, err_size);
	if (!e) {
		free(unit);
		return -EINVAL;
	}
	rc = metric_append_expr(&r->metrics, name, e, NULL, &missing);
	if (rc) {
		free(unit);
		if (rc == -EXDEV)
			snprintf(err, err_size,
				 "'%s' mixes what is of scopes with what is of the whole run ('%s'): "
				 "no run has both; '%s/EVENT' is the whole of the probed runs",
				 name, missing, SCOPE_WHOLE);
		else
			snprintf(err, err_size, "'%s' needs '%s'", name,
				 missing ? missing : "memory");
		return rc == -ENOMEM ? rc : -EINVAL;
	}
	m = &r->metrics.v[r->metrics.n - 1];
	if (*unit) {
		free(m->unit);
		m->unit = unit;
	} else {
		free(unit);
	}
	m->formula = strdup(text);
	if (direction != DIRECTION_NEUTRAL)
		m->direction = direction;
	if (r->summaries)
		m->reason = strdup("computed from single runs, and there are only means");
	if (!m->formula || (r->summaries && !m->reason))
		return no_memory(err, err_size);
	rc = r->summaries ? widen_summaries(r) : widen_readings(r);
	if (!rc && !r->summaries)
		rc = compute(r);
	return rc ? no_memory(err, err_size) : 0;
}

int record_add_expr(struct record *r, const char *definition, char *err, size_t err_size)
{
	char *name, *unit;
	const char *text;
	int direction, rc;

	if (r->metrics.n >= RECORD_MAX_METRICS) {
		snprintf(err, err_size, "there are %zu metrics already", r->metrics.n);
		return -EINVAL;
	}
	rc = expr_split_definition(definition, &name, &unit, &direction, &text, err, err_size);
	if (rc)
		return rc;
	rc = add(r, name, unit, (enum direction)direction, text, err, err_size);
	free(name);
	return rc;
}
