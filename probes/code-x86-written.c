/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which registers a 32-bit x86 instruction writes, as far as compilers use it for addresses. */
#include "code-x86.h"

/* eax, ecx, edx */
enum { CALL_WRITES = 7 };

static uint32_t of_modrm(uint8_t modrm)
{
	return modrm >> 6 == 3 ? 1u << (modrm & 7) : 0;
}

static uint32_t of_reg(uint8_t modrm)
{
	return 1u << (modrm >> 3 & 7);
}

static uint32_t by_arithmetic(uint8_t op, uint8_t modrm)
{
	/* cmp writes nothing. */
	if ((op & 0x38) == 0x38)
		return 0;
	switch (op & 7) {
	case 0:
	case 1:
		return of_modrm(modrm);
	case 2:
	case 3:
		return of_reg(modrm);
	case 4:
	case 5:
		return 1;
	default:
		return 0;
	}
}

static uint32_t by_one_byte(uint8_t op, uint8_t modrm)
{
	unsigned extension = modrm >> 3 & 7;

	if (op < 0x40)
		return by_arithmetic(op, modrm);
	if ((op & 0xf0) == 0x40 || (op & 0xf8) == 0x58 || (op & 0xf0) == 0xb0)
		return 1u << (op & 7);
	if ((op & 0xf8) == 0x90)
		return 1 | 1u << (op & 7);
	switch (op) {
	case 0x69:
	case 0x6b:
	case 0x8a:
	case 0x8b:
	case 0x8d:
		return of_reg(modrm);
	case 0x86:
	case 0x87:
		return of_reg(modrm) | of_modrm(modrm);
	case 0x80:
	case 0x81:
	case 0x83:
		return extension == 7 ? 0 : of_modrm(modrm);
	case 0x88:
	case 0x89:
	case 0x8f:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xc7:
	case 0xd0:
	case 0xd1:
	case 0xd2:
	case 0xd3:
	case 0xfe:
		return of_modrm(modrm);
	case 0xf6:
	case 0xf7:
		return extension < 2 ? 0 : extension < 4 ? of_modrm(modrm) : 1 | 1u << 2;
	case 0xff:
		return extension == 2 ? CALL_WRITES : extension < 2 ? of_modrm(modrm) : 0;
	case 0x99:
		return 1u << 2;
	case 0xa0:
	case 0xa1:
		return 1;
	case 0xe8:
		return CALL_WRITES;
	default:
		return 0;
	}
}

static uint32_t by_two_byte(uint8_t op, uint8_t modrm)
{
	if ((op & 0xf0) == 0x40 || op == 0xaf || op == 0xb6 || op == 0xb7 || op == 0xbc ||
	    op == 0xbd || op == 0xbe || op == 0xbf || op == 0x2c || op == 0x2d || op == 0xd7 ||
	    op == 0x50)
		return of_reg(modrm);
	if ((op & 0xf0) == 0x90 || op == 0x7e || op == 0xa4 || op == 0xac)
		return of_modrm(modrm);
	if ((op & 0xf8) == 0xc8)
		return 1u << (op & 7);
	if (op == 0xb0 || op == 0xb1)
		return 1 | of_modrm(modrm);
	if (op == 0xc0 || op == 0xc1)
		return of_reg(modrm) | of_modrm(modrm);
	return 0;
}

uint32_t code_x86_written(bool two_bytes, uint8_t opcode, uint8_t modrm)
{
	return two_bytes ? by_two_byte(opcode, modrm) : by_one_byte(opcode, modrm);
}
