/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abstat plan: how many runs it takes to see an effect, from runs that were made. */
#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "forecast.h"
#include "import.h"
#include "options.h"
#include "output.h"
#include "quantity.h"
#include "render-forecast.h"

enum { KEY_EFFECT = 0x900, KEY_PRIMARY, KEY_ALPHA, KEY_COLUMN, KEY_RUNS };

struct plan_request {
	struct output_options output;
	struct import_options import;
	const char *path;
	const char *primary;
	double effect; /* NaN: not given */
	double alpha;  /* NaN: as recorded */
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What is planned:", 1},
    {"effect", KEY_EFFECT, "P%", 0, "The change that is to be seen, as 0.3%", 0},
    {"primary", KEY_PRIMARY, "METRIC", 0,
     "The metric that the closing sentence is about (default: the recorded one)", 0},
    {"alpha", KEY_ALPHA, "A", 0,
     "How often equal commands may be called different (default: as recorded, else 0.05)", 0},
    {NULL, 0, NULL, 0, "How FILE is read:", 2},
    {"runs", KEY_RUNS, "N", 0, "The runs that its means are of, where FILE does not say", 0},
    {"column", KEY_COLUMN, "NAME,...", 0, "Of plain columns: read these, by name or by number", 0},
    {0},
};

static const struct argp_child children[] = {{&page_argp, 0, NULL, 6}, {0}};

static void set_effect(struct plan_request *q, struct argp_state *state, const char *arg)
{
	char err[200];

	if (quantity_percent(arg, &q->effect, err, sizeof(err)))
		argp_error(state, "--effect: %s", err);
	if (q->effect <= 0)
		argp_error(state, "--effect: it takes no runs to see no change: say more than 0%%");
	if (q->effect >= 10)
		argp_error(state, "--effect: '%s' needs no plan (1000%% or more)", arg);
}

static void set_alpha(struct plan_request *q, struct argp_state *state, const char *arg)
{
	char err[200];

	if (quantity_number(arg, &q->alpha, err, sizeof(err)))
		argp_error(state, "--alpha: %s", err);
	if (q->alpha < 1e-6 || q->alpha >= 0.5)
		argp_error(state, "--alpha: %s is not at least 0.000001 and less than 0.5", arg);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct plan_request *q = state->input;
	char err[200];

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &q->output;
		break;
	case KEY_EFFECT:
		set_effect(q, state, arg);
		break;
	case KEY_PRIMARY:
		q->primary = arg;
		break;
	case KEY_ALPHA:
		set_alpha(q, state, arg);
		break;
	case KEY_RUNS:
		if (quantity_count(arg, 1, 1000000000, &q->import.runs, err, sizeof(err)))
			argp_error(state, "--runs: %s", err);
		break;
	case KEY_COLUMN:
		q->import.column = arg;
		break;
	case ARGP_KEY_ARG:
		if (q->path)
			argp_error(state, "one file at a time: '%s' is one too many", arg);
		q->path = arg;
		break;
	case ARGP_KEY_SUCCESS:
		if (!q->path)
			argp_error(
			    state,
			    "there are no results to plan from: abstat plan FILE --effect 0.3%%");
		if (isnan(q->effect))
			argp_error(state, "--effect is missing: how small a change is to be seen? "
					  "Say --effect 1%%");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int print(const struct plan_request *q, const struct forecast *f, char *err, size_t err_size)
{
	bool json = strcmp(q->output.format, "json") == 0;
	const struct forecast_metric *m = &f->metrics[f->primary];

	if (output_write(json ? render_forecast_json : render_forecast_text, f, &q->output, err,
			 err_size))
		return STATUS_CANNOT_MEASURE;
	return m->runs.fixed ? STATUS_OK : STATUS_NO_VERDICT;
}

static int plan(const struct plan_request *q)
{
	struct record record;
	struct forecast f;
	char err[1000] = "";

	if (record_load(q->path, &q->import, &record, err, sizeof(err))) {
		output_message(err);
		return STATUS_CANNOT_MEASURE;
	}
	int r = forecast_make(&f, &record, q->primary, q->effect, q->alpha, err, sizeof(err));
	int status = r == 0          ? print(q, &f, err, sizeof(err))
		     : r == -ENOENT  ? STATUS_USAGE
		     : r == -ENODATA ? STATUS_NO_VERDICT
				     : STATUS_CANNOT_MEASURE;

	if (*err)
		output_message(err);
	forecast_release(&f);
	record_release(&record);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct argp argp = {
	    .options = options,
	    .parser = parse,
	    .args_doc = "FILE --effect P%",
	    .doc = "Say how many runs it takes to see a change, from a record, a report of -j, or "
		   "what other "
		   "tools printed.",
	    .children = children,
	};
	struct plan_request q = {.effect = NAN, .alpha = NAN};

	output_options_init(&q.output);
	if (argp_parse(&argp, argc, argv, 0, NULL, &q))
		return STATUS_CANNOT_MEASURE;
	return plan(&q);
}

const struct command cmd_plan = {
    .name = "plan",
    .summary = "how many runs it takes to see a change, from runs that were made",
    .run = run,
};
