/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that say where the runs are kept. */
#include "options.h"

enum { KEY_SAVE = 0x500, KEY_FORCE, KEY_RESUME };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "Where the runs are kept:", 6},
	{"save", KEY_SAVE, "FILE", 0, "Append every run to FILE the moment that it ends", 0},
	{"force", KEY_FORCE, NULL, 0, "Let --save replace a file that is there", 0},
	{"resume", KEY_RESUME, "FILE", 0, "Go on with the interrupted comparison that FILE holds", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct save_options *o = state->input;

	if ((key == KEY_SAVE || key == KEY_RESUME) && !*arg)
		argp_error(state, "--%s: the name of the file is empty",
			   key == KEY_SAVE ? "save" : "resume");
	switch (key) {
	case KEY_SAVE:
		o->path = arg;
		break;
	case KEY_FORCE:
		o->force = true;
		break;
	case KEY_RESUME:
		o->resume = arg;
		break;
	case ARGP_KEY_END:
		if (o->path && o->resume)
			argp_error(state, "--resume goes on writing to its file: leave out --save");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp save_argp = {.options = options, .parser = parse};
