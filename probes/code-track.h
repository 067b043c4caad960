/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What registers hold that addresses are counted from: on arm64 pages, addresses and the thread's
 * pointer, on 32-bit x86 the global offset table.
 */
#ifndef ABSTAT_CODE_TRACK_H
#define ABSTAT_CODE_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code-insn.h"
#include "elf-file.h"

enum { CODE_REGISTERS = 32, CODE_SLOTS = 48 };

enum code_held {
	HELD_NOTHING, /* that is known */
	HELD_PAGE,
	HELD_ADDRESS,
	HELD_THREAD, /* an offset from the thread's pointer */
	HELD_TABLE,  /* the global offset table */
	HELD_STALE,  /* something that may not have come from the instruction before */
};

struct code_register {
	uint8_t kind;
	uint32_t set_by; /* the instruction that set a page, or CODE_SET_BY_MANY */
	uint64_t value;
};

#define CODE_SET_BY_MANY UINT32_MAX
#define CODE_SET_BY_NONE (UINT32_MAX - 1)

struct code_state {
	struct code_register reg[CODE_REGISTERS];
	/* What was put away on the stack, at which offset from its pointer. */
	struct code_register slot[CODE_SLOTS];
	uint16_t slot_at[CODE_SLOTS];
};

/* True if there is anything to keep for code of that kind. */
bool code_is_tracked(enum elf_code code);

/*
 * Takes the state past the instruction INSN, number INDEX, at ADDRESS, and sets in it what its
 * references are counted from. Returns the number of the instruction whose page it uses,
 * CODE_SET_BY_MANY, or CODE_SET_BY_NONE.
 */
uint32_t code_track(struct code_state *s, const struct elf_file *f, uint64_t address,
		    struct code_insn *insn, uint32_t index);

/* What is not known to hold where control does not come from the instruction before. */
void code_forget(struct code_state *s);

/* What holds where control comes from both: into A. True if that changed it. */
bool code_meet(struct code_state *a, const struct code_state *b);

/* True if the number VALUE, added to about the address of its instruction, makes the address of the
 * global offset table. */
bool code_adds_table(const struct elf_file *f, uint64_t address, uint64_t value);

/* Tracks what registers hold through the function B, along its branches. 0 or -ENOMEM. */
struct code_body;
int code_follow(struct code_body *b);

#endif
