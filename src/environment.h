/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The environment of a run or a hook: the caller's, changed by --env, changed by a variant's
 * assignments.
 */
#ifndef ABSTAT_ENVIRONMENT_H
#define ABSTAT_ENVIRONMENT_H

#include <stddef.h>

/*
 * BASE with CHANGES applied and then ASSIGNMENTS, all NULL-terminated, the latter two NULL for
 * none. "NAME=VALUE" sets, "NAME" alone removes. SPARE more entries fit behind the last. Returns a
 * NULL-terminated array that words_free() frees, or NULL: out of memory.
 */
char **environment_build(char *const *base, const char *const *changes, char *const *assignments,
			 size_t spare);

/* The value of NAME in ENVP, or NULL. */
const char *environment_get(char *const *envp, const char *name);

#endif
