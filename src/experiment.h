/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An experiment: what `stat` and `compare` have in common, from options to the report.
 */
#ifndef ABSTAT_EXPERIMENT_H
#define ABSTAT_EXPERIMENT_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "options.h"

struct experiment {
	struct event_options event;
	struct plan_options plan;
	struct run_options run;
	struct save_options save;
	struct judge_options judge;
	struct output_options output;
	bool compare;		    /* judge the variants against each other */
	struct string_list commands; /* compare: a command a string */
	char **argv;		    /* stat: the words of the command */
};

void experiment_init(struct experiment *e, bool compare);
void experiment_release(struct experiment *e);

/* The tables of all options, for a command's argp; inputs are handed on by experiment_set_inputs() at ARGP_KEY_INIT. */
extern const struct argp_child experiment_argp_children[];
void experiment_set_inputs(struct experiment *e, struct argp_state *state);

/* Measures, judges and prints. Returns the exit status. */
int experiment_run(struct experiment *e);

#endif
