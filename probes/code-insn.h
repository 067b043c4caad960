/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions for comparing: their bytes without what depends on where they are, and what they
 * refer to.
 *
 * This is not a disassembler: it knows how long an instruction is and which of its bits are an
 * address, or may be one. That takes some nanoseconds an instruction, so that the code of a kernel
 * can be compared whole.
 */
#ifndef ABSTAT_CODE_INSN_H
#define ABSTAT_CODE_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"

enum { CODE_MAX_LENGTH = 15, CODE_ACCESS_UNKNOWN = 255, CODE_NO_REGISTER = 255 };

enum code_ref_kind {
	REF_BRANCH,  /* jumps or calls to .value */
	REF_ADDRESS, /* reads, writes or takes the address .value */
	REF_VALUE,   /* a number in the instruction, which may be an absolute address */
	REF_PAGE,    /* arm64: register .reg becomes the page .value */
	REF_LOW,     /* arm64: .value is added to register .reg */
	REF_THREAD,  /* arm64: a number, which may count from the thread's pointer */
};

/* What tells numbers from addresses on x86. */
enum code_ref_flag {
	REF_NUMBER = 1,  /* of an operation that addresses are no operands of */
	REF_LINKED = 2,  /* four bytes for what fits in one: the linker filled it in */
	REF_SEGMENT = 4, /* from where the thread's storage, or the CPU's, is */
	REF_BARE = 8,    /* there is no register beside it */
	REF_INDEXED = 16,
	REF_COMPARED = 32, /* with which something is compared: hardly the address of a text */
};

/* Where a reference that counts from a register leads, by what the register holds. */
enum code_placed {
	PLACED_NOWHERE, /* is not known */
	PLACED_ADDRESS,
	PLACED_THREAD, /* counts from the thread's pointer */
	PLACED_STALE,  /* was known before, but the code there is not reached from here */
};

struct code_ref {
	uint8_t kind;       /* enum code_ref_kind */
	uint8_t at, size;   /* the field's place in the instruction, in bytes */
	uint8_t reg, index; /* registers that it counts from, or CODE_NO_REGISTER */
	uint8_t placed;     /* enum code_placed, set by code_track() */
	uint8_t flags;      /* enum code_ref_flag */
	uint8_t
	    access; /* bytes read or written there; 0: the address is taken; CODE_ACCESS_UNKNOWN */
	uint64_t value;
	uint64_t place;  /* if it is placed, or guessed */
	uint32_t set_by; /* the instruction before it that set a page in the same register */
	bool guessed;    /* .place, from that page, which may not be the one */
};

struct code_insn {
	uint8_t length;
	uint8_t n_masked, n_refs;
	bool nop;     /* does nothing and may be padding */
	bool jumps;   /* to what a register or memory holds */
	bool leaves;  /* what follows is not reached from here */
	bool unknown; /* not an instruction that is known: one unit of data */
	bool call;
	uint32_t written; /* arm64, 32-bit x86: a bit a register; those of a call are all that it
			     may use */
	uint8_t masked[CODE_MAX_LENGTH]; /* jumps short and long are the same */
	struct code_ref refs[2];
};

/* Decodes what is at P, N > 0 bytes of code at ADDRESS, into *OUT. Always takes at least one byte.
 */
void code_decode(enum elf_code code, const uint8_t *p, size_t n, uint64_t address,
		 struct code_insn *out);

/* The same, but only for its length and references: faster. */
void code_decode_refs(enum elf_code code, const uint8_t *p, size_t n, uint64_t address,
		      struct code_insn *out);

/* True for what linkers put between functions, and assemblers at their end: it is never executed
 * there. */
bool code_is_filler(const struct code_insn *insn);

/* The parts for one machine; false: unknown. REFS: only the length and the references. */
bool code_decode_x86(bool is64, const uint8_t *p, size_t n, uint64_t address, bool refs,
		     struct code_insn *out);
bool code_decode_arm64(const uint8_t *p, size_t n, uint64_t address, struct code_insn *out);

#endif
