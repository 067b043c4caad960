/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an instruction does with an index into a table. After the manuals of the machines. */
#include "code-step.h"

#include "code-insn.h"
#include "code-x86.h"

#define ALL_REGISTERS UINT32_MAX

static void set_copy(struct code_step *s, unsigned to, unsigned from)
{
	s->kind = STEP_COPY;
	s->to = (uint8_t)to;
	s->from = (uint8_t)from;
}

/* Less a number below zero is none of an index. */
static void set_subtract(struct code_step *s, unsigned to, unsigned from, uint64_t number)
{
	if (number > UINT32_MAX)
		return;
	set_copy(s, to, from);
	s->kind = STEP_SUBTRACT;
	s->number = (uint32_t)number;
}

static void set_compare(struct code_step *s, unsigned from, uint64_t number)
{
	if (number > UINT32_MAX)
		return;
	s->kind = STEP_COMPARE;
	s->from = (uint8_t)from;
	s->number = (uint32_t)number;
}

/* Registers of an x86 instruction with all of their bits. */
struct registers {
	unsigned reg, rm;
	bool bytes; /* rm, as one byte, is the low one of register rm */
};

static uint64_t immediate(const struct code_x86 *c)
{
	return code_x86_field(c->p + c->imm_at, c->imm_size);
}

static void step_arithmetic(const struct code_x86 *c, const struct registers *r,
			    struct code_step *out)
{
	uint64_t number = immediate(c);

	switch (c->modrm >> 3 & 7) {
	case 0:
		set_subtract(out, r->rm, r->rm, -number);
		break;
	case 5:
		set_subtract(out, r->rm, r->rm, number);
		break;
	case 7:
		set_compare(out, r->rm, number);
		break;
	default:
		break;
	}
}

/* lea of a register and a number. */
static void step_address(const struct code_x86 *c, const struct registers *r, struct code_step *out)
{
	out->address_to = (uint8_t)r->reg;
	if (!c->disp_relative && out->base != CODE_NO_REGISTER && out->index == CODE_NO_REGISTER)
		set_subtract(out, r->reg, out->base,
			     -code_x86_field(c->p + c->disp_at, c->disp_size));
}

/* The register that stands for the operand in memory, which has no index; or none. */
static unsigned memory(const struct code_x86 *c, struct code_step *out)
{
	if (out->base == CODE_NO_REGISTER || out->index != CODE_NO_REGISTER)
		return CODE_NO_REGISTER;
	out->offset = (uint32_t)code_x86_field(c->p + c->disp_at, c->disp_size);
	return STEP_MEMORY + out->base;
}

/* Of an operand that is compared, or copied to a register. */
static void step_memory(const struct code_x86 *c, const struct registers *r, bool compares,
			struct code_step *out)
{
	unsigned from = memory(c, out);

	if (from == CODE_NO_REGISTER)
		return;
	if (compares)
		set_compare(out, from, immediate(c));
	else
		set_copy(out, r->reg, from);
}

static void step_one_byte(const struct code_x86 *c, const struct registers *r,
			  struct code_step *out)
{
	bool direct = c->modrm >> 6 == 3;
	unsigned extension = c->modrm >> 3 & 7;

	switch (c->opcode) {
	case 0x3c:
	case 0x3d:
		set_compare(out, 0, immediate(c));
		return;
	case 0x63:
	case 0x8b:
		if (direct && (c->opcode == 0x8b || c->is64))
			set_copy(out, r->reg, r->rm);
		else if (c->opcode == 0x8b || c->is64)
			step_memory(c, r, false, out);
		return;
	case 0x89:
		if (direct)
			set_copy(out, r->rm, r->reg);
		return;
	case 0x80:
		if (direct && extension == 7 && r->bytes)
			set_compare(out, r->rm, immediate(c));
		else if (!direct && extension == 7)
			step_memory(c, r, true, out);
		return;
	case 0x81:
	case 0x83:
		if (direct)
			step_arithmetic(c, r, out);
		else if (extension == 7)
			step_memory(c, r, true, out);
		return;
	case 0x8d:
		step_address(c, r, out);
		return;
	case 0xff:
		if (extension == 1 && direct)
			set_subtract(out, r->rm, r->rm, 1);
		else if (extension >= 2 && extension <= 5)
			out->kind = STEP_ELSEWHERE;
		return;
	default:
		break;
	}
	if ((c->opcode & 0xf8) == 0x48)
		set_subtract(out, c->opcode & 7, c->opcode & 7, 1);
	else if ((c->opcode & 0xf8) == 0xb8)
		out->address_to = (uint8_t)((c->opcode & 7) | (c->rex & 1) << 3);
	else if (c->opcode == 0x77)
		out->kind = STEP_ABOVE;
	else if (c->opcode == 0x73)
		out->kind = STEP_NOT_BELOW;
	else if (c->form == 's' || c->form == 'j' || (c->opcode & 0xf6) == 0xc2)
		out->kind = STEP_ELSEWHERE;
}

static bool sets_flags(const struct code_x86 *c)
{
	unsigned op = c->opcode;

	if (c->map == 2)
		return op == 0x2e || op == 0x2f || (op >= 0xa3 && op <= 0xaf && op != 0xae) ||
		       (op >= 0xb0 && op <= 0xc1 && op != 0xb6 && op != 0xb7 && op != 0xbe &&
			op != 0xbf);
	return op < 0x50 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x85) || op == 0xa8 ||
	       op == 0xa9 || (op >= 0xc0 && op <= 0xc1) || (op >= 0xd0 && op <= 0xd3) ||
	       op == 0xf6 || op == 0xf7 || op >= 0xfe;
}

