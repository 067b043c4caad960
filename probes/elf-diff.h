/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between two ELF files, as plain data.
 *
 * Of everything there are two: [ELF_OLD] and [ELF_NEW]. Strings are borrowed from the files.
 */
#ifndef ABSTAT_ELF_DIFF_H
#define ABSTAT_ELF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"
#include "elf-pair.h"
#include "insn-class.h"

enum { ELF_OLD, ELF_NEW, ELF_SIDES };

/* As size(1) adds up what is loaded. */
struct elf_sizes {
	uint64_t text, data, bss;
};

struct elf_section_change {
	const char *name;
	bool has[ELF_SIDES];
	bool loaded;   /* by either of them */
	bool contents; /* as long as before, with other bytes */
	uint64_t size[ELF_SIDES];
	uint64_t in_symbols[ELF_SIDES]; /* bytes that belong to symbols */
};

struct elf_symbol_change {
	const char *name, *section;
	bool code;
	bool has[ELF_SIDES];
	uint64_t size[ELF_SIDES];
};

struct elf_function_change {
	const char *name; /* or ".text": what is in no symbol of that section */
	bool whole_section;
	bool has[ELF_SIDES];
	uint64_t address[ELF_SIDES], size[ELF_SIDES];
	struct insn_mix mix[ELF_SIDES];
};

/* Modulo 16, 32, 64. */
enum { ELF_MODULI = 3 };

struct elf_alignment {
	const char *name;
	uint64_t address[ELF_SIDES];
	size_t loops, loops_changed[ELF_MODULI]; /* places that are branched back to; those whose
						    remainder changed */
};

struct elf_symbol_totals {
	size_t grown, shrunk, added, removed;
	uint64_t grown_bytes, shrunk_bytes, added_bytes, removed_bytes;
	uint64_t bytes[ELF_SIDES];   /* of all symbols */
	uint64_t outside[ELF_SIDES]; /* loaded, and in no symbol */
};

struct elf_code_totals {
	size_t compared, changed; /* functions that both have */
	size_t added, removed;
	struct insn_mix mix[ELF_SIDES]; /* of those that changed, are new or are gone */
	bool outside_changed;           /* code that is in no symbol */
};

struct elf_report {
	const struct elf_file *file[ELF_SIDES];
	struct elf_sizes sizes[ELF_SIDES];
	bool has_compressed;            /* it was asked for */
	uint64_t compressed[ELF_SIDES]; /* loadable contents by zlib */
	bool has_classes;               /* the mix of instructions is known */
	bool has_functions;             /* there are symbols of code to compare by */
	bool stripped[ELF_SIDES];       /* has no full table of symbols, while the other one has */
	bool same_image;
	struct elf_section_change *sections;
	size_t n_sections;
	struct elf_symbol_change
	    *symbols; /* that grew, shrank, came or went; the largest change first */
	size_t n_symbols;
	struct elf_symbol_totals symbol_totals;
	struct elf_function_change *functions; /* the largest change first */
	size_t n_functions;
	struct elf_code_totals code;
	struct elf_alignment *alignments;
	size_t n_alignments;
	size_t functions_moved[ELF_MODULI], loops_moved[ELF_MODULI]; /* with another remainder */
	bool code_same;    /* no function came, went or changed, nor code that is in none */
	bool code_unclear; /* some code could not be compared: without a change, it may be the same
			      or not, and is not taken as the same */
	bool differ;       /* in anything that is reported and loaded */
};

struct elf_diff_options {
	bool compressed;
};

/*
 * Compares the files of PAIR. 0, or -errno with a message in ERR. The report borrows from PAIR and
 * its files.
 */
int elf_report_make(struct elf_report *r, const struct elf_pair *pair,
		    const struct elf_diff_options *options, char *err, size_t err_size);
void elf_report_release(struct elf_report *r);

struct elf_sizes elf_sizes_of(const struct elf_file *f);
uint64_t elf_sizes_total(const struct elf_sizes *sizes);

/* The bytes of F's loadable contents, compressed as gzip -9 does. 0 or -ENOMEM. */
int elf_compressed_size(const struct elf_file *f, uint64_t *size);

/* For the parts of the report. */
int elf_report_symbols(struct elf_report *r, const struct elf_pair *p);
int elf_report_functions(struct elf_report *r, const struct elf_pair *p);

#endif
