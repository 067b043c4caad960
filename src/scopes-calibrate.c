/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What probing adds to each scope, measured before the first run, so that it can be subtracted. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "record.h"
#include "scope-calibrate.h"
#include "scopes.h"

/* Time in a unit that suits it. */
static void put_time(double ns, double se, char *text, size_t size)
{
	if (fabs(ns) < 1000)
		snprintf(text, size, "%.0f \302\261 %.0f ns", ns, se);
	else
		snprintf(text, size, "%.1f \302\261 %.1f \302\265s", ns / 1000, se / 1000);
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
		char inside[64], around[64], event[160] = "";

		put_time(time->inside, time->inside_se, inside, sizeof(inside));
		put_time(time->around, time->around_se, around, sizeof(around));
		if (first && !first->software)
			snprintf(event, sizeof(event), ", and %.4g and %.4g of %s", k->inside,
				 k->around, first->name);
		r = record_note(
		    record,
		    "probing a call of %s adds %s to what is read of it, and %s to what is "
		    "around it%s; this is subtracted",
		    s->specs[i].name, inside, around, event);
	}
	return r;
}

static int calibrate_group(struct scopes *s, size_t group, struct record *record)
{
	struct scope_config *configs = &s->configs[group * s->n_variants];
	size_t costs = scope_costs(configs), all = s->n_variants * s->n;
	struct scope_calibration calibration;
	char why[400];
	int r = scope_calibrate(&calibration, configs->events, configs->n_events, s->targets, all,
				s->n, why, sizeof(why));

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
	int r = 0;

	if (!s->n)
		return 0;
	s->constants = calloc(s->n_groups, sizeof(*s->constants));
	if (!s->constants)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_groups && !r; i++)
		r = calibrate_group(s, i, record);
	return r;
}
