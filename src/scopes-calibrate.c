/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What probing adds to each scope, measured before the first run, so that it can be subtracted. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "format.h"
#include "interrupt.h"
#include "record.h"
#include "scope-calibrate.h"
#include "scopes.h"

/* "7.70 µs ±0.35%" */
static void put_cost(const char *unit, double value, double se, char *text, size_t size)
{
	char number[FORMAT_SIZE], spread[FORMAT_SIZE];

	format_value(number, sizeof(number), unit, value, se);
	if (value != 0 && se > 0)
		snprintf(text, size, "%s ±%s", number,
			 format_spread(spread, sizeof(spread), 100 * se / fabs(value)));
	else
		snprintf(text, size, "%s", number);
}

/* For the first variant: others differ by little, if at all. */
static int note_constants(const struct scopes *s, const struct scope_config *config,
			  struct record *record)
{
	size_t costs = scope_costs(config);
	int r = 0;

	for (size_t i = 0; i < s->n && !r; i++) {
		const struct scope_constant *k = config->constants + i * costs,
					    *time = &k[costs - 1];
		const struct event *first = costs > 1 ? config->events[0] : NULL;
		char inside[2 * FORMAT_SIZE], around[2 * FORMAT_SIZE];
		char more[2 * FORMAT_SIZE] = "", beyond[2 * FORMAT_SIZE] = "";
		bool counted = first && !first->software;

		/* Programs calibrate their markers themselves. */
		if (scope_is_region(&s->targets[i]))
			continue;
		if (!time->known) {
			r = record_note(
			    record,
			    "what probing a call of %s adds to it, and to what is around it, "
			    "is not calibrated, and is in the numbers",
			    s->specs[i].name);
			continue;
		}
		put_cost("ns", time->inside, time->inside_se, inside, sizeof(inside));
		put_cost("ns", time->around, time->around_se, around, sizeof(around));
		if (counted) {
			put_cost("", k->inside, k->inside_se, more, sizeof(more));
			put_cost("", k->around, k->around_se, beyond, sizeof(beyond));
		}
		r = record_note(
		    record,
		    "probing a call of %s adds %s%s%s%s%s to the call, and %s%s%s%s%s to what is "
		    "around it, as calibrated here; both are taken off",
		    s->specs[i].name, inside, counted ? " and " : "", more, counted ? " " : "",
		    counted ? first->name : "", around, counted ? " and " : "", beyond,
		    counted ? " " : "", counted ? first->name : "");
	}
	return r;
}

static bool is_interrupted(void)
{
	return interrupt_signal();
}

/* PROBED: how many of a variant's scopes are, in one set. */
static int calibrate_group(struct scopes *s, size_t group, size_t probed, struct record *record)
{
	struct scope_config *configs = &s->configs[group * s->n_variants];
	size_t costs = scope_costs(configs), all = s->n_variants * s->n;
	struct scope_calibration calibration = {.interrupted = is_interrupted};
	char why[400];
	int r = scope_calibrate(&calibration, configs->events, configs->n_events, s->targets, all,
				probed, why, sizeof(why));

	if (r && is_interrupted())
		return -EINTR;
	if (r == -ENOMEM)
		return r;
	if (r)
		return record_note(record,
				   "what probing adds could not be measured, and is in the scopes' "
				   "numbers: %s",
				   why);
	struct scope_constant *constants = calloc(all * costs, sizeof(*constants));

	s->constants[group] = constants;
	for (size_t i = 0; constants && i < all; i++)
		(void)scope_calibration_of(&calibration, &s->targets[i], constants + i * costs);
	for (size_t v = 0; constants && v < s->n_variants; v++)
		configs[v].constants = constants + v * s->n * costs;
	scope_calibration_release(&calibration);
	return !constants ? -ENOMEM : group ? 0 : note_constants(s, configs, record);
}

int scopes_calibrate(struct scopes *s, struct record *record)
{
	size_t probed = 0;
	int r = 0;

	for (size_t i = 0; i < s->n; i++)
		probed += !scope_is_region(&s->targets[i]);
	if (!probed)
		return 0;
	s->constants = calloc(s->n_groups, sizeof(*s->constants));
	if (!s->constants)
		return -ENOMEM;
	/* Definitions are removed before abstat ends. */
	interrupt_catch();
	for (size_t i = 0; i < s->n_groups && !r; i++)
		r = is_interrupted() ? -EINTR : calibrate_group(s, i, probed, record);
	if (r != -EINTR)
		interrupt_restore();
	return r || !is_interrupted() ? r : -EINTR;
}