static void step_two_bytes(const struct code_x86 *c, const struct registers *r,
			   struct code_step *out)
{
	if (c->opcode == 0x87)
		out->kind = STEP_ABOVE;
	else if (c->opcode == 0x83)
		out->kind = STEP_NOT_BELOW;
	else if (c->form == 'j')
		out->kind = STEP_ELSEWHERE;
	else if (c->modrm >> 6 == 3 && ((c->opcode | 8) == 0xbf || (c->opcode == 0xb6 && r->bytes)))
		set_copy(out, r->reg, r->rm);
	else if (c->modrm >> 6 != 3 && (c->opcode == 0xb7 || c->opcode == 0xb6))
		step_memory(c, r, false, out);
	out->half = (c->opcode | 8) == 0xbf;
}

void code_step_x86(bool is64, const uint8_t *p, size_t n, struct code_step *out)
{
	struct code_x86 c;

	/* Vector and other long opcodes are none that an index is made with. */
	if (!code_x86_parse(is64, p, n, &c) || c.map > 2) {
		out->written = ALL_REGISTERS;
		return;
	}
	struct registers r = {(c.modrm >> 3 & 7) | (c.rex & 4) << 1,
			      (c.modrm & 7) | (c.rex & 1) << 3, false};
	size_t modrm_at = c.opcode_at + (size_t)c.map;
	uint32_t written = code_x86_written(c.map == 2, c.opcode, c.modrm);

	r.bytes = c.rex || r.rm < 4;
	/* That does not know registers beyond the eighth. */
	out->written = written | (is64 ? written << 8 : 0);
	if (c.base != CODE_NO_REGISTER && !c.disp_relative && !c.disp_bare &&
	    !(c.disp_size == 4 && c.modrm >> 6 == 0))
		out->base = (uint8_t)(c.base | (c.rex & 1) << 3);
	if (c.index != CODE_NO_REGISTER) {
		out->index = (uint8_t)(c.index | (c.rex & 2) << 2);
		out->scale = (uint8_t)(1 << (p[modrm_at + 1] >> 6));
	}
	out->flags = sets_flags(&c);
	if (c.map == 1)
		step_one_byte(&c, &r, out);
	else
		step_two_bytes(&c, &r, out);
	/* What has 16 bits says nothing of the rest. */
	if (c.operand16 && out->kind == STEP_COMPARE)
		out->half = true;
	else if (c.operand16)
		out->kind = STEP_OTHER;
}

/* ldr with a register as offset. */
static void take_index(uint32_t w, struct code_step *out)
{
	unsigned size = w >> 30;

	if ((w & 0x3b200c00) != 0x38200800)
		return;
	if ((w >> 26 & 1) && (w >> 23 & 1))
		size = 4;
	out->base = w >> 5 & 31;
	out->index = w >> 16 & 31;
	out->scale = (uint8_t)(1 << (w >> 12 & 1 ? size : 0));
}

/* adds, subs, ands, ccmp, fcmp, fccmp */
static bool sets_conditions(uint32_t w)
{
	return (w & 0x3f800000) == 0x31000000 || (w & 0x3f000000) == 0x2b000000 ||
	       (w & 0x7f000000) == 0x6a000000 || (w & 0x7f800000) == 0x72000000 ||
	       (w & 0x3fe00000) == 0x3a400000 || (w & 0xff203c00) == 0x1e202000 ||
	       (w & 0xff200c00) == 0x1e200400;
}

void code_step_arm64(uint32_t w, struct code_step *out)
{
	unsigned to = w & 31, from = w >> 5 & 31;

	take_index(w, out);
	out->flags = sets_conditions(w);
	/* subs, compared with nothing kept */
	if ((w & 0x7fc0001f) == 0x7100001f)
		set_compare(out, from, w >> 10 & 0xfff);
	else if ((w & 0x5fc00000) == 0x51000000 && to != 31 && from != 31)
		set_subtract(out, to, from, w >> 10 & 0xfff);
	/* mov; sxtw; and with 0xff and 0xffff */
	else if ((w & 0x7fe0ffe0) == 0x2a0003e0)
		set_copy(out, to, w >> 16 & 31);
	else if ((w & 0xfffffc00) == 0x93407c00 || (w & 0xfffffc00) == 0x12001c00 ||
		 (w & 0xfffffc00) == 0x12003c00)
		set_copy(out, to, from);
	else if ((w & 0xff00001f) == 0x54000008)
		out->kind = STEP_ABOVE;
	else if ((w & 0xff00001f) == 0x54000002)
		out->kind = STEP_NOT_BELOW;
	else if ((w & 0x1c000000) == 0x14000000 && (w & 0xff000000) != 0xd5000000)
		out->kind = STEP_ELSEWHERE;
	/* adr, and add of a number */
	else if ((w & 0x9f000000) == 0x10000000 || (w & 0xffc00000) == 0x91000000)
		out->address_to = (uint8_t)to;
}

void code_step(enum elf_code code, const uint8_t *p, size_t n, struct code_step *out)
{
	struct code_insn insn;

	*out = (struct code_step){
	    .base = CODE_NO_REGISTER, .index = CODE_NO_REGISTER, .address_to = CODE_NO_REGISTER};
	if (code != ELF_CODE_ARM64) {
		code_step_x86(code == ELF_CODE_X86_64, p, n, out);
		return;
	}
	if (n < 4)
		return;
	code_decode(code, p, n, 0, &insn);
	out->written = insn.written;
	code_step_arm64((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
			    (uint32_t)p[3] << 24,
			out);
}
