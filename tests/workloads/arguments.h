/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of an experiment's program: numbers with names, "--loops=1000" or "--loops
 * 1000".
 */
#ifndef WORKLOAD_ARGUMENTS_H
#define WORKLOAD_ARGUMENTS_H

struct argument {
	const char *name; /* without the dashes */
	long *value;      /* its default, until the command line says otherwise */
	long least;       /* the smallest value that makes sense */
	const char *help; /* one line */
};

/*
 * Sets the values; TABLE ends with a row without a name. --help prints the table and exits with 0;
 * what is no argument, or no number, is said on stderr, and the exit status is 2.
 */
void arguments_parse(int argc, char **argv, const struct argument *table);

#endif
