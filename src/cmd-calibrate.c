/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abstat calibrate: runs one command against itself, to find out what this machine's noise does. */
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "experiment.h"
#include "output.h"
#include "quantity.h"
#include "render-calibration.h"

enum { KEY_PRIMARY = 0x800, KEY_ALPHA };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "How the runs are judged:", 5},
    {"primary", KEY_PRIMARY, "METRIC", 0,
     "The metric that the closing sentence is about (default: the first of -e, else duration_time)",
     0},
    {"alpha", KEY_ALPHA, "A", 0, "The level at which runs are called different (default 0.05)", 0},
    {"quiet", 'q', NULL, 0, "No progress line", 7},
    {0},
};

static const struct argp_child children[] = {
    {&event_argp, 0, NULL, 1}, {&plan_argp, 0, NULL, 2}, {&run_argp, 0, NULL, 3},
    {&save_argp, 0, NULL, 4},  {&page_argp, 0, NULL, 6}, {0},
};

static void set_inputs(struct experiment *e, struct argp_state *state)
{
	state->child_inputs[0] = &e->event;
	state->child_inputs[1] = &e->plan;
	state->child_inputs[2] = &e->run;
	state->child_inputs[3] = &e->save;
	state->child_inputs[4] = &e->output;
}

static void check(const struct experiment *e, struct argp_state *state)
{
	const struct plan_options *p = &e->plan;
	size_t least = calibrate_sizes[0];

	if (!isnan(p->precision))
		argp_error(state,
			   "--precision: a calibration has a fixed number of blocks: say -r N");
	if (e->save.resume)
		argp_error(state, "--resume: a calibration is measured in one go");
	if (e->run.n_parameters || e->run.names.n)
		argp_error(state, "%s: a calibration runs one command, as A and as B",
			   e->run.n_parameters ? "-L" : "--name");
	if ((p->runs && p->runs < least) || (p->max_runs && p->max_runs < least))
		argp_error(state,
			   "%s: fewer than %zu blocks tell nothing, and it takes %zu for a rate",
			   p->runs ? "-r" : "--max-runs", least, CALIBRATE_FEW * least);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct experiment *e = state->input;
	char err[200];

	switch (key) {
	case ARGP_KEY_INIT:
		set_inputs(e, state);
		break;
	case KEY_PRIMARY:
		e->judge.primary = arg;
		break;
	case KEY_ALPHA:
		if (quantity_number(arg, &e->judge.alpha, err, sizeof(err)))
			argp_error(state, "--alpha: %s", err);
		if (e->judge.alpha < 1e-6 || e->judge.alpha >= 0.5)
			argp_error(state, "--alpha: %s is not at least 0.000001 and less than 0.5",
				   arg);
		break;
	case 'q':
		e->output.quiet = true;
		break;
	case ARGP_KEY_ARG:
		/* The rest is the command, whatever it looks like. */
		e->argv = &state->argv[state->next - 1];
		state->next = state->argc;
		break;
	case ARGP_KEY_NO_ARGS:
		argp_error(
		    state,
		    "there is no command to run: abstat calibrate [OPTIONS] -- COMMAND [ARG...]");
		break;
	case ARGP_KEY_SUCCESS:
		check(e, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Prints what is known of RECORD, with an error where it came to one. */
static int show(const struct experiment *e, const struct calibration *c,
		const struct record *record, int status, char *err, size_t err_size)
{
	bool json = strcmp(e->output.format, "json") == 0;
	char *sentence = c ? calibration_sentence(c) : NULL;
	struct calibration_page page = {c, record, sentence, *err ? err : NULL, status};
	char why[500];
	int r = 0;

	if (c && !sentence) {
		snprintf(err, err_size, "out of memory");
		return STATUS_CANNOT_MEASURE;
	}
	/* In text, a measurement that failed has its message and no table, which would look like a
	 * result. */
	if (json || !status || (status == STATUS_INTERRUPTED && c))
		r = output_write(json ? render_calibration_json : render_calibration_text, &page,
				 &e->output, why, sizeof(why));
	free(sentence);
	if (!r)
		return status;
	if (!status)
		snprintf(err, err_size, "%s", why);
	return status ? status : STATUS_CANNOT_MEASURE;
}

static int analyse_and_show(const struct experiment *e, const struct record *record, int status,
			    char *err, size_t err_size)
{
	double alpha = isnan(e->judge.alpha) ? 0.05 : e->judge.alpha;
	struct calibration c;
	int r = calibrate(&c, record, alpha);
	bool enough = !r && c.blocks >= calibrate_sizes[0];

	if (r) {
		snprintf(err, err_size, "out of memory");
		status = STATUS_CANNOT_MEASURE;
	} else if (!status && !enough) {
		snprintf(err, err_size,
			 "fewer than %zu blocks tell nothing, and only %zu of %u can be used: give "
			 "it more time, or "
			 "see why runs fail",
			 calibrate_sizes[0], c.blocks, record->plan.blocks);
		status = STATUS_NO_VERDICT;
	}
	status = show(e, enough ? &c : NULL, record, status, err, err_size);
	calibration_release(&c);
	return status;
}

static int measure_and_show(struct experiment *e)
{
	struct record record;
	char err[EXPERIMENT_ERROR_SIZE];

	record_init(&record);
	int status = experiment_measure(e, &record, err, sizeof(err));

	/* What could not even begin has nothing to show. */
	if (record.plan.stopped != STOPPED_NOT)
		status = analyse_and_show(e, &record, status, err, sizeof(err));
	if (*err)
		output_message(err);
	record_release(&record);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct argp argp = {
	    .options = options,
	    .parser = parse,
	    .args_doc = "[--] COMMAND [ARG...]",
	    .doc = "Run COMMAND against itself, and say how small a change can be seen here, and "
		   "how often "
		   "equal commands are called different.",
	    .children = children,
	};
	struct experiment e;

	experiment_init(&e, false);
	e.twice = true;
	int status = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &e);

	status = status ? STATUS_CANNOT_MEASURE : measure_and_show(&e);
	experiment_release(&e);
	return status;
}

const struct command cmd_calibrate = {
    .name = "calibrate",
    .summary = "run a command against itself: the noise and the false alarms here",
    .run = run,
};
