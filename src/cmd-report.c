/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abstat report: renders records again, one by one or as those of several machines. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "machines.h"
#include "output.h"
#include "sides-judge.h"
#include "sides.h"

struct report_command {
	struct source_options source;
	struct judge_options judge;
	struct output_options output;
	struct string_list words;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report_command *c = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &c->source;
		state->child_inputs[1] = &c->judge;
		state->child_inputs[2] = &c->judge;
		state->child_inputs[3] = &c->output;
		break;
	case ARGP_KEY_ARG:
		return -string_list_append(&c->words, arg);
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "there is nothing to report: abstat report [OPTIONS] RECORD...");
		break;
	case ARGP_KEY_END:
		if (c->source.summaries.n)
			argp_error(state, "--summary is for abstat diff");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int run_report(const struct report_command *c, char *err, size_t err_size)
{
	struct import_options import = {.column = c->source.column, .runs = c->source.runs};
	struct side_list list;
	int status = 0;

	side_list_init(&list, &import);
	for (size_t i = 0; i < c->words.n && !status; i++)
		status = side_list_read(&list, c->words.v[i], NULL, err, err_size);
	if (!status)
		status = side_list_compute(&list, &c->source.metrics, err, err_size);
	if (!status && list.n_files > 1)
		status = machines_judge(&list, &c->judge, &c->output, err, err_size);
	else if (!status)
		status = side_list_add_all(&list, 0, err, err_size);
	if (!status && list.n_files == 1) {
		bool compare = list.records[0]->n_variants > 1;

		status = side_list_name(&list, err, err_size);
		if (!status)
			status = sides_judge(&list, &c->judge, compare, &c->output, err, err_size);
	}
	side_list_release(&list);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct argp_child children[] = {
	    {&source_argp, 0, NULL, 3}, {&primary_argp, 0, NULL, 4}, {&judge_argp, 0, NULL, 5},
	    {&output_argp, 0, NULL, 7}, {0}};
	static const struct argp argp = {
	    .parser = parse,
	    .args_doc = "RECORD...",
	    .doc =
		"Render a record again, as it was judged when it was measured or with other "
		"options. "
		"Records of the same comparison from several machines become a row each, and one "
		"combined estimate.",
	    .children = children,
	};
	struct report_command c = {0};
	char err[1000] = "";

	judge_options_init(&c.judge);
	output_options_init(&c.output);
	int status = argp_parse(&argp, argc, argv, 0, NULL, &c);

	status = status ? STATUS_CANNOT_MEASURE : run_report(&c, err, sizeof(err));
	if (status >= STATUS_CANNOT_MEASURE)
		output_failure(NULL, &c.output, status, err);
	if (*err)
		output_message(err);
	source_options_release(&c.source);
	judge_options_release(&c.judge);
	free(c.words.v);
	return status;
}

const struct command cmd_report = {
    .name = "report",
    .summary = "render records again",
    .run = run,
};
