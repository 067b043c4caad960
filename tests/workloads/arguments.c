/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of an experiment's program. */
#include "arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const char *program, const struct argument *table)
{
	printf("Usage: %s [--NAME=NUMBER...]\n\n", program);
	for (; table->name; table++)
		printf("  --%-10s %s (%ld)\n", table->name, table->help, *table->value);
}

static _Noreturn void refuse(const char *program, const char *word, const char *why)
{
	fprintf(stderr, "%s: '%s' %s; see --help\n", program, word, why);
	exit(2);
}

/* The row of the word "--NAME" or "--NAME=...". */
static const struct argument *find(const struct argument *table, const char *word)
{
	size_t length;

	if (strncmp(word, "--", 2) != 0)
		return NULL;
	word += 2;
	length = strcspn(word, "=");
	for (; table->name; table++)
		if (strlen(table->name) == length && !strncmp(table->name, word, length))
			return table;
	return NULL;
}

static void set(const char *program, const struct argument *row, const char *text)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < row->least)
		refuse(program, text, "is no number that fits here");
	*row->value = value;
}

void arguments_parse(int argc, char **argv, const struct argument *table)
{
	for (int i = 1; i < argc; i++) {
		const struct argument *row = find(table, argv[i]);
		const char *text = strchr(argv[i], '=');

		if (!strcmp(argv[i], "--help")) {
			print_help(argv[0], table);
			exit(0);
		}
		if (!row)
			refuse(argv[0], argv[i], "is no argument");
		if (text)
			text++;
		else if (++i < argc)
			text = argv[i];
		else
			refuse(argv[0], argv[i - 1], "needs a number");
		set(argv[0], row, text);
	}
}
