/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an x86 instruction refers to, and what tells addresses from numbers in it. */
#include "code-x86.h"

#include "code-insn.h"

uint64_t code_x86_field(const uint8_t *p, size_t size)
{
	uint64_t n = 0;

	for (size_t i = size; i-- > 0;)
		n = n << 8 | p[i];
	return size && size < 8 && n >> (8 * size - 1) ? n | ~(uint64_t)0 << 8 * size : n;
}

static struct code_ref *add_ref(struct code_insn *out, enum code_ref_kind kind, size_t at,
				size_t size, uint64_t value)
{
	struct code_ref *r = &out->refs[out->n_refs++];

	*r = (struct code_ref){.kind = kind,
			       .at = (uint8_t)at,
			       .size = (uint8_t)size,
			       .reg = CODE_NO_REGISTER,
			       .index = CODE_NO_REGISTER,
			       .value = value};
	return r;
}

/* Addresses are moved, pushed, compared, added and subtracted. */
static bool is_number(const struct code_x86 *c)
{
	unsigned extension = c->modrm >> 3 & 7;

	if (c->map != 1)
		return true;
	switch (c->opcode) {
	case 0x81:
		return extension != 0 && extension != 5 && extension != 7;
	case 0x0d:
	case 0x15:
	case 0x1d:
	case 0x25:
	case 0x35:
	case 0x69:
	case 0xa9:
	case 0xf7:
		return true;
	default:
		return false;
	}
}

static bool is_comparison(const struct code_x86 *c)
{
	return c->map == 1 &&
	       (c->opcode == 0x3d || (c->opcode == 0x81 && (c->modrm >> 3 & 7) == 7));
}

/* Instructions that have a shorter form for numbers of 8 bits, which assemblers use. */
static bool has_short_form(const struct code_x86 *c)
{
	return c->map == 1 && (c->opcode == 0x81 || c->opcode == 0x68 || c->opcode == 0x69 ||
			       (c->opcode < 0x40 && (c->opcode & 7) == 5));
}

static bool fits_byte(uint64_t value)
{
	return value + 128 < 256;
}

void code_x86_add_immediate(const struct code_x86 *c, uint64_t address, struct code_insn *out)
{
	uint64_t value = code_x86_field(c->p + c->imm_at, c->imm_size),
		 limit = c->is64 ? UINT64_MAX : UINT32_MAX;

	if (c->form == 's' || c->form == 'j') {
		add_ref(out, REF_BRANCH, c->imm_at, c->imm_size, (address + c->at + value) & limit);
		return;
	}
	if (c->imm_size != 4 && c->imm_size != 8)
		return;
	struct code_ref *r = add_ref(out, REF_VALUE, c->imm_at, c->imm_size, value);

	if (c->form == 'o') {
		r->flags = REF_BARE | (c->segment ? REF_SEGMENT : 0);
		r->access = CODE_ACCESS_UNKNOWN;
	} else if (is_number(c)) {
		r->flags = REF_NUMBER;
	} else if (c->imm_size == 4 && has_short_form(c) && fits_byte(value)) {
		r->flags = REF_LINKED;
	}
	if (is_comparison(c))
		r->flags |= REF_COMPARED;
}

void code_x86_add_displacement(const struct code_x86 *c, uint64_t address, struct code_insn *out)
{
	uint64_t value = code_x86_field(c->p + c->disp_at, c->disp_size);
	struct code_ref *r = add_ref(out, c->disp_relative ? REF_ADDRESS : REF_VALUE, c->disp_at, 4,
				     value + (c->disp_relative ? address + c->at : 0));

	if (c->disp_bare)
		r->flags |= REF_BARE;
	else
		r->reg = c->base;
	r->index = c->index;
	if (c->index != CODE_NO_REGISTER)
		r->flags |= REF_INDEXED;
	if (c->segment)
		r->flags |= REF_SEGMENT;
	/* A byte is multiplied there. */
	if (c->modrm >> 6 == 2 && !c->evex && fits_byte(value))
		r->flags |= REF_LINKED;
	if (!(c->map == 1 && c->opcode == 0x8d))
		r->access = CODE_ACCESS_UNKNOWN;
}
