/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers in x86 instructions that may be addresses, or offsets from the global offset table or
 * from the end of the thread's storage.
 *
 * Nothing in a linked program tells a number from an address. Two that differ are the same where
 * they are addresses of the same thing; two that are equal are different where they can only be
 * addresses, of different things.
 */
#include "code-operand.h"

#include <string.h>

/* Below it no program is loaded; what has such addresses, as a kernel's variables of a CPU, is
 * known by the segment. */
enum { LEAST_ADDRESS = 0x10000, STACK_POINTER = 4, FRAME_POINTER = 5, LARGEST_FRAME = 0x4000 };

static bool same_place(const struct elf_pair *p, uint32_t a, uint64_t old, uint32_t b, uint64_t new)
{
	return elf_is_pair(p, a, b) &&
	       old - p->old->symbols[a].start == new - p->new->symbols[b].start;
}

/* Numbers that differ: they may be addresses of one thing. */
static bool same_absolute(const struct comparison *c, const struct site *a, const struct site *b,
			  const struct code_ref *r, uint64_t old, uint64_t new)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;

	if (elf_same_label(c->p, old, new))
		return true;
	if ((elf_section_at(f, old) == ELF_NONE || elf_section_at(g, new) == ELF_NONE) &&
	    !elf_same_end(c->p, old, new))
		return false;
	/* Beside a register it is an array, of which anything may be read. */
	return r->flags & REF_BARE ? code_same_memory(c, a, b, old, new, r->access)
				   : code_same_target(c, old, new, 0);
}

/* True if a variable or a function begins at VALUE. */
static bool begins(const struct elf_file *f, uint64_t value)
{
	uint32_t i = elf_symbol_at(f, value);

	return i != ELF_NONE && f->symbols[i].start == value;
}

/* A number that is hardly anything but an address. Round ones are mostly masks and limits; code is
 * pointed to where a function begins. */
static bool is_address(const struct elf_file *f, const struct code_ref *r, uint64_t value)
{
	uint32_t i = elf_section_at(f, value);

	if (i == ELF_NONE)
		return false;
	if (r->flags & (REF_BARE | REF_SEGMENT))
		return true;
	if (f->sections[i].address < LEAST_ADDRESS)
		return false;
	if (begins(f, value))
		return true;
	return !(f->sections[i].flags & SHF_EXECINSTR) && (value & 0xffff) != 0 &&
	       (value & 0xffff) != 0xffff;
}

/* The same number: it may be the address of one thing and that of another. One that is a variable's
 * on one side only, or a text's, is a number that happens to be in the range of addresses. */
static bool same_number(const struct comparison *c, const struct site *a, const struct site *b,
			const struct code_ref *r, uint64_t value)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;
	bool named = elf_symbol_at(f, value) != ELF_NONE && elf_symbol_at(g, value) != ELF_NONE;

	if (!is_address(f, r, value) || !is_address(g, r, value))
		return true;
	bool text = elf_is_text(f, value) && elf_is_text(g, value);

	if (r->flags & REF_COMPARED) {
		named = begins(f, value) && begins(g, value);
		text = false;
	}
	if (!named && !text && !r->access)
		return !code_other_entries(c, a, b, value);
	return same_absolute(c, a, b, r, value, value);
}

/* i386: from the global offset table, of which position-independent code holds the address. */
static bool same_from_table(const struct comparison *c, const struct site *a, const struct site *b,
			    const struct code_ref *r, const struct code_ref *s)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;
	uint64_t old = (f->offset_table + r->value) & UINT32_MAX,
		 new = (g->offset_table + s->value) & UINT32_MAX;

	if (elf_section_at(f, old) == ELF_NONE || elf_section_at(g, new) == ELF_NONE)
		return r->value == s->value;
	return r->flags & REF_INDEXED ? code_same_target(c, old, new, 0)
				      : code_same_memory(c, a, b, old, new, r->access);
}

/* A register may hold the table without that being known, as where it was put away: a number is
 * believed to count from it where there is a variable, constants, or a pointer to a variable. */
