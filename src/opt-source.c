/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that say how the files that are given are read. */
#include "options.h"

#include <stdlib.h>

#include "quantity.h"

enum { KEY_METRIC = 0x700, KEY_SUMMARY, KEY_COLUMN, KEY_RUNS };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What is read:", 3},
    {"metric", KEY_METRIC, "NAME=EXPR", 0,
     "Compute a metric from others: + - * / and parentheses; NAME[UNIT,higher|lower] says more of "
     "it",
     0},
    {"column", KEY_COLUMN, "NAME|N", 0,
     "Of plain columns, read these (names or numbers, separated by commas)", 0},
    {"runs", KEY_RUNS, "N", 0,
     "What perf stat -x or -j printed are means of N runs (it does not say so itself)", 0},
    {"summary", KEY_SUMMARY, "NAME=MEAN,SD,N", 0,
     "Compare numbers from a mail; SD may be ?, and is then that of another one", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct source_options *o = state->input;
	char err[200];

	switch (key) {
	case KEY_METRIC:
		return -string_list_append(&o->metrics, arg);
	case KEY_SUMMARY:
		return -string_list_append(&o->summaries, arg);
	case KEY_COLUMN:
		o->column = arg;
		break;
	case KEY_RUNS:
		if (quantity_count(arg, 1, UINT32_MAX, &o->runs, err, sizeof(err)))
			argp_error(state, "--runs: %s", err);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp source_argp = {.options = options, .parser = parse};

void source_options_release(struct source_options *o)
{
	free(o->metrics.v);
	free(o->summaries.v);
	*o = (struct source_options){0};
}
