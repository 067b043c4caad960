/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which bits of an arm64 instruction are an address. After the encodings of the ARM Architecture
 * Reference Manual. */
#include "code-insn.h"

#include <string.h>

static uint64_t sign_extend(uint64_t n, unsigned bits)
{
	return n >> (bits - 1) & 1 ? n | ~(uint64_t)0 << bits : n;
}

static uint32_t take_ref(struct code_insn *out, enum code_ref_kind kind, uint64_t value, uint32_t w,
			 uint32_t field)
{
	out->refs[out->n_refs++] = (struct code_ref){.kind = kind, .size = 4, .value = value};
	return w & ~field;
}

/* Branches and addresses that are relative to the instruction; W without the field. */
static uint32_t take_relative(uint32_t w, uint64_t pc, struct code_insn *out)
{
	if ((w & 0x7c000000) == 0x14000000) {
		out->call = w >> 31;
		out->leaves = !out->call;
		return take_ref(out, REF_BRANCH, pc + (sign_extend(w & 0x3ffffff, 26) << 2), w,
				0x3ffffff);
	}
	if ((w & 0xff000000) == 0x54000000 || (w & 0x7e000000) == 0x34000000)
		return take_ref(out, REF_BRANCH, pc + (sign_extend(w >> 5 & 0x7ffff, 19) << 2), w,
				0xffffe0);
	if ((w & 0x7e000000) == 0x36000000)
		return take_ref(out, REF_BRANCH, pc + (sign_extend(w >> 5 & 0x3fff, 14) << 2), w,
				0x7ffe0);
	if ((w & 0x3b000000) == 0x18000000) {
		unsigned form = w >> 30, size = w >> 26 & 1 ? 4u << form : form == 1 ? 8 : 4;

		w = take_ref(out, REF_ADDRESS, pc + (sign_extend(w >> 5 & 0x7ffff, 19) << 2), w,
			     0xffffe0);
		out->refs[0].access = (uint8_t)size;
		return w;
	}
	if ((w & 0x1f000000) == 0x10000000) {
		uint64_t value = sign_extend((w >> 5 & 0x7ffff) << 2 | (w >> 29 & 3), 21);
		bool page = w >> 31;

		w = take_ref(out, page ? REF_PAGE : REF_ADDRESS,
			     page ? (pc & ~(uint64_t)4095) + (value << 12) : pc + value, w,
			     0x60ffffe0);
		out->refs[0].reg = w & 31;
	}
	return w;
}

/* The lower 12 bits of an address, added to a register that has its page. */
static uint32_t take_low(uint32_t w, struct code_insn *out)
{
	uint64_t low = w >> 10 & 0xfff;
	unsigned access = 0;

	if ((w & 0x3b000000) == 0x39000000) {
		unsigned scale = w >> 30;

		if ((w >> 26 & 1) && (w >> 23 & 1))
			scale = 4;
		low <<= scale;
		access = 1u << scale;
	} else if ((w & 0x7fc00000) != 0x11000000) {
		return w;
	}
	w = take_ref(out, REF_LOW, low, w, 0x3ffc00);
	out->refs[0].reg = w >> 5 & 31;
	out->refs[0].access = (uint8_t)access;
	return w;
}

static void set_written(uint32_t w, struct code_insn *out)
{
	bool memory = (w & 0x0a000000) == 0x08000000, pair = (w & 0x3a000000) == 0x28000000;
	bool branch = (w & 0x1c000000) == 0x14000000;

	out->written = w & 31;
	out->written_too = memory && pair ? w >> 10 & 31 : out->written;
	/* Bit 22 tells loads from stores in most encodings; literal loads are the 0x18 group. */
	out->clobbers = !branch && (!memory || (w >> 22 & 3) || (w & 0x3b000000) == 0x18000000);
}

bool code_decode_arm64(const uint8_t *p, size_t n, uint64_t address, struct code_insn *out)
{
	if (n < 4)
		return false;
	uint32_t w =
	    (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;

	/* Zeros are the padding of linkers, and no instruction. */
	if (!w)
		return false;
	out->length = out->n_masked = 4;
	out->nop = w == 0xd503201f;
	out->leaves = (w & 0xfffffc1f) == 0xd65f0000 || (w & 0xfffffc1f) == 0xd61f0000;
	out->call = (w & 0xfffffc1f) == 0xd63f0000;
	set_written(w, out);
	w = take_relative(w, address, out);
	if (!out->n_refs)
		w = take_low(w, out);
	memcpy(out->masked, &w, 4);
	return true;
}
