/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What registers hold that addresses are counted from, instruction by instruction. */
#include "code-track.h"

#include <string.h>

/* What an x86 function adds to the address of one of its first instructions begins at most so far
 * after it. */
enum { MOST_AFTER_CALL = 16 };

bool code_is_tracked(enum elf_code code)
{
	return code == ELF_CODE_ARM64 || code == ELF_CODE_X86_32;
}

static bool is_known(const struct code_register *r)
{
	return r->kind != HELD_NOTHING && r->kind != HELD_STALE;
}

bool code_adds_table(const struct elf_file *f, uint64_t address, uint64_t value)
{
	uint64_t after = (address + value - f->offset_table) & UINT32_MAX;

	return f->offset_table && after <= MOST_AFTER_CALL;
}

/* add $imm, %reg */
static bool is_addition(const struct code_insn *insn, unsigned *reg)
{
	*reg = insn->masked[0] == 0x05 ? 0 : insn->masked[1] & 7;
	return insn->n_refs == 1 && insn->refs[0].kind == REF_VALUE &&
	       (insn->masked[0] == 0x05 ||
		(insn->masked[0] == 0x81 && (insn->masked[1] & 0xf8) == 0xc0));
}

static void kill_written(struct code_state *s, uint32_t written)
{
	for (unsigned i = 0; i < CODE_REGISTERS; i++)
		if (written >> i & 1)
			s->reg[i].kind = HELD_NOTHING;
}

static void track_x86(struct code_state *s, const struct elf_file *f, uint64_t address,
		      struct code_insn *insn)
{
	unsigned reg;
	bool adds = is_addition(insn, &reg) && code_adds_table(f, address, insn->refs[0].value);

	for (size_t i = 0; i < insn->n_refs; i++) {
		struct code_ref *r = &insn->refs[i];
		const struct code_register *base = r->reg < 8 ? &s->reg[r->reg] : NULL,
					   *index = r->index < 8 ? &s->reg[r->index] : NULL;

		if ((base && base->kind == HELD_TABLE) || (index && index->kind == HELD_TABLE)) {
			r->placed = PLACED_ADDRESS;
			r->place = (f->offset_table + r->value) & UINT32_MAX;
		} else if ((base && base->kind == HELD_STALE) ||
			   (index && index->kind == HELD_STALE)) {
			r->placed = PLACED_STALE;
		}
	}
	kill_written(s, insn->written);
	if (adds)
		s->reg[reg] = (struct code_register){.kind = HELD_TABLE};
}

/* The place for what is put away at OFFSET: where it is already, or the one that its offset says.
 */
static unsigned slot_of(const struct code_state *s, uint64_t offset)
{
	for (unsigned i = 0; i < CODE_SLOTS; i++)
		if (s->slot[i].kind != HELD_NOTHING && s->slot_at[i] == offset)
			return i;
	return (unsigned)(offset / 8 % CODE_SLOTS);
}

static void put_away(struct code_state *s, uint64_t offset, const struct code_register *r)
{
	unsigned i = slot_of(s, offset);

	if (is_known(r) || s->slot_at[i] == offset) {
		s->slot[i] = *r;
		s->slot_at[i] = (uint16_t)offset;
	}
}

static struct code_register take_back(const struct code_state *s, uint64_t offset)
{
	unsigned i = slot_of(s, offset);

	return s->slot_at[i] == offset ? s->slot[i] : (struct code_register){0};
}

static uint32_t word_of(const struct code_insn *insn)
{
	return (uint32_t)insn->masked[0] | (uint32_t)insn->masked[1] << 8 |
	       (uint32_t)insn->masked[2] << 16 | (uint32_t)insn->masked[3] << 24;
}

/* What the destination of an arm64 instruction without a reference holds then. */
static struct code_register result_of(const struct code_state *s, const struct code_insn *insn)
{
	uint32_t w = word_of(insn);
	const struct code_register *from = &s->reg[w >> 5 & 31], nothing = {0};

	/* mov xd, xm */
	if ((w & 0xffe0ffe0) == 0xaa0003e0)
		return s->reg[w >> 16 & 31];
	/* mrs xd, tpidr_el0 */
	if ((w & 0xffffffe0) == 0xd53bd040)
		return (struct code_register){.kind = HELD_THREAD, .set_by = CODE_SET_BY_MANY};
	/* add xd, xn, #imm, lsl 12 */
	if ((w & 0xffc00000) == 0x91400000 && from->kind == HELD_THREAD)
		return (struct code_register){.kind = HELD_THREAD,
					      .set_by = CODE_SET_BY_MANY,
					      .value = from->value + ((w >> 10 & 0xfff) << 12)};
	return nothing;
}

/* A reference that is added to a register: what the sum is, as far as that is known. */
static struct code_register add_low(const struct code_state *s, struct code_ref *r)
{
	const struct code_register *base = &s->reg[r->reg];
	struct code_register sum = {.set_by = CODE_SET_BY_MANY};

	if (base->kind == HELD_STALE)
		r->placed = PLACED_STALE;
	if (!is_known(base))
		return sum;
	r->placed = base->kind == HELD_THREAD ? PLACED_THREAD : PLACED_ADDRESS;
	r->place = base->value + r->value;
	sum.kind = base->kind == HELD_THREAD ? HELD_THREAD : HELD_ADDRESS;
	sum.value = r->place;
	return sum;
}

/* Objects: what the linker will fill in. False: it is not known where that will be. */
static bool resolve(const struct elf_file *f, uint64_t address, struct code_ref *r)
{
	const struct elf_relocation *x = elf_relocation_in(f, address, 4);

	if (!x)
		return true;
	if (!x->target || !x->target->defined)
		return false;
	r->value = elf_relocation_place(f, x);
	if (r->kind == REF_PAGE)
		r->value &= ~(uint64_t)0xfff;
	else if (r->kind == REF_LOW)
		r->value &= 0xfff;
	return true;
}

