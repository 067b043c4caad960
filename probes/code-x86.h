/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the parts of the decoder of x86 instructions. */
#ifndef ABSTAT_CODE_X86_H
#define ABSTAT_CODE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code-insn.h"

/* An instruction that is being taken apart. */
struct code_x86 {
	const uint8_t *p;
	size_t n, at;
	bool is64;
	bool operand16, address_size, wide;
	bool rep; /* 0xf3 */
	uint8_t rex;
	bool segment;
	bool evex;
	bool extended_index; /* REX.X */
	uint8_t base, index; /* of an operand in memory, or CODE_NO_REGISTER */
	uint8_t disp_at, disp_size;
	bool disp_relative; /* to the end of the instruction */
	bool disp_bare;     /* there is no register beside it */
	uint8_t imm_at, imm_size;
	uint8_t opcode, opcode_at;
	uint8_t modrm;
	int map; /* 1: one byte; 2: 0f; 3: VEX, EVEX or XOP, whose maps differ */
	char form;
};

/* Takes apart the instruction at P, of N bytes. False: it is none that is known, or it is cut off.
 */
bool code_x86_parse(bool is64, const uint8_t *p, size_t n, struct code_x86 *c);

/* A signed number of SIZE bytes. */
uint64_t code_x86_field(const uint8_t *p, size_t size);

/* Add to OUT, at ADDRESS, what the immediate and the displacement of C refer to. */
void code_x86_add_immediate(const struct code_x86 *c, uint64_t address, struct code_insn *out);
void code_x86_add_displacement(const struct code_x86 *c, uint64_t address, struct code_insn *out);

/* A bit for each of the eight registers that the instruction writes; of one that none of those
 * that compilers keep addresses with, 0. */
uint32_t code_x86_written(bool two_bytes, uint8_t opcode, uint8_t modrm);

#endif
