/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Environments as arrays: later settings replace earlier ones in place, so that the order stays the
 * caller's.
 */
#include "environment.h"

#include <stdlib.h>
#include <string.h>

#include "variant.h"

static size_t count(const char *const *words)
{
	size_t n = 0;

	while (words && words[n])
		n++;
	return n;
}

static char **find(char **envp, const char *change)
{
	size_t len = strcspn(change, "=");

	for (char **e = envp; *e; e++)
		if (!strncmp(*e, change, len) && (*e)[len] == '=')
			return e;
	return NULL;
}

static int apply(char **envp, size_t *n, const char *const *changes)
{
	for (; changes && *changes; changes++) {
		char **old = find(envp, *changes);
		char *copy;

		if (!strchr(*changes, '=')) {
			if (!old)
				continue;
			free(*old);
			/* The terminating NULL moves along. */
			memmove(old, old + 1, (size_t)(envp + *n - old) * sizeof(*old));
			(*n)--;
			continue;
		}
		copy = strdup(*changes);
		if (!copy)
			return -1;
		if (old) {
			free(*old);
			*old = copy;
		} else {
			envp[(*n)++] = copy;
			envp[*n] = NULL;
		}
	}
	return 0;
}

char **environment_build(char *const *base, const char *const *changes, char *const *assignments,
			 size_t spare)
{
	const char *const *layers[] = {(const char *const *)base, changes,
				       (const char *const *)assignments};
	size_t n_base = count(layers[0]);
	size_t n = 0;
	char **envp =
	    calloc(n_base + count(layers[1]) + count(layers[2]) + spare + 1, sizeof(*envp));

	if (!envp)
		return NULL;
	/* The caller's entries are taken as they are: even doubles and words without "=". */
	for (; n < n_base; n++) {
		envp[n] = strdup(base[n]);
		if (!envp[n]) {
			words_free(envp);
			return NULL;
		}
	}
	for (int i = 1; i < 3; i++) {
		if (apply(envp, &n, layers[i])) {
			words_free(envp);
			return NULL;
		}
	}
	return envp;
}

const char *environment_get(char *const *envp, const char *name)
{
	size_t len = strlen(name);

	for (; *envp; envp++)
		if (!strncmp(*envp, name, len) && (*envp)[len] == '=')
			return *envp + len + 1;
	return NULL;
}
