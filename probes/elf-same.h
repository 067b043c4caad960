/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the parts that say whether two addresses mean the same. */
#ifndef ABSTAT_ELF_SAME_H
#define ABSTAT_ELF_SAME_H

#include <stdbool.h>
#include <stdint.h>

#include "elf-pair.h"

/* elf_same_address() where DEPTH pointers have been followed already. */
bool elf_same_at(const struct elf_pair *p, uint64_t old, uint64_t new, unsigned size, int depth);

/* A pointer that the dynamic linker fills in, or that the linker has filled in already. */
bool elf_same_slot(const struct elf_pair *p, uint64_t old, uint64_t new, int depth);

/*
 * Where the stub of an imported function that begins at ADDRESS gets its target from; false: no
 * stub begins there. A stub is a jump through the slot, which arm64 needs three instructions for; a
 * landing pad may come before it.
 */
bool elf_stub_slot(const struct elf_file *f, uint64_t address, uint64_t *slot);

/* True if the program cannot write to the section. */
bool elf_is_constant(const struct elf_section *s);

/* Data of such sections, without a name: the same text, the same SIZE bytes, or, if that is 0, the
 * same as far as they reach. */
bool elf_same_constant(const struct elf_pair *p, uint64_t old, uint64_t new, unsigned size,
		       int depth);

/* Of what the linker fills in: only what leads to code that is in no symbol, all of it by where it
 * leads, or that and what constants are there. */
enum elf_links { ELF_LINKS_BARE_CODE, ELF_LINKS_PLACE, ELF_LINKS_MEANING };

/* True if the fields that the linker fills in are the same in the SIZE bytes at OLD and at NEW of
 * two relocatable objects, as far as WHICH says. */
bool elf_same_links(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t size,
		    enum elf_links which);

#endif
