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
	out->refs[out->n_refs++] =
	    (struct code_ref){.kind = kind, .size = 4, .index = CODE_NO_REGISTER, .value = value};
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

/* The lower bits of an address, added to a register that has its page. */
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
	} else if ((w & 0xffe00000) == 0xf2800000) {
		/* movk, with which linkers make what was to be read from a slot */
		return take_ref(out, REF_THREAD, w >> 5 & 0xffff, w, 0x1fffe0);
	} else if ((w & 0x7fc00000) != 0x11000000) {
		return w;
	}
	w = take_ref(out, REF_LOW, low, w, 0x3ffc00);
	out->refs[0].reg = w >> 5 & 31;
	out->refs[0].access = (uint8_t)access;
	return w;
}

/* Registers that are overwritten by a call: x0 to x18, and x30. */
#define CALL_WRITES 0x4007ffffu

static uint32_t bit(uint32_t w, unsigned at)
{
	return 1u << (w >> at & 31);
}

/* Registers that the instruction writes, of loads and stores: also those that are moved on. */
static uint32_t written_by_access(uint32_t w)
{
	bool vector = w >> 26 & 1;
	bool load = !vector && ((w >> 22 & 3) || (w & 0x3b000000) == 0x18000000);
	uint32_t written = load ? bit(w, 0) : 0;

	/* Pairs, and those of vectors, before or after which the address is changed. */
	if ((w & 0x3a000000) == 0x28000000)
		written = (load ? written | bit(w, 10) : 0) | (w >> 23 & 1 ? bit(w, 5) : 0);
	else if ((w & 0xbe000000) == 0x0c000000)
		written = w >> 23 & 1 ? bit(w, 5) : 0;
	else if ((w & 0x3b200400) == 0x38000400)
		written |= bit(w, 5);
	else if ((w & 0x3f200c00) == 0x38200000)
		written |= bit(w, 0);
	else if ((w & 0x3f000000) == 0x08000000)
		written = bit(w, 0) | bit(w, 10) | bit(w, 16);
	return written;
}

/* Of instructions on vectors, those that move or convert something to a register. */
static bool leaves_vectors(uint32_t w)
{
	return (w & 0x7f20fc00) == 0x1e200000 || (w & 0x7f200000) == 0x1e000000 ||
	       (w & 0x9fe08400) == 0x0e000400;
}

static void set_written(uint32_t w, struct code_insn *out)
{
	if ((w & 0x1c000000) == 0x14000000)
		out->written = out->call                        ? CALL_WRITES
			       : (w & 0xffe00000) == 0xd5200000 ? bit(w, 0)
								: 0;
	else if ((w & 0x0a000000) == 0x08000000)
		out->written = written_by_access(w);
	else if ((w & 0x0e000000) != 0x0e000000 || leaves_vectors(w))
		out->written = bit(w, 0);
	out->written &= ~(1u << 31);
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
	out->jumps = (w & 0xfffffc1f) == 0xd61f0000;
	out->call = (w & 0xfffffc1f) == 0xd63f0000;
	uint32_t whole = w;

	w = take_relative(w, address, out);
	if (!out->n_refs)
		w = take_low(w, out);
	set_written(whole, out);
	memcpy(out->masked, &w, 4);
	return true;
}
