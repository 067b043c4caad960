/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the parts of an x86 instruction are: prefixes, opcode, ModRM, displacement, immediate.
 *
 * After the opcode maps of the Intel and AMD manuals. One letter an opcode says what follows it:
 *   .  nothing            M  ModRM                   b  M and an immediate of 8 bits
 *   1  8 bits             2  16 bits                 z  M and one of 16 or 32
 *   i  16 or 32 bits      v  16, 32 or 64 bits       s  short branch       j  near branch
 *   e  16 and 8 bits      f  a far pointer           o  an absolute address
 *   3  M, and 8 bits if the operation is TEST        4  the same with 16 or 32
 *   p  a prefix           x  not an instruction      -  a longer opcode: handled apart
 */
#include "code-x86.h"

#include <string.h>

#include "code-insn.h"

static const char one_byte[257] = "MMMM1ixxMMMM1ix-"
				  "MMMM1ixxMMMM1ixx"
				  "MMMM1ip.MMMM1ip."
				  "MMMM1ip.MMMM1ip."
				  "................"
				  "................"
				  "..MMpppp"
				  "iz1b...."
				  "ssssssssssssssss"
				  "bzbbMMMMMMMMMMMM"
				  "..........f....."
				  "oooo....1i......"
				  "11111111vvvvvvvv"
				  "bb2.MMbze.2..1.."
				  "MMMM11..MMMMMMMM"
				  "ssss1111jjfs...."
				  "p.pp..34......MM";

static const char two_byte[257] = "MMMMx.....x.xM.b"
				  "MMMMMMMMMMMMMMMM"
				  "MMMMxxxxMMMMMMMM"
				  "......x.-x-xxxxx"
				  "MMMMMMMMMMMMMMMM"
				  "MMMMMMMMMMMMMMMM"
				  "MMMMMMMMMMMMMMMM"
				  "bbbbMMM.MMxxMMMM"
				  "jjjjjjjjjjjjjjjj"
				  "MMMMMMMMMMMMMMMM"
				  "...MbMxx...MbMMM"
				  "MMMMMMMMMMbMMMMM"
				  "MMbMbbbM........"
				  "MMMMMMMMMMMMMMMM"
				  "MMMMMMMMMMMMMMMM"
				  "MMMMMMMMMMMMMMMM";

static bool more(const struct code_x86 *c)
{
	return c->at < c->n && c->at < CODE_MAX_LENGTH;
}

static void take_prefixes(struct code_x86 *c)
{
	for (; more(c); c->at++) {
		uint8_t b = c->p[c->at];

		if (c->is64 && (b & 0xf0) == 0x40) {
			/* REX counts only right before the opcode. */
			c->rex = b;
			c->wide = (b & 8) != 0;
			c->extended_index = (b & 2) != 0;
			c->at++;
			if (more(c) &&
			    ((c->p[c->at] & 0xf0) == 0x40 || one_byte[c->p[c->at]] == 'p')) {
				c->wide = c->extended_index = false;
				c->rex = 0;
				c->at--;
				continue;
			}
			return;
		}
		if (one_byte[b] != 'p')
			return;
		c->operand16 |= b == 0x66;
		c->address_size |= b == 0x67;
		c->rep |= b == 0xf3;
		c->segment |= b == 0x64 || b == 0x65;
	}
}

/* VEX, EVEX and XOP carry the map in their second byte. */
static bool take_vector_prefix(struct code_x86 *c, bool *is_vector)
{
	uint8_t b = c->p[c->at], next = c->at + 1 < c->n ? c->p[c->at + 1] : 0;
	size_t length = b == 0xc5 ? 2 : b == 0xc4 || b == 0x8f ? 3 : b == 0x62 ? 4 : 0;
	unsigned map = b == 0xc5 ? 1 : next & (b == 0x62 ? 7 : 31);

	*is_vector = length && (b == 0x8f ? map >= 8 : c->is64 || next >= 0xc0);
	if (!*is_vector)
		return true;
	if (c->at + length >= c->n)
		return false;
	c->wide = b != 0xc5 && (c->p[c->at + 2] & 0x80);
	c->evex = b == 0x62;
	c->at += length;
	c->opcode_at = (uint8_t)c->at;
	c->opcode = c->p[c->at++];
	c->map = 3;
	c->form = 'M';
	if (b == 0x8f)
		c->form = map == 8 ? 'b' : map == 10 ? 'X' : 'M';
	else if (map == 3 || (map == 1 && two_byte[c->opcode] == 'b'))
		c->form = 'b';
	else if (map == 1 && b != 0x62 && c->opcode == 0x77)
		c->form = '.';
	return true;
}

