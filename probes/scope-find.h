/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of the search for a scope's target: each finds one kind, and says what to do where it is
 * not found.
 */
#ifndef ABSTAT_SCOPE_FIND_H
#define ABSTAT_SCOPE_FIND_H

#include <stddef.h>

#include "elf-file.h"
#include "scope-match.h"
#include "scope-target.h"

struct scope_search {
	const struct scope_spec *spec;
	const char *program;
	struct scope_target *target;
	char *err;
	size_t err_size;
};

/* Writes the message, returns R. */
int scope_fail(const struct scope_search *s, int r, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Opens a file in which scopes can be. -errno with a message: it is none; *F is to be freed
 * nevertheless. */
int scope_open_binary(const struct scope_search *s, const char *path, struct elf_file **f);

/*
 * Calls TRY for each file that the specification may mean: the program, then its libraries, or the
 * one that it names. TRY returns 0: it is here, 1: it is not, or -errno with a message. Returns
 * what TRY returned last.
 */
typedef int scope_try_fn(const struct scope_search *s, struct elf_file *f, bool library,
			 void *context);
int scope_each_file(const struct scope_search *s, scope_try_fn *try, void *context);

/* The place of ADDRESS in the file that is loaded there. -EINVAL: none. */
int scope_site_at(const struct scope_search *s, const struct elf_file *f, uint64_t address,
		  struct scope_site *site);

/* Sets the target's file and whether it can be loaded anywhere. */
int scope_set_file(const struct scope_search *s, const struct elf_file *f);

/* Fills the target with a function, or a range of it, that MATCH is in F; DEBUG has its symbols. */
int scope_take_function(const struct scope_search *s, const struct elf_file *f,
			const struct elf_file *debug, const struct scope_match *match);

/* The kinds. */
int scope_find_function(const struct scope_search *s);
int scope_find_kernel(const struct scope_search *s);
/* The same with other trees in the place of /proc and /sys. */
int scope_find_kernel_in(const struct scope_search *s, const char *proc, const char *sys);
int scope_find_markers(const struct scope_search *s);

#endif
