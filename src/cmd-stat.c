/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abstat stat: runs one command many times. */
#include "command.h"

#include "experiment.h"
#include "output.h"
#include "resume.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct experiment *e = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		experiment_set_inputs(e, state);
		break;
	case ARGP_KEY_ARG:
		/* The rest is the command, whatever it looks like. */
		e->argv = &state->argv[state->next - 1];
		state->next = state->argc;
		(void)arg;
		break;
	case ARGP_KEY_NO_ARGS:
		if (e->save.resume)
			break;
		argp_error(state, "there is no command to run: abstat stat [OPTIONS] -- COMMAND [ARG...]");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int run(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "[--] COMMAND [ARG...]",
		.doc = "Run COMMAND many times under counters, and print means with their uncertainty.",
		.children = experiment_argp_children,
	};
	struct experiment e;
	char err[1000];

	experiment_init(&e, false);
	int status = resume_parse(&e, &argp, ARGP_IN_ORDER, argc, argv, err, sizeof(err));

	if (status)
		output_message(err);
	else
		status = experiment_run(&e);
	experiment_release(&e);
	return status;
}

const struct command cmd_stat = {
	.name = "stat",
	.summary = "run one command many times, as perf stat -r does",
	.run = run,
};
