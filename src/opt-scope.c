/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that say which parts of the run are measured. */
#include "options.h"

#include <stdlib.h>

enum { KEY_SCOPE = 0xc00, KEY_PROBED_ONLY };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Which parts of the run are measured:", 2},
    {"scope", KEY_SCOPE, "[NAME=]SPEC", 0,
     "Attribute the counters to a part of the run too: FUNC, BINARY:FUNC, FUNC+0x10..FUNC+0x40, "
     "k:FUNC, region:NAME, or usdt:PROVIDER:BEGIN..PROVIDER:END",
     0},
    {"probed-only", KEY_PROBED_ONLY, NULL, 0,
     "Half as many runs: none without probes, so that the whole has in it what they cost", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct scope_options *o = state->input;

	switch (key) {
	case KEY_SCOPE:
		return -string_list_append(&o->specs, arg);
	case KEY_PROBED_ONLY:
		o->probed_only = true;
		break;
	case ARGP_KEY_END:
		if (o->probed_only && !o->specs.n)
			argp_error(state, "--probed-only: nothing is probed without --scope");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp scope_argp = {.options = options, .parser = parse};

void scope_options_release(struct scope_options *o)
{
	free(o->specs.v);
	*o = (struct scope_options){0};
}