static bool take_opcode(struct code_x86 *c)
{
	bool is_vector;

	if (!more(c) || !take_vector_prefix(c, &is_vector))
		return false;
	if (is_vector)
		return true;
	c->map = 1;
	c->opcode_at = (uint8_t)c->at;
	c->opcode = c->p[c->at++];
	c->form = one_byte[c->opcode];
	if (c->opcode != 0x0f)
		return true;
	if (!more(c))
		return false;
	c->map = 2;
	c->opcode = c->p[c->at++];
	c->form = two_byte[c->opcode];
	if (c->form != '-')
		return true;
	if (!more(c))
		return false;
	/* 0f 38 and 0f 3a */
	c->form = c->opcode == 0x38 ? 'M' : 'b';
	c->map = 3;
	c->at++;
	return true;
}

static bool take_displacement(struct code_x86 *c, size_t size, bool relative, bool bare)
{
	c->disp_at = (uint8_t)c->at;
	c->disp_size = (uint8_t)size;
	c->disp_relative = relative;
	c->disp_bare = bare;
	c->at += size;
	return c->at <= c->n;
}

static bool take_modrm(struct code_x86 *c)
{
	if (!more(c))
		return false;
	c->modrm = c->p[c->at++];
	unsigned mod = c->modrm >> 6, rm = c->modrm & 7;
	bool move_control = c->map == 2 && c->opcode >= 0x20 && c->opcode <= 0x23;

	if (mod == 3 || move_control)
		return true;
	if (!c->is64 && c->address_size) {
		if (mod == 0 && rm == 6)
			return take_displacement(c, 2, false, true);
		return mod ? take_displacement(c, mod, false, false) : true;
	}
	bool sib_base = true, index = false;

	c->base = (uint8_t)rm;
	if (rm == 4) {
		if (!more(c))
			return false;
		uint8_t sib = c->p[c->at++];

		index = (sib >> 3 & 7) != 4 || c->extended_index;
		sib_base = (sib & 7) != 5 || mod != 0;
		c->base = sib & 7;
		if (index)
			c->index = sib >> 3 & 7;
	}
	if (mod == 0 && (rm == 5 || !sib_base))
		return take_displacement(c, 4, c->is64 && rm == 5, !index);
	return mod ? take_displacement(c, mod == 1 ? 1 : 4, false, false) : true;
}

static bool has_modrm(char form)
{
	switch (form) {
	case 'M':
	case 'b':
	case 'z':
	case 'X':
	case '3':
	case '4':
		return true;
	default:
		return false;
	}
}

static size_t immediate_size(const struct code_x86 *c)
{
	size_t word = c->operand16 ? 2 : 4;

	/* Most have none. */
	if (c->form == 'M' || c->form == '.')
		return 0;
	switch (c->form) {
	case '1':
	case 'b':
	case 's':
		return 1;
	case '2':
		return 2;
	case 'e':
		return 3;
	case 'X':
		return 4;
	case 'i':
	case 'z':
		return word;
	case 'v':
		return c->wide ? 8 : word;
	case 'j':
		return c->is64 ? 4 : word;
	case 'f':
		return word + 2;
	case 'o':
		return (c->is64 ? 8u : 4u) >> c->address_size;
	case '3':
		return c->modrm & 0x30 ? 0 : 1;
	case '4':
		return c->modrm & 0x30 ? 0 : word;
	default:
		return 0;
	}
}

