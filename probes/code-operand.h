/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the parts that compare instructions: what their operands name. */
#ifndef ABSTAT_CODE_OPERAND_H
#define ABSTAT_CODE_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code-compare.h"
#include "code-insn.h"
#include "code-track.h"
#include "elf-pair.h"

/* A place of comparing: a function in each file. */
struct comparison {
	const struct elf_pair *p;
	const struct code_body *old, *new; /* NULL: equal offsets are equal instructions */
	uint64_t old_start, new_start, size;
	/* Without bodies: what registers hold, and pages that nothing was seen to use yet. */
	struct code_state old_state, new_state;
	struct {
		bool known, used;
		uint64_t old, new;
	} pages[CODE_REGISTERS];
	bool whole; /* a section, of which it is not known where functions begin */
	bool later; /* pages are compared afterwards */
	bool loose; /* branches within the function are not followed */
	struct code_loops *loops;
};

/* An instruction of one side. */
struct site {
	uint64_t address;
	const uint8_t *bytes;
	const struct code_insn *insn;
};

/*
 * Whether the address OLD in the old function means what NEW means in the new one: within the
 * function the same instruction, otherwise the same place elsewhere, by name or, where it has none,
 * by the SIZE bytes (0: the address is taken) that are there.
 */
bool code_same_target(const struct comparison *c, uint64_t old, uint64_t new, unsigned size);

/*
 * The same of two tables of jumps within the function. What is before them, to which code refers
 * that counts from another case than the first, leads elsewhere; so does what is behind them.
 */
bool code_same_jumps(const struct comparison *c, uint64_t old, uint64_t new);

/* The same of memory that instructions A and B read or write; ACCESS may be CODE_ACCESS_UNKNOWN. */
bool code_same_memory(const struct comparison *c, const struct site *a, const struct site *b,
		      uint64_t old, uint64_t new, unsigned access);

/* The same of tables in which A and B look something up: true means that they are the same in all
 * that is read of them, false that it is not known. */
bool code_same_entries(const struct comparison *c, const struct site *a, const struct site *b,
		       uint64_t old, uint64_t new);

/* True if VALUE is known to be the address of such a table on both sides, and not of the same. */
bool code_other_entries(const struct comparison *c, const struct site *a, const struct site *b,
			uint64_t value);

/* The same of references that count from a register. */
bool code_same_placed(const struct comparison *c, const struct code_ref *r,
		      const struct code_ref *s);

/* The same of numbers that may be offsets from the thread's pointer. */
bool code_same_thread(const struct comparison *c, uint64_t old, uint64_t new);

/* The same by guesses: true means that they are the same, false that it is not known. */
bool code_same_guess(const struct comparison *c, const struct code_ref *r,
		     const struct code_ref *s);

/* The same of numbers in A and B, which may be addresses, or offsets from the global offset table
 * or from the thread's storage. */
bool code_same_value(const struct comparison *c, const struct site *a, const struct site *b,
		     const struct code_ref *r, const struct code_ref *s);

/* The same of fields of A and B that the linker is to fill in. *TAKEN: a bit for each reference
 * that is one. */
bool code_same_relocations(const struct comparison *c, const struct site *a, const struct site *b,
			   unsigned *taken);

#endif
