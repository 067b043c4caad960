/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two ELF files side by side: which symbol of one is which of the other, and whether two addresses
 * mean the same.
 */
#ifndef ABSTAT_ELF_PAIR_H
#define ABSTAT_ELF_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"
#include "insn-class.h"

struct elf_pair {
	struct elf_file *old, *new;
	uint32_t *to_new; /* a symbol of OLD → that of NEW, or ELF_NONE */
	uint32_t *to_old;
	uint64_t *work; /* bytes of constants that are still compared: of hostile files, not all */
	struct insn_reader *reader; /* NULL: there is no disassembler for this machine */
	bool same_image; /* all that is loaded is the same, byte for byte, at the same place */
	bool same_names; /* and every symbol is where its partner is */
};

/*
 * Pairs the symbols of OLD and NEW, which it borrows: those with the same name; of several, those
 * with the same contents, then those of the same source file, then in order. Numbers that compilers
 * append (".isra.0", "buffer.2") may differ where the whole name has no partner. 0 or -ENOMEM.
 */
int elf_pair_init(struct elf_pair *p, struct elf_file *old, struct elf_file *new);
void elf_pair_release(struct elf_pair *p);

/* True if everything that is loaded is where it was, symbols included, and what the program cannot
 * write holds what it held; notes and descriptions of frames aside. */
bool elf_pair_is_in_place(const struct elf_pair *p);

/* True if symbol OLD of the old file is, to what refers to it, symbol NEW of the new one. Either
 * may be ELF_NONE. */
bool elf_is_pair(const struct elf_pair *p, uint32_t old, uint32_t new);

/*
 * True if the address OLD of the old file means what NEW means in the new one: the same place in
 * the same symbol; or, where there is no symbol, the same imported function, the same text, or the
 * same SIZE bytes (0: not known) of data that is never written.
 */
bool elf_same_address(const struct elf_pair *p, uint64_t old, uint64_t new, unsigned size);

/* The array that ends at OLD in the old file, and its partner at NEW in the new one; or some bytes
 * before, as where a loop goes over a member of its elements. NULL: none does. */
const struct elf_symbol *elf_same_end(const struct elf_pair *p, uint64_t old, uint64_t new);

/*
 * True if OLD and NEW are as far before one symbol, and within others: loops that count from 1 have
 * the address of what would be element 0.
 */
bool elf_same_before(const struct elf_pair *p, uint64_t old, uint64_t new);

/* True if the same symbol begins SIZE bytes after OLD and after NEW. */
bool elf_same_next(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t size);

/* True if the SIZE bytes at OLD and at NEW are the same, in data that are never written, and what
 * they point to; where they have a name, if it is the same place in the same symbol. */
bool elf_same_entries(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t size);

/* True if a text begins at ADDRESS, in data that are never written. */
bool elf_is_text(const struct elf_file *f, uint64_t address);

/* Labels without a size, as linkers and start-up code set them: true if both addresses have one of
 * the same name. */
bool elf_same_label(const struct elf_pair *p, uint64_t old, uint64_t new);

/* The same of two fields that the linker is still to fill in. FROM_END: bytes from the field to
 * where it counts from. */
bool elf_same_relocation(const struct elf_pair *p, const struct elf_relocation *old,
			 const struct elf_relocation *new, unsigned from_end);

#endif
