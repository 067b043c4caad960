/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that say how often commands run, in which order, and when to stop. */
#include "options.h"

#include <math.h>

#include "quantity.h"

enum { KEY_WARMUP = 0x200, KEY_MIN_RUNS, KEY_MAX_RUNS, KEY_MAX_TIME, KEY_PRECISION, KEY_SEED };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "How many runs:", 2},
	{"repeat", 'r', "N", 0, "Exactly N runs of each command", 0},
	{"runs", 'r', NULL, OPTION_ALIAS, NULL, 0},
	{"min-runs", KEY_MIN_RUNS, "N", 0, "At least N runs of each", 0},
	{"max-runs", KEY_MAX_RUNS, "N", 0, "At most N runs of each", 0},
	{"max-time", KEY_MAX_TIME, "TIME", 0, "Start no further block after TIME, as 30s or 5min", 0},
	{"precision", KEY_PRECISION, "P%", 0,
	 "Stop when the interval of the primary metric is ± P% or narrower", 0},
	{"warmup", KEY_WARMUP, "N", 0, "Blocks that are run first and not counted (default 1)", 0},
	{"seed", KEY_SEED, "N", 0, "Draw the orders from N (default: at random, and recorded)", 0},
	{0},
};

static uint64_t count(struct argp_state *state, const char *option, const char *arg, uint64_t min,
		      uint64_t max)
{
	char err[200];
	uint64_t value = 0;

	if (quantity_count(arg, min, max, &value, err, sizeof(err)))
		argp_error(state, "%s: %s", option, err);
	return value;
}

static void check(const struct plan_options *o, struct argp_state *state)
{
	if (o->runs && (o->min_runs || o->max_runs))
		argp_error(state, "-r N is exactly N runs: leave out --min-runs and --max-runs");
	if (o->runs && !isnan(o->precision))
		argp_error(state, "-r N is exactly N runs: leave out --precision");
	if (o->min_runs && o->max_runs && o->min_runs > o->max_runs)
		argp_error(state, "--min-runs %u is more than --max-runs %u", o->min_runs,
			   o->max_runs);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct plan_options *o = state->input;
	char err[200];

	switch (key) {
	case 'r':
		o->runs = (uint32_t)count(state, "-r", arg, 1, 100000000);
		break;
	case KEY_MIN_RUNS:
		o->min_runs = (uint32_t)count(state, "--min-runs", arg, 1, 100000000);
		break;
	case KEY_MAX_RUNS:
		o->max_runs = (uint32_t)count(state, "--max-runs", arg, 1, 100000000);
		break;
	case KEY_WARMUP:
		o->warmup = (uint32_t)count(state, "--warmup", arg, 0, 1000000);
		break;
	case KEY_SEED:
		o->seed = count(state, "--seed", arg, 0, UINT64_MAX);
		o->seed_given = true;
		break;
	case KEY_MAX_TIME:
		if (quantity_duration(arg, &o->max_time_ns, err, sizeof(err)))
			argp_error(state, "--max-time: %s", err);
		if (!o->max_time_ns)
			argp_error(state, "--max-time: must be more than 0");
		break;
	case KEY_PRECISION:
		if (quantity_percent(arg, &o->precision, err, sizeof(err)))
			argp_error(state, "--precision: %s", err);
		if (o->precision <= 0)
			argp_error(state, "--precision: must be more than 0");
		break;
	case ARGP_KEY_END:
		check(o, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp plan_argp = {.options = options, .parser = parse};

void plan_options_init(struct plan_options *o)
{
	*o = (struct plan_options){.warmup = 1, .precision = NAN};
}
