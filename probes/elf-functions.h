/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of an ELF file, by every name that its tables of symbols give them.
 */
#ifndef ABSTAT_ELF_FUNCTIONS_H
#define ABSTAT_ELF_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "elf-file.h"

struct elf_function {
	const char *name;    /* as linked, without its version; NAME_LENGTH bytes of it */
	int name_length;     /* what follows is "@VERSION" or the end */
	const char *version; /* or NULL */
	bool is_default;     /* of its versions the one that new programs are linked with */
	const char *source;  /* the source file of a local one, where the file tells it; or NULL */
	uint64_t address, size; /* size 0: not known */
	bool local, indirect;   /* indirect: it chooses a function when the program is loaded */
	bool label;             /* of no type: assembly, or not a function */
};

/* Not 0: that is enough. */
typedef int elf_function_fn(const struct elf_function *function, void *context);

/*
 * Calls EACH for every one, first of the full table, where there is one, then of the dynamic one;
 * a function that has several names, or is in both, comes more than once. Returns what EACH
 * returned last, or -EINVAL if a table is damaged.
 */
int elf_functions_each(const struct elf_file *f, elf_function_fn *each, void *context);

/*
 * The file that holds the symbols which were split off F, with the same build-id or by the name
 * and beside F; NULL if there is none. *WHERE, if it is not NULL, is where it is looked for first:
 * the caller frees it; it is NULL where F does not say which file is its.
 */
struct elf_file *elf_debug_file_open(const struct elf_file *f, char **path, char **where);

#endif
