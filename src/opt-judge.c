/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that say how the runs are judged. */
#include "options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "quantity.h"

enum {
	KEY_ALPHA = 0x300,
	KEY_MARGIN,
	KEY_GATE,
	KEY_UNCLEAR_STATUS,
	KEY_PRIMARY,
	KEY_BASELINE,
	KEY_PAIRS,
	KEY_FDR,
	KEY_HIGHER,
	KEY_LOWER,
};

static const struct argp_option primary_options[] = {
	{NULL, 0, NULL, 0, "Which metric decides:", 4},
	{"primary", KEY_PRIMARY, "METRIC", 0,
	 "The metric that decides and stops (default: the first of -e, else duration_time)", 0},
	{"higher-is-better", KEY_HIGHER, "METRIC", 0, "More of METRIC is better", 0},
	{"lower-is-better", KEY_LOWER, "METRIC", 0, "Less of METRIC is better", 0},
	{0},
};

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "How the runs are judged:", 5},
	{"margin", KEY_MARGIN, "[METRIC=]M%", 0,
	 "Differences within ± M% are the same (default 1%); for all metrics, or for one", 0},
	{"alpha", KEY_ALPHA, "A", 0, "How often equal commands may be called different (default 0.05)",
	 0},
	{"gate", KEY_GATE, "[METRIC=]M%", OPTION_ARG_OPTIONAL,
	 "Ask whether it is worse by more than M% (default: the margin): exit 0 no, 1 yes, 125 unclear",
	 0},
	{"unclear-status", KEY_UNCLEAR_STATUS, "N", 0, "With --gate, exit with N instead of 125", 0},
	{"baseline", KEY_BASELINE, "NAME", 0, "Compare with this variant rather than with the first", 0},
	{"pairs", KEY_PAIRS, "A:B,...|all", 0, "Compare these pairs of variants", 0},
	{"fdr", KEY_FDR, NULL, 0,
	 "Correct the secondary metrics for the false discovery rate rather than by Holm", 0},
	{0},
};

/* "METRIC=M%" or "M%": the metric's name ends at the last '='. NULL if there is none. */
static const char *split_metric(char *arg, char **value)
{
	char *equals = strrchr(arg, '=');

	*value = equals ? equals + 1 : arg;
	if (!equals)
		return NULL;
	return strndup(arg, (size_t)(equals - arg));
}

static double percent(struct argp_state *state, const char *option, const char *text)
{
	char err[200];
	double fraction = 0;

	if (quantity_percent(text, &fraction, err, sizeof(err)))
		argp_error(state, "%s: %s", option, err);
	return fraction;
}

static int set_margin(struct judge_options *o, struct argp_state *state, char *arg)
{
	char *value;
	const char *metric = split_metric(arg, &value);
	double margin = percent(state, "--margin", value);

	if (margin <= 0 || margin >= 1)
		argp_error(state, "--margin: '%s' must be more than 0%% and less than 100%%", value);
	if (!metric) {
		o->margin = margin;
		return 0;
	}
	struct metric_margin *grown = reallocarray(o->margins, o->n_margins + 1, sizeof(*grown));

	if (!grown)
		return ENOMEM;
	o->margins = grown;
	o->margins[o->n_margins++] = (struct metric_margin){metric, margin};
	return 0;
}

static void set_gate(struct judge_options *o, struct argp_state *state, char *arg)
{
	char *value;

	o->gate = true;
	if (!arg)
		return;
	free((char *)o->gate_metric);
	o->gate_metric = split_metric(arg, &value);
	o->gate_margin = percent(state, "--gate", value);
	if (o->gate_margin >= 10)
		argp_error(state, "--gate: '%s' is not a useful limit (1000%% or more)", value);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct judge_options *o = state->input;
	char err[200];
	uint64_t n = 0;

	switch (key) {
	case KEY_PRIMARY:
		o->primary = arg;
		break;
	case KEY_MARGIN:
		return set_margin(o, state, arg);
	case KEY_ALPHA:
		if (quantity_number(arg, &o->alpha, err, sizeof(err)))
			argp_error(state, "--alpha: %s", err);
		if (o->alpha < 1e-6 || o->alpha >= 0.5)
			argp_error(state, "--alpha: %s is not at least 0.000001 and less than 0.5", arg);
		break;
	case KEY_GATE:
		set_gate(o, state, arg);
		break;
	case KEY_UNCLEAR_STATUS:
		if (quantity_count(arg, 0, 255, &n, err, sizeof(err)))
			argp_error(state, "--unclear-status: %s", err);
		o->unclear_status = (int)n;
		break;
	case KEY_BASELINE:
		o->baseline = arg;
		break;
	case KEY_PAIRS:
		o->pairs = arg;
		break;
	case KEY_FDR:
		o->fdr = true;
		break;
	case KEY_HIGHER:
		return -string_list_append(&o->higher, arg);
	case KEY_LOWER:
		return -string_list_append(&o->lower, arg);
	case ARGP_KEY_END:
		if (o->baseline && o->pairs)
			argp_error(state, "--pairs says what is compared with what: leave out --baseline");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp primary_argp = {.options = primary_options, .parser = parse};
const struct argp judge_argp = {.options = options, .parser = parse};

void judge_options_init(struct judge_options *o)
{
	*o = (struct judge_options){
		.alpha = NAN,
		.margin = NAN,
		.gate_margin = NAN,
		.unclear_status = STATUS_NO_VERDICT,
	};
}

void judge_options_release(struct judge_options *o)
{
	for (size_t i = 0; i < o->n_margins; i++)
		free((char *)o->margins[i].metric);
	free(o->margins);
	free((char *)o->gate_metric);
	free(o->higher.v);
	free(o->lower.v);
}
