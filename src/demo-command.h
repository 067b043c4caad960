/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a step of an experiment to the words of an `abstat compare`.
 */
#ifndef ABSTAT_DEMO_COMMAND_H
#define ABSTAT_DEMO_COMMAND_H

#include <stdbool.h>

#include "demos.h"

struct demo_plan {
	const char *directory; /* where the programs are, see demo_directory() */
	double scale;          /* multiplies what scales */
	char *const *further;  /* options that come last, NULL-terminated */
};

/*
 * Where the experiments' programs are: beside an abstat in its build directory, or where they were
 * installed, also below another root than configured. malloc'd; -ENOENT with a message in ERR that
 * says where they were looked for, -ENOMEM.
 */
int demo_directory(char **directory, char *err, size_t err_size);

/*
 * The words after "abstat", "compare" first. What is counted is chosen by what counts here: each
 * event is opened once. NULL if out of memory; words_free() frees them.
 */
char **demo_command(const struct demo_step *step, const struct demo_plan *plan);

/* Whether this user can probably have probes defined, as scopes need them. */
bool demo_may_probe(void);

#endif
