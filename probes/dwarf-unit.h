/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debugging information (DWARF 2 to 5), entry by entry: as much of it as tells what became of a
 * function. Everything is checked against the sections' sizes, and work is linear in them.
 */
#ifndef ABSTAT_DWARF_UNIT_H
#define ABSTAT_DWARF_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"

struct dwarf_bytes {
	const uint8_t *p;
	size_t n;
};

struct dwarf {
	const struct elf_file *file;
	struct dwarf_bytes info, abbrev, str, line_str, str_offsets;
};

/* -ENOENT: there is none. */
int dwarf_init(struct dwarf *d, const struct elf_file *f);

struct dwarf_attribute {
	uint32_t name, form;
	int64_t constant; /* of the form that has it here */
};

struct dwarf_abbrev {
	uint32_t tag;
	bool children, known;
	uint32_t first, n; /* of the unit's attributes */
};

struct dwarf_unit {
	size_t start, end, entries; /* in .debug_info: the header, the end, the first entry */
	unsigned version, address_size, offset_size;
	size_t str_base;
	size_t abbrev_offset;
	struct dwarf_abbrev *abbrevs; /* by code */
	size_t n_abbrevs;
	struct dwarf_attribute *attributes;
	size_t n_attributes;
	bool skipped; /* of a kind that has no functions, or damaged */
};

/*
 * Goes to the unit at AT, which is all zeros at first: what it had is kept where it is the same.
 * Returns the offset of the next one; 0: there is none.
 */
size_t dwarf_unit_read(struct dwarf_unit *u, const struct dwarf *d, size_t at);
void dwarf_unit_release(struct dwarf_unit *u);

/* What of an entry matters here. */
struct dwarf_entry {
	size_t at;    /* its offset in .debug_info */
	uint32_t tag; /* 0: the end of a list of children */
	bool children;
	const char *name, *linkage_name; /* or NULL */
	size_t origin;           /* the entry that it is made of, or that declares it; 0: none */
	unsigned inlined;        /* DW_AT_inline: 1 and 3 say that it was inlined */
	bool has_code, declared; /* declared: and no more */
};

/* Reads the entry at AT of the unit: the offset behind it, or 0: it is damaged. */
size_t dwarf_entry_read(struct dwarf_entry *e, const struct dwarf *d, struct dwarf_unit *u,
			size_t at);

#endif
