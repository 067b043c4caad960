/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abstat compare: runs commands in random blocks and judges each against the first. */
#include "command.h"

#include "experiment.h"
#include "quantity.h"
#include "output.h"
#include "resume.h"

enum { KEY_NO_EVIDENCE = 0xb00 };

static const struct argp_option options[] = {
	{"no-evidence", KEY_NO_EVIDENCE, NULL, 0, "Do not look at what differs between the programs", 7},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct experiment *e = state->input;
	char err[200];
	double percent;

	switch (key) {
	case ARGP_KEY_INIT:
		experiment_set_inputs(e, state);
		break;
	case KEY_NO_EVIDENCE:
		e->no_evidence = true;
		break;
	case ARGP_KEY_ARG:
		/* An optional value belongs to its option's word: "--gate 1%" asks to run 1%. */
		if (quantity_percent(arg, &percent, err, sizeof(err)) == 0)
			argp_error(state, "'%s' is no command: write --gate=%s", arg, arg);
		return -string_list_append(&e->commands, arg);
	case ARGP_KEY_NO_ARGS:
		if (e->save.resume)
			break;
		argp_error(state,
			   "there is nothing to compare: abstat compare [OPTIONS] 'COMMAND A' 'COMMAND B'");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int run(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "'COMMAND A' 'COMMAND B'...",
		.doc = "Run the commands in random blocks, and say of each whether it is better or worse "
		       "than the first, the same, or unclear.",
		.children = experiment_compare_children,
	};
	struct experiment e;
	char err[1000];

	experiment_init(&e, true);
	int status = resume_parse(&e, &argp, 0, argc, argv, err, sizeof(err));

	if (status)
		output_message(err);
	else
		status = experiment_run(&e);
	experiment_release(&e);
	return status;
}

const struct command cmd_compare = {
	.name = "compare",
	.summary = "run commands in random blocks and judge each against the first",
	.run = run,
};
