/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that the dynamic linker loads with a program.
 *
 * Where libraries are found depends on the program's own paths, on caches, on the environment and
 * on the processor, and every C library has its own rules: the program's dynamic linker is asked,
 * which lists them without running the program.
 */
#ifndef ABSTAT_ELF_NEEDED_H
#define ABSTAT_ELF_NEEDED_H

#include <stddef.h>

#include "elf-file.h"

struct elf_needed {
	char **paths; /* in the order in which they are searched for a name */
	size_t n;
};

/*
 * Fills NEEDED, of which there is nothing if F is linked statically. 0, -ENOMEM, or -errno with a
 * message: the dynamic linker does not say.
 */
int elf_needed_init(struct elf_needed *needed, const struct elf_file *f, char *err,
		    size_t err_size);
void elf_needed_release(struct elf_needed *needed);

/* The library that is called NAME: "libc.so.6", or as the linker takes it, "c" or "libc". NULL. */
const char *elf_needed_find(const struct elf_needed *needed, const char *name);

#endif
