/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that say what is counted. */
#include "options.h"

#include <errno.h>
#include <stdlib.h>

enum { KEY_METRIC = 0x100, KEY_EXTRACT, KEY_MULTIPLEX };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "What is counted:", 1},
	{"event", 'e', "LIST", 0,
	 "Events, by the names of perf or libpfm4, separated by commas; {a,b} is a group", 0},
	{"detailed", 'd', NULL, 0, "More cache events; -d -d and -d -d -d: more of them", 0},
	{"null", 'n', NULL, 0, "No counters: times and resources only", 0},
	{"metric", KEY_METRIC, "NAME=EXPR", 0,
	 "A metric computed from others of the same run, with + - * / and parentheses", 0},
	{"extract", KEY_EXTRACT, "NAME=REGEX", 0,
	 "A metric that the command prints; NAME may be NAME[UNIT,higher|lower]", 0},
	{"multiplex", KEY_MULTIPLEX, NULL, 0,
	 "With more events than counters, let the kernel take turns and scale", 0},
	{"all-cpus", 'a', NULL, 0, "Count on all CPUs, whatever runs there", 0},
	{"cpu", 'C', "LIST", 0, "Count on these CPUs only, as 0-3,8", 0},
	{"no-aggr", 'A', NULL, 0, "With -a, -C or --scope: a row a CPU", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct event_options *o = state->input;
	int r = 0;

	switch (key) {
	case 'e':
		r = string_list_append(&o->events, arg);
		break;
	case 'd':
		o->detail++;
		break;
	case 'n':
		o->null_run = true;
		break;
	case KEY_METRIC:
		r = string_list_append(&o->metrics, arg);
		break;
	case KEY_EXTRACT:
		r = string_list_append(&o->extracts, arg);
		break;
	case KEY_MULTIPLEX:
		o->multiplex = true;
		break;
	case 'a':
		o->system_wide = true;
		break;
	case 'C':
		o->system_wide = true;
		o->cpu_list = arg;
		break;
	case 'A':
		o->per_cpu = true;
		break;
	case ARGP_KEY_END:
		if (o->null_run && (o->events.n || o->detail))
			argp_error(state, "--null counts no events: leave out -e and -d");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return -r;
}

const struct argp event_argp = {.options = options, .parser = parse};

void event_options_init(struct event_options *o)
{
	*o = (struct event_options){0};
}

void event_options_release(struct event_options *o)
{
	free(o->events.v);
	free(o->metrics.v);
	free(o->extracts.v);
}

int string_list_append(struct string_list *list, const char *text)
{
	const char **grown = reallocarray(list->v, list->n + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	list->v = grown;
	list->v[list->n++] = text;
	return 0;
}
