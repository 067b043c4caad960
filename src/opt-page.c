/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that say what is printed, of commands that print text or JSON. */
#include "options.h"

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What is printed:", 7},
    {"json", 'j', NULL, 0, "JSON rather than text", 0},
    {"output", 'o', "FILE", 0, "Write it to FILE, whole or not at all", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct output_options *o = state->input;

	switch (key) {
	case 'j':
		o->format = "json";
		break;
	case 'o':
		o->path = arg;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp page_argp = {.options = options, .parser = parse};
