/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One function of two ELF files side by side: its instructions as text, aligned. */
#ifndef ABSTAT_ELF_LISTING_H
#define ABSTAT_ELF_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-pair.h"

enum { ELF_LISTING_TEXT = 160 };

struct elf_listing_row {
	bool has[2];        /* old, new */
	bool same;          /* both, and the same but for addresses */
	uint64_t offset[2]; /* from the function's beginning */
	char text[2][ELF_LISTING_TEXT];
};

struct elf_listing {
	const char *name; /* as linkers know it */
	bool has[2];
	struct elf_listing_row *rows;
	size_t n;
};

/*
 * Lists the function that is called NAME, mangled or not, on either side. 0, or -errno with a
 * message in ERR: neither has such a function, or one has several of them (-ENOENT), there is no
 * disassembler for the machine (-ENOTSUP), it is too long (-EFBIG).
 */
int elf_listing_make(struct elf_listing *l, const struct elf_pair *p, const char *name, char *err,
		     size_t err_size);
/*
 * The function of F that is called NAME, or ELF_NONE: as linkers know it; as in the source, with
 * its parameters; or without them and without what its template is made for, where *OTHER becomes
 * another one of that name, or ELF_NONE.
 */
uint32_t elf_find_function(const struct elf_file *f, const char *name, uint32_t *other);

/* The names of functions of either file that are most like NAME, as "A, B, C"; "": there are none.
 */
void elf_suggest_function(const struct elf_pair *p, const char *name, char *text, size_t size);

void elf_listing_release(struct elf_listing *l);

#endif