/* The stack pointer and the frame pointer. A function puts away by one of them; what is at one
 * offset from both is kept apart. */
enum { STACK_POINTER = 31, FRAME_POINTER = 29, FROM_FRAME = 0x8000 };

static bool is_frame(uint32_t w)
{
	return (w >> 5 & 31) == STACK_POINTER || (w >> 5 & 31) == FRAME_POINTER;
}

static uint64_t slot_offset(uint32_t w, uint64_t offset)
{
	return (w >> 5 & 31) == FRAME_POINTER ? offset | FROM_FRAME : offset;
}

/* str and ldr of 64 bits; the reference has the offset. */
enum { STORE_TO_STACK = 0, LOAD_FROM_STACK = 0x400000 };

static bool is_stack(const struct code_insn *insn, uint32_t kind)
{
	uint32_t w = word_of(insn);

	return (w & 0xffc00000) == (0xf9000000u | kind) && is_frame(w);
}

/* stp and ldp of 64 bits. */
static bool is_pair(const struct code_insn *insn, bool load)
{
	uint32_t w = word_of(insn);

	return !insn->n_refs && (w & 0xffc00000) == (load ? 0xa9400000 : 0xa9000000) && is_frame(w);
}

static void put_pair_away(struct code_state *s, const struct code_insn *insn)
{
	static const struct code_register nothing;
	uint32_t w = word_of(insn);
	unsigned one = w & 31, two = w >> 10 & 31;
	uint64_t at = slot_offset(w, (uint64_t)(w >> 15 & 0x7f) * 8);

	put_away(s, at, one == 31 ? &nothing : &s->reg[one]);
	put_away(s, at + 8, two == 31 ? &nothing : &s->reg[two]);
}

static void take_pair_back(struct code_state *s, const struct code_insn *insn)
{
	uint32_t w = word_of(insn);
	uint64_t at = slot_offset(w, (uint64_t)(w >> 15 & 0x7f) * 8);
	const struct code_register one = take_back(s, at), two = take_back(s, at + 8);

	s->reg[w & 31] = one;
	s->reg[w >> 10 & 31] = two;
	s->reg[31].kind = HELD_NOTHING;
}

static uint32_t track_arm64(struct code_state *s, const struct elf_file *f, uint64_t address,
			    struct code_insn *insn, uint32_t index)
{
	struct code_ref *r = insn->n_refs ? &insn->refs[0] : NULL;
	bool resolved = !r || f->type != ET_REL || resolve(f, address, r);
	struct code_register result = {0};
	uint32_t used = CODE_SET_BY_NONE;
	unsigned to = insn->masked[0] & 31;

	if (!resolved) {
		result.kind = HELD_NOTHING;
	} else if (is_stack(insn, STORE_TO_STACK)) {
		put_away(s, slot_offset(word_of(insn), r->value), &s->reg[to]);
	} else if (is_stack(insn, LOAD_FROM_STACK)) {
		result = take_back(s, slot_offset(word_of(insn), r->value));
	} else if (r && r->kind == REF_LOW) {
		if (s->reg[r->reg].kind == HELD_PAGE)
			used = s->reg[r->reg].set_by;
		result = add_low(s, r);
		if (r->access)
			result.kind = HELD_NOTHING;
	} else if (r && r->kind == REF_PAGE) {
		result = (struct code_register){HELD_PAGE, index, r->value};
	} else if (r && r->kind == REF_ADDRESS && !r->access) {
		result = (struct code_register){HELD_ADDRESS, CODE_SET_BY_MANY, r->value};
	} else if (!r && insn->written) {
		result = result_of(s, insn);
	}
	if (is_pair(insn, false))
		put_pair_away(s, insn);
	kill_written(s, insn->written);
	if (is_pair(insn, true))
		take_pair_back(s, insn);
	if (result.kind != HELD_NOTHING && to != 31)
		s->reg[to] = result;
	return used;
}

uint32_t code_track(struct code_state *s, const struct elf_file *f, uint64_t address,
		    struct code_insn *insn, uint32_t index)
{
	for (size_t i = 0; i < insn->n_refs; i++)
		insn->refs[i].placed = PLACED_NOWHERE;
	if (f->code == ELF_CODE_ARM64)
		return track_arm64(s, f, address, insn, index);
	track_x86(s, f, address, insn);
	return CODE_SET_BY_NONE;
}

static void forget(struct code_register *r)
{
	if (is_known(r))
		r->kind = HELD_STALE;
}

void code_forget(struct code_state *s)
{
	for (unsigned i = 0; i < CODE_REGISTERS; i++)
		forget(&s->reg[i]);
	for (unsigned i = 0; i < CODE_SLOTS; i++)
		forget(&s->slot[i]);
}

static bool meet(struct code_register *x, const struct code_register *y)
{
	if (x->kind == HELD_NOTHING)
		return false;
	if (x->kind != y->kind || x->value != y->value) {
		x->kind = HELD_NOTHING;
		return true;
	}
	if (x->set_by == y->set_by || x->set_by == CODE_SET_BY_MANY)
		return false;
	x->set_by = CODE_SET_BY_MANY;
	return true;
}

bool code_meet(struct code_state *a, const struct code_state *b)
{
	static const struct code_register nothing;
	bool changed = false;

	for (unsigned i = 0; i < CODE_REGISTERS; i++)
		changed |= meet(&a->reg[i], &b->reg[i]);
	for (unsigned i = 0; i < CODE_SLOTS; i++)
		changed |=
		    meet(&a->slot[i], a->slot_at[i] == b->slot_at[i] ? &b->slot[i] : &nothing);
	return changed;
}
