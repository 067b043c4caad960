/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abstat demo: the field's own experiments, run and judged. */
#include "command.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo-command.h"
#include "demos.h"
#include "output.h"
#include "program-search.h"
#include "quantity.h"
#include "variant.h"

extern const struct command cmd_compare;

/* What --scale may be: runs of at least a few instructions, and of at most some hours. */
#define SCALE_MIN 0.0001
#define SCALE_MAX 10000.0

struct demo_options {
	const char *name;
	double scale;
	bool print; /* only print the commands */
	char **further;
	int n_further;
};

static const struct argp_option options[] = {
    {"scale", 's', "F", 0, "F times the work in each run", 0},
    {"print", 'p', NULL, 0, "Print the commands, and run nothing", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct demo_options *o = state->input;
	char err[200];

	switch (key) {
	case 's':
		if (quantity_number(arg, &o->scale, err, sizeof(err)))
			argp_error(state, "--scale: %s", err);
		if (!(o->scale >= SCALE_MIN && o->scale <= SCALE_MAX))
			argp_error(state, "--scale must be from %g to %g", SCALE_MIN, SCALE_MAX);
		break;
	case 'p':
		o->print = true;
		break;
	case ARGP_KEY_ARG:
		if (!o->name)
			o->name = arg;
		else
			o->further[o->n_further++] = arg;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* A paragraph after an empty line, as wide and indented as a report is. */
static void put_paragraph(FILE *out, const char *text)
{
	enum { WIDTH = 99 };
	size_t column = WIDTH;

	while (*text) {
		size_t n = strcspn(text, " ");

		if (column + 1 + n > WIDTH) {
			fputc('\n', out);
			column = 0;
		}
		fprintf(out, " %.*s", (int)n, text);
		column += 1 + n;
		text += n + (text[n] == ' ');
	}
	fputc('\n', out);
}

static int list(void)
{
	puts("Experiments:");
	for (const struct demo *demo = demos; demo->name; demo++)
		printf("  %-12s %s\n", demo->name, demo->summary);
	puts("\n'abstat demo NAME' runs one, and 'man abstat-tutorial' goes through all of them.");
	return STATUS_OK;
}

static int unknown(const char *name)
{
	char text[400];
	int n = snprintf(text, sizeof(text), "there is no experiment '%.100s'; there are:", name);

	for (const struct demo *demo = demos; demo->name; demo++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s %s", demo == demos ? "" : ",",
			      demo->name);
	output_message(text);
	return STATUS_USAGE;
}

/* A machine that reads the report must not find our text before it. */
static FILE *where_to_talk(const struct demo_options *o)
{
	static const char *const formats[] = {"-j", "--json", "-x", "--field-separator",
					      "--format"};

	for (int i = 0; i < o->n_further; i++)
		for (size_t k = 0; k < sizeof(formats) / sizeof(formats[0]); k++)
			if (!strncmp(o->further[i], formats[k], strlen(formats[k])))
				return stderr;
	return stdout;
}

static int run_command(char **words)
{
	static char name[] = "abstat compare";
	int n = 0;

	while (words[n])
		n++;
	/* The same words, but for the first: who is called is in front, as in main(). */
	free(words[0]);
	words[0] = strdup(name);
	return words[0] ? cmd_compare.run(n, words) : STATUS_CANNOT_MEASURE;
}

/* The command line of a step; NULL after a message. */
static char *command_line(char *const *words, const char *abstat)
{
	char *line = NULL, *joined = words ? words_join(words) : NULL;

	if (!joined || asprintf(&line, "%s %s", abstat, joined) < 0) {
		output_message("out of memory");
		line = NULL;
	}
	free(joined);
	return line;
}

static int run_step(const struct demo_step *step, const struct demo_plan *plan,
		    const struct demo_options *o, const char *abstat, FILE *talk)
{
	bool allowed = !step->scopes[0] || demo_may_probe();
	char **words = demo_command(step, plan);
	char *line = command_line(words, abstat);
	int status = STATUS_CANNOT_MEASURE;

	if (line) {
		if (step->title)
			fprintf(talk, "\n %s:\n", step->title);
		if (!allowed)
			put_paragraph(talk, step->without);
		/* The prompt of who may run it. */
		fprintf(talk, "\n%s %s\n", step->scopes[0] ? "#" : "$", line);
		fflush(talk);
		status = o->print || !allowed ? STATUS_OK : run_command(words);
	}
	free(line);
	words_free(words);
	return status;
}

static bool is_installed(const char *program)
{
	char *path;

	if (program_search(program, NULL, getenv("PATH"), &path))
		return false;
	free(path);
	return true;
}

static int run_demo(const struct demo *demo, const struct demo_options *o, const char *abstat)
{
	FILE *talk = where_to_talk(o);
	struct demo_plan plan = {.scale = o->scale, .further = o->further};
	char *directory = NULL;
	char err[1000] = "out of memory";
	int status = STATUS_OK;

	if (demo_directory(&directory, err, sizeof(err))) {
		output_message(err);
		return STATUS_CANNOT_MEASURE;
	}
	plan.directory = directory;
	put_paragraph(talk, demo->question);
	for (const struct demo_step *step = demo->steps; step->variants[0].name; step++) {
		int one;

		if (step->needs && !is_installed(step->needs)) {
			put_paragraph(talk, step->without);
			continue;
		}
		one = run_step(step, &plan, o, abstat, talk);
		if (one == STATUS_INTERRUPTED || !status)
			status = one;
		if (one == STATUS_INTERRUPTED)
			break;
	}
	free(directory);
	if (status == STATUS_INTERRUPTED)
		return status;
	put_paragraph(talk, demo->shows);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct argp argp = {
	    .options = options,
	    .parser = parse,
	    .args_doc = "[NAME [-- COMPARE_OPTION...]]",
	    .doc = "Run one of the field's own experiments, with the options that suit it, and "
		   "print the "
		   "command that does it; without NAME, list them.\v"
		   "What follows -- are options of 'abstat compare', which are added to the "
		   "recommended ones.",
	};
	/* argp does not change it, but what is called may. */
	const char *abstat =
	    strchr(program_invocation_name, '/') ? program_invocation_name : "abstat";
	struct demo_options o = {.scale = 1};
	const struct demo *demo;
	int status;

	o.further = calloc((size_t)argc + 1, sizeof(*o.further));
	if (!o.further || argp_parse(&argp, argc, argv, 0, NULL, &o)) {
		free(o.further);
		output_message("out of memory");
		return STATUS_CANNOT_MEASURE;
	}
	demo = o.name ? demo_find(o.name) : NULL;
	if (!o.name)
		status = list();
	else if (!demo)
		status = unknown(o.name);
	else
		status = run_demo(demo, &o, abstat);
	free(o.further);
	return status;
}

const struct command cmd_demo = {
    .name = "demo",
    .summary = "the field's own experiments, run and judged",
    .run = run,
};