static bool names_something(const struct elf_file *f, const struct code_ref *r)
{
	uint64_t place = (f->offset_table + r->value) & UINT32_MAX;
	uint32_t i = elf_section_at(f, place);

	bool in_frame =
	    r->reg == FRAME_POINTER && r->value + LARGEST_FRAME < (uint64_t)2 * LARGEST_FRAME;

	if (i == ELF_NONE || r->reg == STACK_POINTER || in_frame)
		return false;
	return elf_symbol_at(f, place) != ELF_NONE || !(f->sections[i].flags & SHF_WRITE) ||
	       !strncmp(f->sections[i].name, ".got", 4);
}

/* In a program of 32-bit x86 whose addresses are not fixed. */
static bool same_relative(const struct comparison *c, const struct site *a, const struct site *b,
			  const struct code_ref *r, const struct code_ref *s)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;

	if (!f->offset_table || !g->offset_table)
		return r->value == s->value;
	/* The table itself, from an address near that of the instruction that adds it. */
	if (code_adds_table(f, a->address, r->value) && code_adds_table(g, b->address, s->value))
		return a->address + r->value - f->offset_table ==
		       b->address + s->value - g->offset_table;
	if (r->placed == PLACED_STALE && s->placed == PLACED_STALE && !c->whole)
		return false;
	if (r->placed == PLACED_ADDRESS && s->placed == PLACED_ADDRESS)
		return same_from_table(c, a, b, r, s);
	return r->value == s->value ||
	       (names_something(f, r) && names_something(g, s) && same_from_table(c, a, b, r, s));
}

/* x86 counts thread-local variables back from the end of their storage, arm64 from its beginning.
 */
static bool is_thread_local(const struct elf_file *f, uint64_t value)
{
	if (!f->thread_pointer || (f->code != ELF_CODE_ARM64 && (int64_t)value >= 0))
		return false;
	return elf_tls_symbol_at(f, f->thread_pointer + value) != ELF_NONE;
}

static bool same_thread_local(const struct comparison *c, uint64_t old, uint64_t new)
{
	old += c->p->old->thread_pointer;
	new += c->p->new->thread_pointer;
	return same_place(c->p, elf_tls_symbol_at(c->p->old, old), old,
			  elf_tls_symbol_at(c->p->new, new), new);
}

bool code_same_thread(const struct comparison *c, uint64_t old, uint64_t new)
{
	return old == new || (is_thread_local(c->p->old, old) && is_thread_local(c->p->new, new) &&
			      same_thread_local(c, old, new));
}

bool code_same_guess(const struct comparison *c, const struct code_ref *r, const struct code_ref *s)
{
	bool old = r->guessed || r->placed == PLACED_ADDRESS,
	     new = s->guessed || s->placed == PLACED_ADDRESS;

	return old && new &&code_same_target(c, r->place, s->place, r->access);
}

bool code_same_placed(const struct comparison *c, const struct code_ref *r,
		      const struct code_ref *s)
{
	if (r->placed != s->placed)
		return r->value == s->value || code_same_guess(c, r, s);
	switch (r->placed) {
	case PLACED_ADDRESS:
		return code_same_target(c, r->place, s->place, r->access);
	case PLACED_THREAD:
		if (is_thread_local(c->p->old, r->place) && is_thread_local(c->p->new, s->place))
			return same_thread_local(c, r->place, s->place);
		return r->value == s->value;
	case PLACED_STALE:
		/* That has to be looked at along the branches. */
		return c->whole && r->value == s->value;
	default:
		return r->value == s->value || code_same_guess(c, r, s);
	}
}

bool code_same_value(const struct comparison *c, const struct site *a, const struct site *b,
		     const struct code_ref *r, const struct code_ref *s)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;
	uint64_t old = r->value, new = s->value, mask = f->bits == 32 ? UINT32_MAX : UINT64_MAX;

	if (f->type == ET_REL || f->code == ELF_CODE_ARM64 || (r->flags & REF_NUMBER))
		return old == new;
	if (is_thread_local(f, old) && is_thread_local(g, new) &&
	    (old != new || (r->flags & (REF_SEGMENT | REF_LINKED))))
		return same_thread_local(c, old, new);
	if (f->type == ET_EXEC && g->type == ET_EXEC) {
		old &= mask;
		new &= mask;
		if (old == new)
			return same_number(c, a, b, r, old);
		return same_absolute(c, a, b, r, old, new) ||
		       same_absolute(c, a, b, r, old & UINT32_MAX, new &UINT32_MAX);
	}
	return f->code == ELF_CODE_X86_32 ? same_relative(c, a, b, r, s) : old == new;
}
