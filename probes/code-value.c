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

/* Below it no program is loaded; what has such addresses, as a kernel's variables of a CPU, is
 * known by the segment. */
enum { LEAST_ADDRESS = 0x10000 };

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
	if (elf_section_at(f, old) == ELF_NONE || elf_section_at(g, new) == ELF_NONE)
		return false;
	/* Beside a register it is an array, of which anything may be read. */
	return r->flags & REF_BARE ? code_same_memory(c, a, b, old, new, r->access)
				   : code_same_target(c, old, new, 0);
}

/* A number that is hardly anything but an address. Round ones are mostly masks and limits; code is
 * pointed to where a function begins. */
static bool is_address(const struct elf_file *f, const struct code_ref *r, uint64_t value)
{
	uint32_t i = elf_section_at(f, value), s = elf_symbol_at(f, value);

	if (i == ELF_NONE)
		return false;
	if (r->flags & (REF_BARE | REF_SEGMENT))
		return true;
	if (f->sections[i].address < LEAST_ADDRESS)
		return false;
	if (s != ELF_NONE && f->symbols[s].start == value)
		return true;
	return !(f->sections[i].flags & SHF_EXECINSTR) && (value & 0xffff) != 0 &&
	       (value & 0xffff) != 0xffff;
}

/* The same number: it may be the address of one thing and that of another. */
static bool same_number(const struct comparison *c, const struct site *a, const struct site *b,
			const struct code_ref *r, uint64_t value)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;
	uint32_t i = elf_symbol_at(f, value), j = elf_symbol_at(g, value);

	if (!is_address(f, r, value) || !is_address(g, r, value))
		return true;
	if (i == ELF_NONE && j == ELF_NONE && !r->access && !elf_is_text(f, value))
		return true;
	return same_absolute(c, a, b, r, value, value);
}

/* i386: from the global offset table, of which position-independent code holds the address. */
static bool same_from_offset_table(const struct comparison *c, const struct site *a,
				   const struct site *b, const struct code_ref *r,
				   const struct code_ref *s)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;
	uint64_t x = f->offset_table, y = g->offset_table;
	uint64_t old = (x + r->value) & UINT32_MAX, new = (y + s->value) & UINT32_MAX;

	if (!x || !y)
		return r->value == s->value;
	/* The table itself, from the address of the instruction that adds it. */
	if (a->address + r->value == x && b->address + s->value == y)
		return true;
	if (elf_section_at(f, old) == ELF_NONE || elf_section_at(g, new) == ELF_NONE)
		return r->value == s->value;
	return code_same_memory(c, a, b, old, new, r->access);
}

/* Counts back from the end of the storage that each thread has. */
static bool is_thread_local(const struct elf_file *f, uint64_t value)
{
	return f->tls_end && (int64_t)value < 0 &&
	       elf_tls_symbol_at(f, f->tls_end + value) != ELF_NONE;
}

static bool same_thread_local(const struct comparison *c, uint64_t old, uint64_t new)
{
	old += c->p->old->tls_end;
	new += c->p->new->tls_end;
	return same_place(c->p, elf_tls_symbol_at(c->p->old, old), old,
			  elf_tls_symbol_at(c->p->new, new), new);
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
	if (f->code == ELF_CODE_X86_32 && (old != new || (r->flags & REF_LINKED)))
		return same_from_offset_table(c, a, b, r, s);
	return old == new;
}
