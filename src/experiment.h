/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An experiment: what `stat`, `compare` and `calibrate` have in common, from options to the report.
 */
#ifndef ABSTAT_EXPERIMENT_H
#define ABSTAT_EXPERIMENT_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "options.h"
#include "record.h"

/* Room for a message with the last lines that a failing command wrote. */
enum { EXPERIMENT_ERROR_SIZE = 4096 + 1024 };

struct experiment {
	struct event_options event;
	struct scope_options scope;
	struct plan_options plan;
	struct run_options run;
	struct save_options save;
	struct judge_options judge;
	struct output_options output;
	bool compare;		    /* judge the variants against each other */
	bool twice;		    /* calibrate: the one command is two variants, A and B */
	bool no_evidence;	    /* compare: do not look at the programs */
	struct string_list commands; /* compare: a command a string */
	char **argv;		    /* stat and calibrate: the words of the command */
	char **arguments;	    /* all words, "abstat NAME" first, for the record; NULL: not kept */
	struct record resumed;	    /* --resume: what was measured before; else empty */
};

void experiment_init(struct experiment *e, bool compare);
void experiment_release(struct experiment *e);

/* The tables of all options, for a command's argp; inputs are handed on by experiment_set_inputs() at ARGP_KEY_INIT. */
extern const struct argp_child experiment_argp_children[];
extern const struct argp_child experiment_compare_children[]; /* and those of judging */
void experiment_set_inputs(struct experiment *e, struct argp_state *state);

/*
 * Measures into RECORD, which is initialised and empty. Returns 0, or the exit status with a message in ERR; what was
 * measured until then is in the record. plan.stopped is STOPPED_NOT where nothing could begin.
 */
int experiment_measure(struct experiment *e, struct record *record, char *err, size_t err_size);

/* Measures, judges and prints. Returns the exit status. */
int experiment_run(struct experiment *e);

#endif
