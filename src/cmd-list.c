/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abstat list: the events and metrics that are known here, and whether each counts; or what can be
 * scoped in a binary.
 */
#include "command.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalogue.h"
#include "event-enumerate.h"
#include "options.h"
#include "output.h"
#include "program-search.h"
#include "scope-catalogue.h"

enum { KEY_SCOPES = 0x100 };

struct list_options {
	const char *pattern;
	const char *binary; /* of --scopes; or NULL */
	struct output_options output;
};

static const struct argp_option options[] = {
    {"scopes", KEY_SCOPES, "BINARY", 0, "List what --scope can measure in BINARY instead", 0},
    {"json", 'j', NULL, 0, "JSON, schema abstat-list/1 (of scopes: abstat-scopes/1)", 0},
    {"json-output", 'j', NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {"field-separator", 'x', "SEP", 0, "CSV with a header line, columns separated by SEP", 0},
    {"output", 'o', "FILE", 0, "Write the list to FILE, whole or not at all", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct list_options *o = state->input;

	switch (key) {
	case 'j':
	case 'x':
	case 'o':
		/* As in the other commands: their table knows how. */
		state->input = &o->output;
		output_argp.parser(key, arg, state);
		state->input = o;
		break;
	case KEY_SCOPES:
		o->binary = arg;
		break;
	case ARGP_KEY_ARG:
		if (o->pattern)
			argp_error(state,
				   "one PATTERN is enough: quote it, so that the shell does not "
				   "expand it");
		o->pattern = arg;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int print(const struct catalogue *c, const struct output_options *o)
{
	output_renderer *render = catalogue_print_text;
	char err[512];

	if (strcmp(o->format, "json") == 0)
		render = catalogue_print_json;
	else if (strcmp(o->format, "csv") == 0)
		render = catalogue_print_csv;
	if (output_write(render, c, o, err, sizeof(err)) == 0)
		return STATUS_OK;
	output_message(err);
	return STATUS_CANNOT_MEASURE;
}

/* A name that is no file here is a command's, as it would be measured; malloc'd. NULL: neither. */
static char *command_path(const char *name)
{
	char *path = NULL;

	if (strchr(name, '/') || !access(name, F_OK) ||
	    program_search(name, NULL, getenv("PATH"), &path))
		return NULL;
	return path;
}

static int list_scopes(const struct list_options *o)
{
	output_renderer *render = scope_catalogue_print_text;
	struct scope_catalogue catalogue;
	int status = STATUS_OK;
	char err[1024], *command = command_path(o->binary);

	if (strcmp(o->output.format, "json") == 0)
		render = scope_catalogue_print_json;
	else if (strcmp(o->output.format, "csv") == 0)
		render = scope_catalogue_print_csv;
	if (scope_catalogue_read(&catalogue, command ? command : o->binary, o->pattern, err,
				 sizeof(err))) {
		output_message(err);
		free(command);
		return STATUS_CANNOT_MEASURE;
	}
	if (!catalogue.list.n && o->pattern) {
		snprintf(err, sizeof(err), "nothing in %s matches '%s'%s", o->binary, o->pattern,
			 catalogue.list.stripped
			     ? ": the file is stripped, so that only what it exports is known"
			     : "");
		output_message(err);
		status = STATUS_CANNOT_MEASURE;
	} else if (output_write(render, &catalogue, &o->output, err, sizeof(err))) {
		output_message(err);
		status = STATUS_CANNOT_MEASURE;
	}
	scope_catalogue_release(&catalogue);
	free(command);
	return status;
}

static int nothing_matches(const char *pattern)
{
	char nearest[256], text[512];

	event_suggest(pattern, &event_roots_default, nearest, sizeof(nearest));
	snprintf(text, sizeof(text), "no event or metric matches '%s'%s%s", pattern,
		 *nearest ? "; did you mean: " : "", nearest);
	output_message(text);
	return STATUS_CANNOT_MEASURE;
}

static int run(int argc, char **argv)
{
	static const struct argp argp = {
	    .options = options,
	    .parser = parse,
	    .args_doc = "[PATTERN]",
	    .doc =
		"List the events and metrics that are known here, and whether each counts.\v"
		"PATTERN is a glob, a part of a name, or a kind: hardware, software, cache, tool, "
		"pmu, tracepoint, libpfm4, metric. With --scopes it is a glob or a part of a "
		"function's or a marker's name.",
	};
	struct list_options o = {0};
	struct catalogue catalogue = {0};
	int status;

	output_options_init(&o.output);
	if (argp_parse(&argp, argc, argv, 0, NULL, &o))
		return STATUS_CANNOT_MEASURE;
	if (o.binary)
		return list_scopes(&o);
	if (catalogue_read(&catalogue, o.pattern, &event_roots_default)) {
		output_message("cannot list events: out of memory");
		return STATUS_CANNOT_MEASURE;
	}
	if (catalogue.n || !o.pattern)
		status = print(&catalogue, &o.output);
	else
		status = nothing_matches(o.pattern);
	catalogue_release(&catalogue);
	return status;
}

const struct command cmd_list = {
    .name = "list",
    .summary = "the events and metrics that there are, and whether each counts here",
    .run = run,
};
