/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an instruction does with an index into a table: where it comes from and how far it goes. */
#ifndef ABSTAT_CODE_STEP_H
#define ABSTAT_CODE_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"

enum code_step_kind {
	STEP_OTHER,
	STEP_COPY,      /* .to becomes .from, perhaps extended */
	STEP_SUBTRACT,  /* .to becomes .from less .number */
	STEP_COMPARE,   /* of .from with .number */
	STEP_ABOVE,     /* jumps if it is above, without a sign */
	STEP_NOT_BELOW, /* jumps if it is not below */
	STEP_ELSEWHERE, /* another jump, or a call */
};

struct code_step {
	enum code_step_kind kind;
	bool half;        /* of 16 bits: compared, or copied and extended */
	bool flags;       /* it may set what conditions are about */
	uint8_t to, from; /* registers */
	uint32_t number;
	uint32_t offset;     /* of memory */
	uint32_t written;    /* a bit for each register that it may write */
	uint8_t base, index; /* of its operand in memory, or CODE_NO_REGISTER */
	uint8_t scale;       /* what the index is multiplied by */
	uint8_t address_to;  /* the register that becomes an address, or CODE_NO_REGISTER */
};

/* As .from: what is in memory .offset beyond the register less this. */
enum { STEP_MEMORY = 64 };

/* The instruction at P, of at most N bytes. */
void code_step(enum elf_code code, const uint8_t *p, size_t n, struct code_step *out);

/* The parts for one machine. */
void code_step_x86(bool is64, const uint8_t *p, size_t n, struct code_step *out);
void code_step_arm64(uint32_t w, struct code_step *out);

#endif
