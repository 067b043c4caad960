/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What operands name: places in this function and elsewhere, and what the linker is to fill in. */
#include "code-operand.h"

#include <string.h>

#include "code-table.h"

/* LARGEST_ACCESS: a whole vector register. LEAST_ARRAY: one of fewer bytes has no end that code
 * would ask for. */
enum { LARGEST_ACCESS = 64, LEAST_ARRAY = 9 };

/* The same instruction; what leads into padding or into an instruction must do so on both sides. */
static bool same_index(const struct code_body *old, uint64_t i, const struct code_body *new,
		       uint64_t j)
{
	size_t x = code_body_index(old, i), y = code_body_index(new, j);
	uint64_t at = x < old->n ? old->items[x].offset : old->size,
		 to = y < new->n ? new->items[y].offset : new->size;

	return x == y && at - i == to - j;
}

static bool is_within(const struct elf_symbol *s, uint64_t address)
{
	return address - s->start < s->size;
}

/* From the end of an array to its beginning, by a displacement of 8 bits. */
static bool counts_back(const struct code_insn *insn, uint64_t size)
{
	return size <= 128 && !insn->n_refs && insn->n_masked > 1 &&
	       insn->masked[insn->n_masked - 1] == (uint8_t)-size;
}

/* The same by a longer one; the first elements may be left out. */
static bool is_back(uint64_t number, uint64_t size)
{
	return -number <= size && -number > size / 2;
}

/* True if the old function refers to a place within ARRAY, or counts from its end. */
static bool mentions(const struct comparison *c, const struct elf_symbol *array)
{
	const struct elf_file *f = c->p->old;
	uint64_t n = 0, end = c->old ? c->old->size : c->size, page[CODE_REGISTERS] = {0};
	const uint8_t *p = elf_bytes_at(f, c->old_start, &n);
	struct code_insn insn;

	if (f->type == ET_REL) {
		const struct elf_relocation *r = elf_relocation_in(f, c->old_start, end);

		for (;
		     r && r < f->relocations + f->n_relocations && r->address - c->old_start < end;
		     r++)
			if (r->target && r->target->defined &&
			    is_within(array, elf_relocation_place(f, r)))
				return true;
		return false;
	}
	for (uint64_t at = 0; p && at < end && at < n; at += insn.length) {
		code_decode(f->code, p + at, n - at, c->old_start + at, &insn);
		if (counts_back(&insn, array->size))
			return true;
		for (size_t i = 0; i < insn.n_refs; i++) {
			const struct code_ref *r = &insn.refs[i];
			uint64_t base = r->kind == REF_LOW ? page[r->reg] : 0;

			if (r->kind == REF_PAGE)
				page[r->reg] = r->value;
			else if ((r->kind == REF_VALUE && is_back(r->value, array->size)) ||
				 is_within(array, base + r->value) ||
				 (f->code == ELF_CODE_X86_32 && f->offset_table &&
				  is_within(array, (f->offset_table + r->value) & UINT32_MAX)))
				return true;
		}
	}
	return false;
}

/*
 * The end of an array is the beginning of what happens to follow it. Where that could be meant as
 * well, the function must use the array.
 */
static bool same_end(const struct comparison *c, uint64_t old, uint64_t new)
{
	const struct elf_symbol *array = elf_same_end(c->p, old, new);

	if (!array || array->size < LEAST_ARRAY)
		return false;
	return (elf_section_at(c->p->old, old) == ELF_NONE &&
		elf_section_at(c->p->new, new) == ELF_NONE) ||
	       mentions(c, array);
}

static bool same_elsewhere(const struct comparison *c, uint64_t old, uint64_t new, unsigned size)
{
	if (elf_same_address(c->p, old, new, size))
		return true;
	return !size && (same_end(c, old, new) || elf_same_before(c->p, old, new) ||
			 code_same_jumps(c, old, new));
}

bool code_same_target(const struct comparison *c, uint64_t old, uint64_t new, unsigned size)
{
	uint64_t i = old - c->old_start, j = new - c->new_start;
	bool in_old = i < (c->old ? c->old->size : c->size),
	     in_new = j < (c->new ? c->new->size : c->size);

	if (in_old != in_new)
		return false;
	if (!in_old)
		return same_elsewhere(c, old, new, size);
	if (c->loose)
		return true;
	return c->old ? same_index(c->old, i, c->new, j) : i == j;
}

/*
 * How much memory an instruction takes may be known to the disassembler only, which is asked where
 * it matters: not where as much as any instruction takes is the same.
 */
