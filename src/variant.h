/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variants: the commands that are compared, from the command line to argument vectors.
 */
#ifndef ABSTAT_VARIANT_H
#define ABSTAT_VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One -L NAME=V1,V2,...: a parameter and its values. */
struct parameter {
	char *name;
	char **values;
	size_t n;
};

/* Shell commands around the runs, each NULL if there is none. */
struct hooks {
	char *setup;    /* once, before the first block */
	char *prepare;  /* before every run */
	char *conclude; /* after every run */
	char *cleanup;  /* once, at the end */
};

struct variant {
	char *name;         /* --name, or the command as given, unique */
	char *command;      /* as given, parameters filled in: for messages and the record */
	char **argv;        /* NULL-terminated; words may contain "{block}" */
	char **assignments; /* "NAME=VALUE" words that led the command, NULL-terminated; may be
			       empty */
	struct hooks hooks;
};

/*
 * What the command line said. Hooks and names: none, one for all, or one a command (n_... ==
 * n_commands).
 */
struct variant_spec {
	const char *const
	    *commands; /* compare: one string a variant; split as a POSIX shell would */
	size_t n_commands;
	char *const
	    *argv; /* stat: the words of the one command, used as they are; NULL otherwise */
	const struct parameter *parameters;
	size_t n_parameters;
	bool shell; /* run each string by sh -c */
	const char *const *names;
	size_t n_names;
	const char *const *setups, *const *prepares, *const *concludes, *const *cleanups;
	size_t n_setups, n_prepares, n_concludes, n_cleanups;
};

struct variant_list {
	struct variant *v;
	size_t n;
};

/*
 * Builds the variants: all combinations of the parameters × the commands, the first parameter
 * varying slowest. -EINVAL with a message in ERR: an unquoted shell character without --shell
 * (names --shell), an unbalanced quote, an empty command, a {NAME} without its -L, an -L that
 * nothing uses, duplicate names, numbers of hooks or names that do not match. On error *LIST is
 * empty.
 */
int variant_list_build(struct variant_list *list, const struct variant_spec *spec, char *err,
		       size_t err_size);
void variant_list_release(struct variant_list *list);

/* Parses the "NAME=V1,V2" of -L. 0, -EINVAL with a message, -ENOMEM. */
int parameter_parse(struct parameter *p, const char *text, char *err, size_t err_size);
void parameter_release(struct parameter *p);

/*
 * Splits TEXT into words as a POSIX shell would, without expansions: quotes and backslashes are
 * honoured. Returns a NULL-terminated array that words_free() frees, or NULL with a message in ERR.
 */
char **words_split(const char *text, char *err, size_t err_size);
void words_free(char **words);

/*
 * WORDS as one line that splits into them again, quoted where needed; malloc'd, NULL if out of
 * memory.
 */
char *words_join(char *const *words);

/*
 * TEXT with every "{block}" (but not "${block}") replaced by SEED in decimal; malloc'd, NULL if out
 * of memory.
 */
char *block_expand(const char *text, uint64_t seed);

#endif