static void set_masked(const struct code_x86 *c, struct code_insn *out)
{
	size_t n = c->at;

	/* A copy of known size is much faster. */
	if (c->n >= CODE_MAX_LENGTH)
		memcpy(out->masked, c->p, CODE_MAX_LENGTH);
	else
		memcpy(out->masked, c->p, n);
	for (size_t i = 0; i < out->n_refs; i++)
		memset(out->masked + out->refs[i].at, 0, out->refs[i].size);
	/* A jump is written short or long, after how far it goes. */
	bool near = c->map == 2 && c->form == 'j';

	if (c->map == 1 && c->opcode == 0xeb) {
		out->masked[c->opcode_at] = 0xe9;
		n = c->opcode_at + 1u;
	} else if (c->map == 1 && c->form == 'j') {
		n = c->opcode_at + 1u;
	} else if ((c->map == 1 && (c->opcode & 0xf0) == 0x70) || near) {
		out->masked[c->opcode_at] = 0x70 | (c->opcode & 15);
		n = c->opcode_at + 1u;
	}
	out->n_masked = (uint8_t)n;
}

/* What 32-bit assemblers pad with: lea 0(%esi), %esi in its several lengths. */
static bool is_padding_lea(const struct code_x86 *c)
{
	bool plain = c->modrm == 0x76 || c->modrm == 0xb6,
	     indexed = c->modrm == 0x74 || c->modrm == 0xb4;

	return !c->is64 && c->opcode == 0x8d &&
	       (plain || (indexed && c->p[c->disp_at - 1] == 0x26)) &&
	       !code_x86_field(c->p + c->disp_at, c->disp_size);
}

static void set_kind(const struct code_x86 *c, struct code_insn *out)
{
	uint8_t op = c->opcode;
	unsigned extension = c->modrm >> 3 & 7;

	if (c->map == 1) {
		/* f3 90 is PAUSE. */
		out->nop = (op == 0x90 && !c->rep && !c->wide) || is_padding_lea(c);
		out->leaves = op == 0xeb || op == 0xe9 || op == 0xc3 || op == 0xc2 || op == 0xcc ||
			      (op == 0xff && (extension == 4 || extension == 5));
		out->jumps = op == 0xff && (extension == 4 || extension == 5);
		out->call = op == 0xe8 || (op == 0xff && extension == 2);
	} else if (c->map == 2) {
		/* As assemblers pad with it. */
		out->nop = op == 0x1f && !extension &&
			   (!c->disp_size || !code_x86_field(c->p + c->disp_at, c->disp_size));
		out->leaves = op == 0x0b;
	}
}

/* A part of code_decode_x86(), where much of the time goes. */
static inline __attribute__((always_inline)) bool parse(bool is64, const uint8_t *p, size_t n,
							struct code_x86 *c)
{
	*c = (struct code_x86){
	    .p = p, .n = n, .is64 = is64, .base = CODE_NO_REGISTER, .index = CODE_NO_REGISTER};
	take_prefixes(c);
	if (!take_opcode(c) || c->form == 'x' || c->form == 'p')
		return false;
	if (has_modrm(c->form) && !take_modrm(c))
		return false;
	c->imm_at = (uint8_t)c->at;
	c->imm_size = (uint8_t)immediate_size(c);
	c->at += c->imm_size;
	return c->at <= n && c->at <= CODE_MAX_LENGTH;
}

bool code_x86_parse(bool is64, const uint8_t *p, size_t n, struct code_x86 *c)
{
	return parse(is64, p, n, c);
}

bool code_decode_x86(bool is64, const uint8_t *p, size_t n, uint64_t address, bool refs,
		     struct code_insn *out)
{
	struct code_x86 c;

	if (!parse(is64, p, n, &c))
		return false;
	out->length = (uint8_t)c.at;
	code_x86_add_immediate(&c, address, out);
	set_kind(&c, out);
	if (!is64 && c.map < 3)
		out->written = code_x86_written(c.map == 2, c.opcode, c.modrm);
	if (c.disp_size == 4 && !out->nop)
		code_x86_add_displacement(&c, address, out);
	if (!refs)
		set_masked(&c, out);
	return true;
}
