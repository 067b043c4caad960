/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions as the disassembler (libcapstone) sees them: classes, words, sizes.
 */
#ifndef ABSTAT_INSN_CLASS_H
#define ABSTAT_INSN_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"

/* An instruction may be of several classes: one that adds to memory both loads and stores. */
enum insn_class {
	INSN_LOAD,
	INSN_STORE,
	INSN_PREFETCH,
	INSN_BRANCH, /* jumps and returns */
	INSN_CALL,
	INSN_ATOMIC,
	INSN_FENCE,
	INSN_VECTOR, /* uses a vector register, for scalars too */
	INSN_NOP,
	INSN_CLASSES
};
const char *insn_class_name(enum insn_class c); /* "loads" */
const char *insn_class_one(enum insn_class c);  /* "load" */

struct insn_mix {
	uint64_t instructions, bytes;
	uint64_t of[INSN_CLASSES];
};

struct insn_reader; /* a disassembler for one machine */

/* NULL: none for this machine, or out of memory. */
struct insn_reader *insn_reader_new(enum elf_code code);
void insn_reader_free(struct insn_reader *r);

/* Adds what is in the N bytes at P, which are loaded at ADDRESS, to *MIX. */
void insn_count(struct insn_reader *r, const uint8_t *p, size_t n, uint64_t address,
		struct insn_mix *mix);

/* The one instruction at P as text: its length, or 0. TEXT is empty if it is none. */
size_t insn_text(struct insn_reader *r, const uint8_t *p, size_t n, uint64_t address, char *text,
		 size_t text_size);

/* The bytes of memory that the one instruction at P reads or writes by an operand; 0: none, or not
 * known. */
unsigned insn_access_size(struct insn_reader *r, const uint8_t *p, size_t n, uint64_t address);

#endif
