/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that say what is printed, and where. */
#include "options.h"

#include <string.h>

#include "render.h"

enum { KEY_COLOR = 0x600, KEY_FORMAT };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "What is printed:", 7},
	{"json", 'j', NULL, 0, "JSON, schema abstat-report/1", 0},
	{"json-output", 'j', NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
	{"field-separator", 'x', "SEP", 0, "CSV with a header line, columns separated by SEP", 0},
	{"format", KEY_FORMAT, "NAME", 0, "text, json, csv or markdown", 0},
	{"output", 'o', "FILE", 0, "Write the report to FILE, whole or not at all", 0},
	{"color", KEY_COLOR, "WHEN", 0, "auto, always or never", 0},
	{"verbose", 'v', NULL, 0, "More of what was measured", 0},
	{"quiet", 'q', NULL, 0, "No progress line", 0},
	{0},
};

static void set_separator(struct output_options *o, struct argp_state *state, const char *arg)
{
	if (strcmp(arg, "\\t") == 0)
		arg = "\t";
	if (strlen(arg) != 1 || strchr("\"\r\n", *arg))
		argp_error(state, "-x: the separator is one character, as in -x, or -x\\\\t");
	o->separator = *arg;
	o->format = "csv";
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct output_options *o = state->input;

	switch (key) {
	case 'j':
		o->format = "json";
		break;
	case 'x':
		set_separator(o, state, arg);
		break;
	case KEY_FORMAT:
		if (!renderer_find(arg))
			argp_error(state, "--format: '%s' is none of text, json, csv, markdown", arg);
		o->format = arg;
		break;
	case 'o':
		if (!*arg)
			argp_error(state, "-o: the name of the file is empty");
		o->path = arg;
		break;
	case KEY_COLOR:
		if (strcmp(arg, "auto") == 0)
			o->color = COLOR_AUTO;
		else if (strcmp(arg, "always") == 0)
			o->color = COLOR_ALWAYS;
		else if (strcmp(arg, "never") == 0)
			o->color = COLOR_NEVER;
		else
			argp_error(state, "--color: '%s' is none of auto, always, never", arg);
		break;
	case 'v':
		o->verbose++;
		break;
	case 'q':
		o->quiet = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp output_argp = {.options = options, .parser = parse};

void output_options_init(struct output_options *o)
{
	*o = (struct output_options){.format = "text", .separator = ','};
}
