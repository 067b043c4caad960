/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of symbols as an ELF file holds it, for the parts of the reader. */
#ifndef ABSTAT_ELF_SYMBOL_TABLE_H
#define ABSTAT_ELF_SYMBOL_TABLE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"

struct elf_symbol_table {
	Elf *elf;
	Elf_Data *data,
	    *extended;  /* extended: indices of sections that do not fit in a row, or NULL */
	size_t strings; /* the section that holds the names */
	size_t n;       /* rows; number 0 is none */
};

struct elf_symbol_row {
	GElf_Sym sym;
	uint32_t section; /* that it is in; SHN_UNDEF where it is in none */
	const char *name; /* or NULL: damaged */
};

/* The first section of TYPE (SHT_SYMTAB, SHT_DYNSYM), or 0. */
size_t elf_symbol_table_find(const struct elf_file *f, uint32_t type);

/* Opens the table in SECTION: 0, or -EINVAL where it is damaged. There is nothing to be released.
 */
int elf_symbol_table_open(struct elf_symbol_table *t, const struct elf_file *f, size_t section);

/* Row number I. false: it is damaged. */
bool elf_symbol_table_row(const struct elf_symbol_table *t, size_t i, struct elf_symbol_row *row);

#endif