bool code_same_memory(const struct comparison *c, const struct site *a, const struct site *b,
		      uint64_t old, uint64_t new, unsigned access)
{
	struct insn_reader *r = c->p->reader;

	if (access != CODE_ACCESS_UNKNOWN)
		return code_same_target(c, old, new, access);
	if (code_same_target(c, old, new, LARGEST_ACCESS))
		return true;
	unsigned size = r ? insn_access_size(r, a->bytes, a->insn->length, a->address) : 0;

	return size && size == insn_access_size(r, b->bytes, b->insn->length, b->address) &&
	       code_same_target(c, old, new, size);
}

/* The table that A and B look something up in, with the same guard. */
static bool find_table(const struct comparison *c, const struct site *a, const struct site *b,
		       struct code_table *t)
{
	uint64_t size = c->old ? c->old->size : c->size, new_size = c->new ? c->new->size : c->size;
	struct code_table u;

	if (*c->p->work < size + new_size)
		return false;
	*c->p->work -= size + new_size;
	return code_table_find(c->p->old, c->old_start, size, a->address, t) &&
	       code_table_find(c->p->new, c->new_start, new_size, b->address, &u) &&
	       t->scale == u.scale && t->first == u.first && t->n == u.n;
}

static bool same_entries(const struct comparison *c, const struct code_table *t, uint64_t old,
			 uint64_t new)
{
	return elf_same_entries(c->p, old + t->first * t->scale, new + t->first * t->scale,
				t->n * t->scale);
}

bool code_same_entries(const struct comparison *c, const struct site *a, const struct site *b,
		       uint64_t old, uint64_t new)
{
	struct code_table t;

	if (!find_table(c, a, b, &t))
		return false;
	/* Nothing is looked up in a table of one entry: the address is that of entry 0 of the one
	 * after it, which is counted from 1. */
	return t.n ? same_entries(c, &t, old, new) : elf_same_next(c->p, old, new, t.scale);
}

bool code_other_entries(const struct comparison *c, const struct site *a, const struct site *b,
			uint64_t value)
{
	struct code_table t;

	return find_table(c, a, b, &t) && t.n && !same_entries(c, &t, value, value);
}

static const struct code_ref *ref_of(const struct code_insn *insn, unsigned at)
{
	for (size_t i = 0; i < insn->n_refs; i++)
		if (insn->refs[i].at == at)
			return &insn->refs[i];
	return NULL;
}

/* FROM_END: bytes from the field to where it counts from. */
static bool same_relocation(const struct comparison *c, const struct site *a, const struct site *b,
			    const struct elf_relocation *r, const struct elf_relocation *s,
			    unsigned from_end)
{
	if (elf_same_relocation(c->p, r, s, from_end))
		return true;
	if (r->type != s->type || !r->target || !s->target || !r->target->defined ||
	    !s->target->defined)
		return false;
	uint64_t old = elf_relocation_place(c->p->old, r) + from_end,
		 new = elf_relocation_place(c->p->new, s) + from_end;

	return same_end(c, old, new) || elf_same_before(c->p, old, new) ||
	       code_same_jumps(c, old, new) || code_same_entries(c, a, b, old, new);
}

bool code_same_relocations(const struct comparison *c, const struct site *a, const struct site *b,
			   unsigned *taken)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;
	const struct elf_relocation *r = elf_relocation_in(f, a->address, a->insn->length);
	const struct elf_relocation *s = elf_relocation_in(g, b->address, b->insn->length);
	const struct elf_relocation *f_end = f->relocations + f->n_relocations;
	const struct elf_relocation *g_end = g->relocations + g->n_relocations;

	for (;; r++, s++) {
		bool more = r && r < f_end && r->address - a->address < a->insn->length;
		bool more_new = s && s < g_end && s->address - b->address < b->insn->length;

		if (more != more_new)
			return false;
		if (!more)
			return true;
		unsigned at = (unsigned)(r->address - a->address),
			 new_at = (unsigned)(s->address - b->address);
		const struct code_ref *ref = ref_of(a->insn, at),
				      *new_ref = ref_of(b->insn, new_at);
		bool relative = ref && f->code != ELF_CODE_ARM64 && ref->kind != REF_VALUE;

		if (at != new_at || !ref != !new_ref)
			return false;
		if (!same_relocation(c, a, b, r, s, relative ? a->insn->length - at : 0))
			return false;
		/* The linker overwrites the field, which compilers leave 0. */
		if (ref && !r->in_place && memcmp(a->bytes + at, b->bytes + at, ref->size) != 0)
			return false;
		if (ref)
			*taken |= 1u << (ref - a->insn->refs);
	}
}
