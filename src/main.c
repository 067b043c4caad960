/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abstat: whether a change is above the noise.
 *
 * main() looks up a command and calls it. Where things are:
 *
 *   commands.c            the commands, one file each: cmd-*.c
 *   experiment*.c         what `stat` and `compare` share, from options to report
 *   opt-*.c, options.h    the option tables
 *   variant.c, words.c    command lines and templates become variants
 *   counting*.c           what is counted: metrics, and sets of counters that fit
 *   scopes*.c             parts of a run: where each is in every program, and how it is probed
 *   plan.c, stop-*.c      the order of the runs, and when there are enough
 *   measure*.c            blocks, hooks, batches of runs
 *   spawner*.c, execute.c a small process that owns the counters and executes runs
 *   readings*.c           a run's raw numbers become values, or reasons
 *   extract.c, expr.c     metrics that the workload prints, or that others give
 *   record*.c             every run, in memory and in files
 *   resume.c              an interrupted measurement goes on
 *   import*.c             what other tools print becomes a record
 *   sides*.c, machines*.c what diff and report are given, of one machine and of several
 *   analyse*.c            a record becomes a report
 *   moved.c               whether a cost only went from one part of the run to another
 *   evidence.c, elf-*.c   what differs between binaries
 *   demos.c, demo-*.c     the field's own experiments
 *   render*.c, format.c   a report becomes text, JSON, CSV, markdown
 *   ../probes/            events and counters, scopes, binaries, and this machine
 *   ../stats/             the statistics: pure functions
 */
#include <argp.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "scope-stubs.h"
#include "version.h"

static void print_version(FILE *out, struct argp_state *state)
{
	(void)state;
	fprintf(out, "abstat %s\n", abstat_version);
}

static void print_help(FILE *out)
{
	fputs("Usage: abstat COMMAND [OPTION...] ...\n"
	      "Says whether a change is above the noise.\n\n"
	      "Commands:\n",
	      out);
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n'abstat COMMAND --help' shows a command's options, 'man abstat' explains all.\n", out);
}

static int unknown(const char *name)
{
	fprintf(stderr, "abstat: '%s' is no command; there are:", name);
	for (size_t i = 0; commands[i]; i++)
		fprintf(stderr, "%s %s", i ? "," : "", commands[i]->name);
	fputs(". See 'abstat --help'\n", stderr);
	return STATUS_USAGE;
}

/*
 * The output may not have been written: a full disk shows at the latest when the stream is flushed.
 * Called however abstat ends, because argp ends it itself after --help and --version. A status that
 * says so already has its message.
 */
static void check_stdout(int status, void *context)
{
	(void)context;
	if (!fflush(stdout) && !ferror(stdout))
		return;
	if (status >= STATUS_NO_VERDICT)
		_exit(status);
	perror("abstat: cannot write to the standard output");
	_exit(STATUS_CANNOT_MEASURE);
}

int main(int argc, char **argv)
{
	char name[64];

	/* Executed by itself, to be probed. */
	if (argc > 1 && !strcmp(argv[1], SCOPE_STUBS_ARGUMENT))
		return scope_stubs_main(argc, argv);
	on_exit(check_stdout, NULL);
	setlocale(LC_CTYPE, "");
	argp_err_exit_status = STATUS_USAGE;
	argp_program_version_hook = print_version;
	if (argc < 2) {
		print_help(stderr);
		return STATUS_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return STATUS_OK;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		print_version(stdout, NULL);
		return STATUS_OK;
	}
	for (size_t i = 0; commands[i]; i++) {
		if (strcmp(argv[1], commands[i]->name))
			continue;
		snprintf(name, sizeof(name), "abstat %s", commands[i]->name);
		argv[1] = name;
		return commands[i]->run(argc - 1, argv + 1);
	}
	return unknown(argv[1]);
}
