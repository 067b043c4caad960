/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abstat diff: judges results that were saved, or that other tools printed. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "output.h"
#include "sides-judge.h"
#include "sides.h"

enum { KEY_BEFORE = 0x800, KEY_AFTER };

struct diff {
	struct source_options source;
	struct judge_options judge;
	struct output_options output;
	struct string_list words;  /* one a side */
	struct string_list before; /* boots of the first side */
	struct string_list after;
	struct string_list
	    *boots; /* which of the two a word without an option belongs to; NULL: neither yet */
};

static const struct argp_option options[] = {
    {"before", KEY_BEFORE, "FILE...", 0, "Results of one or more boots before the change", 0},
    {"after", KEY_AFTER, "FILE...", 0, "Results of one or more boots after it", 0},
    {0},
};

static error_t add_word(struct diff *d, struct string_list *list, const char *word)
{
	return -string_list_append(list ? list : &d->words, word);
}

static void check(const struct diff *d, struct argp_state *state)
{
	bool boots = d->before.n || d->after.n;

	if (boots && (!d->before.n || !d->after.n))
		argp_error(state, "--before and --after belong together");
	if (boots && d->words.n)
		argp_error(state, "'%s' is neither of --before nor of --after", d->words.v[0]);
	if (d->source.summaries.n && (boots || d->words.n))
		argp_error(state,
			   "--summary compares numbers from the command line, without files");
	if (d->source.summaries.n == 1)
		argp_error(state, "one --summary is nothing to compare: there must be two or more");
	if (!boots && !d->words.n && !d->source.summaries.n)
		argp_error(state,
			   "there is nothing to compare: abstat diff [OPTIONS] BEFORE AFTER");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct diff *d = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &d->source;
		state->child_inputs[1] = &d->judge;
		state->child_inputs[2] = &d->judge;
		state->child_inputs[3] = &d->output;
		break;
	case KEY_BEFORE:
		d->boots = &d->before;
		return add_word(d, d->boots, arg);
	case KEY_AFTER:
		d->boots = &d->after;
		return add_word(d, d->boots, arg);
	case ARGP_KEY_ARG:
		return add_word(d, d->boots, arg);
	case ARGP_KEY_END:
		check(d, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int add_boots(struct side_list *list, const struct string_list *words, char *err,
		     size_t err_size)
{
	int status = side_list_add(list, words->v[0], err, err_size);
	size_t side = list->n_sides - 1;

	for (size_t i = 1; i < words->n && !status; i++)
		status = side_list_extend(list, side, words->v[i], err, err_size);
	return status;
}

static int add_summaries(struct side_list *list, const struct string_list *texts, char *err,
			 size_t err_size)
{
	struct record r;
	int status;

	if (record_from_summaries(texts->v, texts->n, &r, err, err_size))
		return STATUS_USAGE;
	status = side_list_take(list, &r, "--summary", err, err_size);
	record_release(&r);
	return status ? status : side_list_add_all(list, 0, err, err_size);
}

static int add_words(struct side_list *list, const struct string_list *words, char *err,
		     size_t err_size)
{
	struct side_file *file;
	int status = 0;

	/* One file that holds several variants: they are compared with each other. */
	if (words->n == 1 && (access(words->v[0], F_OK) == 0 || !strcmp(words->v[0], "-"))) {
		status = side_list_read(list, words->v[0], &file, err, err_size);
		if (!status && file->record.n_variants < 2) {
			snprintf(err, err_size,
				 "%s holds one variant: with what is it to be compared?",
				 words->v[0]);
			return STATUS_USAGE;
		}
		return status ? status : side_list_add_all(list, 0, err, err_size);
	}
	for (size_t i = 0; i < words->n && !status; i++)
		status = side_list_add(list, words->v[i], err, err_size);
	if (!status && words->n == 1) {
		snprintf(err, err_size, "%s is one side: with what is it to be compared?",
			 words->v[0]);
		status = STATUS_USAGE;
	}
	return status;
}

static int load(const struct diff *d, struct side_list *list, char *err, size_t err_size)
{
	int status;

	if (d->before.n) {
		status = add_boots(list, &d->before, err, err_size);
		if (!status)
			status = add_boots(list, &d->after, err, err_size);
	} else if (d->source.summaries.n) {
		status = add_summaries(list, &d->source.summaries, err, err_size);
	} else {
		status = add_words(list, &d->words, err, err_size);
	}
	if (!status)
		status = side_list_name(list, err, err_size);
	if (!status)
		status = side_list_compute(list, &d->source.metrics, err, err_size);
	return status;
}

static int run_diff(const struct diff *d, char *err, size_t err_size)
{
	struct import_options import = {.column = d->source.column, .runs = d->source.runs};
	struct side_list list;
	int status;

	side_list_init(&list, &import);
	status = load(d, &list, err, err_size);
	if (!status)
		status = sides_judge(&list, &d->judge, true, &d->output, err, err_size);
	side_list_release(&list);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct argp_child children[] = {{&source_argp, 0, NULL, 3},
						     {&primary_argp, 0, NULL, 4},
						     {&judge_argp, 0, NULL, 5},
						     {&output_argp, 0, NULL, 7},
						     {0}};
	static const struct argp argp = {
	    .options = options,
	    .parser = parse,
	    .args_doc = "BEFORE AFTER...\n--before FILE... --after FILE...\n--summary A=MEAN,SD,N "
			"--summary B=MEAN,SD,N...",
	    .doc = "Judge results that were saved by --save, or that perf stat, hyperfine, Go or "
		   "Google "
		   "benchmarks printed, or plain columns of numbers. A file that holds several "
		   "variants is "
		   "given as FILE:NAME.",
	    .children = children,
	};
	struct diff d = {0};
	char err[1000] = "";

	judge_options_init(&d.judge);
	output_options_init(&d.output);
	int status = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &d);

	status = status ? STATUS_CANNOT_MEASURE : run_diff(&d, err, sizeof(err));
	if (status >= STATUS_CANNOT_MEASURE)
		output_failure(NULL, &d.output, status, err);
	if (*err)
		output_message(err);
	source_options_release(&d.source);
	judge_options_release(&d.judge);
	free(d.words.v);
	free(d.before.v);
	free(d.after.v);
	return status;
}

const struct command cmd_diff = {
    .name = "diff",
    .summary = "judge saved or imported results",
    .run = run,
};
