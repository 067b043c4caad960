/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abstat elf: what differs between two binaries. */
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "elf-diff.h"
#include "elf-listing.h"
#include "options.h"
#include "output.h"
#include "render-elf.h"

enum { KEY_COMPRESSED = 0xa00, KEY_FUNCTION };

struct elf_request {
	struct output_options output;
	struct elf_diff_options diff;
	const char *function;
	const char *paths[ELF_SIDES];
	size_t n_paths;
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What is compared:", 1},
    {"compressed", KEY_COMPRESSED, NULL, 0,
     "Also the size of the loadable contents, compressed as by gzip -9", 0},
    {"function", KEY_FUNCTION, "NAME", 0, "Show the instructions of function NAME on both sides",
     0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct elf_request *q = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &q->output;
		break;
	case KEY_COMPRESSED:
		q->diff.compressed = true;
		break;
	case KEY_FUNCTION:
		if (q->function)
			argp_error(state, "--function: one at a time is shown: '%s' or '%s'",
				   q->function, arg);
		q->function = arg;
		break;
	case ARGP_KEY_ARG:
		if (q->n_paths == ELF_SIDES)
			argp_error(state, "two files are compared: '%s' is one too many", arg);
		q->paths[q->n_paths++] = arg;
		break;
	case ARGP_KEY_SUCCESS:
		if (q->n_paths < ELF_SIDES)
			argp_error(state, "there must be two files to compare: abstat elf OLD NEW");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* diff's own statuses: 0 for the same, 1 for different. */
static int show(const struct elf_request *q, const struct elf_report *report,
		const struct elf_listing *listing, char *err, size_t err_size)
{
	struct elf_result result = {
	    .report = report,
	    .listing = listing,
	    .status = report->differ ? 1 : 0,
	    .all = q->output.verbose > 0,
	};

	if (output_write(render_elf_find(q->output.format), &result, &q->output, err, err_size))
		return STATUS_CANNOT_MEASURE;
	return result.status;
}

static int compare(const struct elf_request *q, struct elf_file *old, struct elf_file *new,
		   char *err, size_t err_size)
{
	struct elf_pair pair = {0};
	struct elf_report report = {0};
	struct elf_listing listing = {0};
	int status = 0;

	if (elf_pair_init(&pair, old, new)) {
		snprintf(err, err_size, "out of memory");
		status = STATUS_CANNOT_MEASURE;
	}
	/* What cannot be shown is known at once, and what differs may take a while. */
	if (!status && q->function) {
		int r = elf_listing_make(&listing, &pair, q->function, err, err_size);

		status = r == -ENOENT ? STATUS_USAGE : r ? STATUS_CANNOT_MEASURE : 0;
	}
	if (!status && elf_report_make(&report, &pair, &q->diff, err, err_size))
		status = STATUS_CANNOT_MEASURE;
	if (!status)
		status = show(q, &report, q->function ? &listing : NULL, err, err_size);
	elf_listing_release(&listing);
	elf_report_release(&report);
	elf_pair_release(&pair);
	return status;
}

/* What options of every report mean here. */
static char *explain(int key, const char *text, void *input)
{
	(void)input;
	switch (key) {
	case 'j':
		return strdup("JSON, schema abstat-elf/1");
	case 'q':
		return strdup("No effect: there is no progress line");
	case 'v':
		return strdup("All rows of every table, and sections that do not differ");
	default:
		return (char *)text;
	}
}

static int run(int argc, char **argv)
{
	const struct argp output = {
	    .options = output_argp.options, .parser = output_argp.parser, .help_filter = explain};
	const struct argp_child children[] = {{&output, 0, NULL, 6}, {0}};
	const struct argp argp = {
	    .options = options,
	    .parser = parse,
	    .args_doc = "OLD NEW",
	    .doc = "Say what differs between two ELF files (programs, libraries, kernels, modules, "
		   "objects): sizes, "
		   "symbols, and the functions that have other instructions. Exits with 0 where "
		   "nothing that is "
		   "loaded differs, and with 1 where something does.",
	    .children = children,
	};
	struct elf_request q = {0};
	char err[1000] = "";
	int status = STATUS_CANNOT_MEASURE;

	output_options_init(&q.output);
	if (argp_parse(&argp, argc, argv, 0, NULL, &q))
		return STATUS_CANNOT_MEASURE;
	struct elf_file *old = elf_file_open(q.paths[ELF_OLD], err, sizeof(err));
	struct elf_file *new = old ? elf_file_open(q.paths[ELF_NEW], err, sizeof(err)) : NULL;

	if (new)
		status = compare(&q, old, new, err, sizeof(err));
	if (*err)
		output_message(err);
	elf_file_free(new);
	elf_file_free(old);
	return status;
}

const struct command cmd_elf = {
    .name = "elf",
    .summary = "what differs between two binaries",
    .run = run,
};
