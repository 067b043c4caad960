/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the parts of the decoder of x86 instructions. */
#ifndef ABSTAT_CODE_X86_H
#define ABSTAT_CODE_X86_H

#include <stdbool.h>
#include <stdint.h>

/* A bit for each of the eight registers that the instruction writes; of one that none of those
 * that compilers keep addresses with, 0. */
uint32_t code_x86_written(bool two_bytes, uint8_t opcode, uint8_t modrm);

#endif
