/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directions, margins, and the choice of the primary metric. */
#include "counting-primary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "counting.h"

struct choice {
	const struct counting *c;
	const struct event_options *options;
	const struct judge_options *judge;
	struct record *record;
	char *err;
	size_t err_size;
};

const char *counting_primary_name(const struct judge_options *judge)
{
	return judge->primary ? judge->primary : judge->gate_metric;
}

static int set_directions(struct choice *h, const struct string_list *names,
			  enum direction direction)
{
	for (size_t i = 0; i < names->n; i++) {
		long k = metric_find(&h->record->metrics, names->v[i]);

		if (k < 0) {
			snprintf(h->err, h->err_size, "--%s-is-better: no metric '%s' is measured",
				 direction == DIRECTION_HIGHER ? "higher" : "lower", names->v[i]);
			return STATUS_USAGE;
		}
		h->record->metrics.v[k].direction = direction;
	}
	return 0;
}

/* As soon as one metric has a margin of its own, each has: then a record tells them apart. */
static int set_margins(struct choice *h)
{
	const struct judge_options *o = h->judge;
	struct metric_list *list = &h->record->metrics;

	for (size_t i = 0; i < list->n && o->n_margins; i++)
		list->v[i].margin = isnan(o->margin) ? MARGIN_DEFAULT : o->margin;
	for (size_t i = 0; i < o->n_margins; i++) {
		long k = metric_find(list, o->margins[i].metric);

		if (k < 0) {
			snprintf(h->err, h->err_size, "--margin: no metric '%s' is measured",
				 o->margins[i].metric);
			return STATUS_USAGE;
		}
		list->v[k].margin = o->margins[i].margin;
	}
	return 0;
}

/* Why a built-in ratio, which is not there, cannot be computed here; NULL if it is another name. */
static const char *derived_reason(const struct choice *h, const char *name)
{
	const struct metric_list *list = &h->record->metrics;
	const struct derived_info *d = derived_find(name);
	long numerator = d ? metric_find(list, d->numerator) : -1;
	long denominator = d ? metric_find(list, d->denominator) : -1;

	if (numerator >= 0 && list->v[numerator].reason)
		return list->v[numerator].reason;
	return denominator >= 0 ? list->v[denominator].reason : NULL;
}

static int cannot_count(const struct choice *h, const char *name, const char *reason)
{
	snprintf(
	    h->err, h->err_size,
	    "the primary metric '%s' cannot be counted here: %s. Choose another by --primary, as "
	    "--primary=duration_time",
	    name, reason);
	return STATUS_CANNOT_MEASURE;
}

static int choose_primary(struct choice *h)
{
	const struct metric_list *list = &h->record->metrics;
	const char *name = counting_primary_name(h->judge);
	const char *gate = h->judge->gate_metric;

	if (!name)
		name = h->options->events.n ? h->c->events.events[0].asked : "duration_time";
	long i = metric_find(list, name);

	if (i < 0 && derived_reason(h, name))
		return cannot_count(h, name, derived_reason(h, name));
	if (i < 0) {
		snprintf(h->err, h->err_size,
			 "%s: no metric '%s' is measured; 'abstat list' shows what can be",
			 h->judge->primary ? "--primary" : "--gate", name);
		return STATUS_USAGE;
	}
	if (gate && metric_find(list, gate) != i) {
		snprintf(h->err, h->err_size,
			 "--gate asks about '%s', but --primary is '%s': the primary metric "
			 "decides, so they "
			 "must be the same",
			 gate, name);
		return STATUS_USAGE;
	}
	if (list->v[i].reason)
		return cannot_count(h, name, list->v[i].reason);
	h->record->primary = i;
	return 0;
}

int counting_judge(const struct counting *c, const struct event_options *options,
		   const struct judge_options *judge, struct record *record, char *err,
		   size_t err_size)
{
	struct choice h = {c, options, judge, record, err, err_size};
	int r = set_directions(&h, &judge->higher, DIRECTION_HIGHER);

	if (!r)
		r = set_directions(&h, &judge->lower, DIRECTION_LOWER);
	if (!r)
		r = set_margins(&h);
	return r ? r : choose_primary(&h);
}
