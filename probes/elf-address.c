/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether two addresses, one of each file, mean the same.
 *
 * A place in a symbol is known by the symbol. The rest is what linkers and compilers make without a
 * name: text, constants, tables of jumps, slots and stubs of imported functions. There it is what
 * is found that counts.
 */
#include "elf-pair.h"

#include <string.h>

#include "code-insn.h"
#include "elf-same.h"

/* DEEPEST: slots that point to slots. */
enum {
	DEEPEST = 4,
	CODE_WINDOW = 48,
	MOST_LABELS = 64,
	MOST_BEFORE = 256,
	MOST_BEYOND = 64,
	LEAST_CONSTANT = 8,
	LEAST_RECORDS = 8
};

/* Of the variables and functions of source files that have one name, a function can mean only its
 * own file's. */
bool elf_is_pair(const struct elf_pair *p, uint32_t old, uint32_t new)
{
	if (old == ELF_NONE || new == ELF_NONE)
		return false;
	const struct elf_symbol *a = &p->old->symbols[old], *b = &p->new->symbols[new];

	return p->to_new[old] == new ||
	       (a->code == b->code && a->local && b->local && !strcmp(a->name, b->name));
}

static bool is_beyond(const struct elf_pair *p, uint32_t a, uint64_t old, uint32_t b, uint64_t new)
{
	if (!elf_is_pair(p, a, b))
		return false;
	const struct elf_symbol *x = &p->old->symbols[a], *y = &p->new->symbols[b];
	uint64_t beyond = old - (x->start + x->size);

	return beyond <= MOST_BEYOND && beyond == new - (y->start + y->size);
}

const struct elf_symbol *elf_same_end(const struct elf_pair *p, uint64_t old, uint64_t new)
{
	uint32_t a = elf_symbol_before(p->old, old - 1), b = elf_symbol_before(p->new, new - 1);

	/* The address may be within what follows the array. */
	for (uint32_t i = 0; a != ELF_NONE && b != ELF_NONE && i < 4; i++) {
		uint32_t x = i & 1, y = i >> 1;

		if (x <= a && y <= b && is_beyond(p, a - x, old, b - y, new))
			return &p->old->symbols[a - x];
	}
	return NULL;
}

/* The symbol that begins after ADDRESS, unless one begins at it. */
static uint32_t symbol_after(const struct elf_file *f, uint64_t address)
{
	uint32_t before = elf_symbol_before(f, address), next = before == ELF_NONE ? 0 : before + 1;

	if (next >= f->n_addressed || (before != ELF_NONE && f->symbols[before].start == address) ||
	    f->symbols[next].start - address > MOST_BEFORE)
		return ELF_NONE;
	return next;
}

bool elf_same_before(const struct elf_pair *p, uint64_t old, uint64_t new)
{
	uint32_t a = symbol_after(p->old, old), b = symbol_after(p->new, new);

	/* Two things without a name may well be different. */
	if (elf_symbol_at(p->old, old) == ELF_NONE && elf_symbol_at(p->new, new) == ELF_NONE)
		return false;
	return elf_is_pair(p, a, b) &&
	       p->old->symbols[a].start - old == p->new->symbols[b].start - new;
}

bool elf_same_next(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t size)
{
	uint32_t a = symbol_after(p->old, old), b = symbol_after(p->new, new);

	return elf_is_pair(p, a, b) && p->old->symbols[a].start - old == size &&
	       p->new->symbols[b].start - new == size;
}

static bool is_pointer_slot(const struct elf_file *f, uint64_t address)
{
	uint32_t i = elf_section_at(f, address);

	return i != ELF_NONE && !strncmp(f->sections[i].name, ".got", 4);
}

bool elf_same_slot(const struct elf_pair *p, uint64_t old, uint64_t new, int depth)
{
	unsigned size = p->old->bits / 8, beside = old % size;

	if (beside != new % size)
		return false;
	/* Linkers let the stub of what is never called jump to an address beside its slot. */
	old -= beside;
	new -= beside;
	const struct elf_relocation *a = elf_relocation_in(p->old, old, 1),
				    *b = elf_relocation_in(p->new, new, 1);
	uint64_t n = 0, m = 0;
	const uint8_t *x = elf_bytes_at(p->old, old, &n), *y = elf_bytes_at(p->new, new, &m);

	if (!a != !b || (a && (a->type != b->type || !a->target != !b->target)))
		return false;
	if (a && a->target && (*a->target->name || *b->target->name))
		/* What is in a slot that is to be filled in is no addend. */
		return !strcmp(a->target->name, b->target->name) && a->addend == b->addend;
	if (a)
		return elf_same_at(p, elf_relocation_place(p->old, a),
				   elf_relocation_place(p->new, b), 0, depth + 1);
	if (!x || !y || n < size || m < size)
		return false;
	uint64_t to = elf_number(p->old, x, size), tn = elf_number(p->new, y, size);

	return (!to && !tn) || elf_same_at(p, to, tn, 0, depth + 1);
}

/* What an instruction without a name refers to: itself as far from its beginning, or the same place
 * elsewhere. */
static bool is_same_ref(const struct elf_pair *p, const struct code_ref *r, uint64_t old,
			const struct code_ref *s, uint64_t new, int depth)
{
	if (r->kind != s->kind || r->reg != s->reg)
		return false;
	if (r->kind == REF_VALUE || r->kind == REF_LOW)
		return r->value == s->value || elf_same_at(p, r->value, s->value, 0, depth + 1);
	/* Its page is compared with what is added to it. */
	if (r->kind == REF_PAGE)
		return true;
	return r->value - old == s->value - new || elf_same_at(p, r->value, s->value, 0, depth + 1);
}

/* Code without a name: the first instructions are the same. */
static bool is_same_code(const struct elf_pair *p, uint64_t old, uint64_t new, int depth)
{
	uint64_t n = 0, m = 0;
	const uint8_t *x = elf_bytes_at(p->old, old, &n), *y = elf_bytes_at(p->new, new, &m);

	for (size_t i = 0, j = 0; x && y && i < CODE_WINDOW && i < n && j < m;) {
		struct code_insn a, b;

		code_decode(p->old->code, x + i, n - i, old + i, &a);
		code_decode(p->new->code, y + j, m - j, new + j, &b);
		if (a.unknown || a.n_masked != b.n_masked || a.n_refs != b.n_refs ||
		    memcmp(a.masked, b.masked, a.n_masked) != 0)
			return false;
		for (size_t k = 0; k < a.n_refs; k++)
			if (!is_same_ref(p, &a.refs[k], old, &b.refs[k], new, depth))
				return false;
		if (a.leaves)
			return true;
		i += a.length;
		j += b.length;
	}
	return x && y;
}

/* Where descriptions of frames begin, of which start-up code has the address: some follow each
 * other. */
static bool is_frame_record(const struct elf_file *f, uint64_t address)
{
	const struct elf_section *s = &f->sections[elf_section_at(f, address)];
	uint64_t at = address - s->address, n = 0;

	while (n < LEAST_RECORDS && s->data && at + 8 <= s->size) {
		uint64_t length = elf_number(f, s->data + at, 4),
			 back = elf_number(f, s->data + at + 4, 4);

		/* The last one is of no length. */
		if (!length)
			return n > 0;
		if (length % 4 || back > at + 4 || length + 4 > s->size - at)
			return false;
		at += length + 4;
		n++;
	}
	return n > 0 && (n == LEAST_RECORDS || at + 8 > s->size);
}

/* Data that is written, without a name: as far from the symbol before it, or from the section's
 * beginning. */
static bool is_same_place(const struct elf_pair *p, uint64_t old, uint64_t new,
			  const struct elf_section *x, const struct elf_section *y)
{
	uint32_t a = elf_symbol_before(p->old, old), b = elf_symbol_before(p->new, new);

	if (elf_is_pair(p, a, b) &&
	    old - p->old->symbols[a].start == new - p->new->symbols[b].start)
		return true;
	return old - x->address == new - y->address;
}

bool elf_same_label(const struct elf_pair *p, uint64_t old, uint64_t new)
{
	const struct elf_file *f = p->old, *g = p->new;
	size_t i = elf_label_from(f, old), j = elf_label_from(g, new), steps = 0;

	/* Both are in the order of their names. */
	while (steps++ < MOST_LABELS && i < f->n_labels && j < g->n_labels &&
	       f->labels[i].address == old && g->labels[j].address == new) {
		int r = strcmp(f->labels[i].name, g->labels[j].name);

		if (!r)
			return true;
		i += r < 0;
		j += r > 0;
	}
	return false;
}

bool elf_same_at(const struct elf_pair *p, uint64_t old, uint64_t new, unsigned size, int depth)
{
	uint32_t a = elf_symbol_at(p->old, old), b = elf_symbol_at(p->new, new);
	uint64_t from = 0, to = 0;

	if (depth > DEEPEST)
		return false;
	if (elf_is_pair(p, a, b) &&
	    old - p->old->symbols[a].start == new - p->new->symbols[b].start)
		return true;
	if (elf_same_label(p, old, new))
		return true;
	if (a != ELF_NONE || b != ELF_NONE)
		return false;
	uint32_t i = elf_section_at(p->old, old), j = elf_section_at(p->new, new);

	if (i == ELF_NONE || j == ELF_NONE)
		return i == j && old == new;
	const struct elf_section *x = &p->old->sections[i], *y = &p->new->sections[j];

	if (is_pointer_slot(p->old, old) && is_pointer_slot(p->new, new))
		return elf_same_slot(p, old, new, depth);
	if (elf_stub_slot(p->old, old, &from) && elf_stub_slot(p->new, new, &to))
		return elf_same_slot(p, from, to, depth);
	if (strcmp(x->name, y->name))
		return false;
	if (!strcmp(x->name, ".eh_frame"))
		return is_frame_record(p->old, old) && is_frame_record(p->new, new);
	if ((x->flags & SHF_EXECINSTR) && p->old->code != ELF_CODE_NONE)
		return is_same_code(p, old, new, depth);
	if (elf_is_constant(x) && elf_is_constant(y))
		return elf_same_constant(p, old, new, size, depth);
	if (is_same_place(p, old, new, x, y))
		return true;
	/* What has no name, where variables have names, is a constant that compilers put there. */
	return p->old->has_symbols && p->new->has_symbols && x->data && y->data &&
	       (size ? size : elf_extent(p->old, old)) >=
		   LEAST_CONSTANT &&elf_same_constant(p, old, new, size, depth);
}

bool elf_same_address(const struct elf_pair *p, uint64_t old, uint64_t new, unsigned size)
{
	return elf_same_at(p, old, new, size, 0);
}

/* Under other names. */
static bool is_same_symbol(const struct elf_pair *p, const struct elf_target *x,
			   const struct elf_target *y)
{
	uint32_t a = elf_symbol_at(p->old, x->address), b = elf_symbol_at(p->new, y->address);

	return elf_is_pair(p, a, b) &&
	       x->address - p->old->symbols[a].start == y->address - p->new->symbols[b].start;
}

bool elf_same_relocation(const struct elf_pair *p, const struct elf_relocation *old,
			 const struct elf_relocation *new, unsigned from_end)
{
	const struct elf_target *x = old->target, *y = new->target;
	int64_t a = elf_relocation_addend(p->old, old), b = elf_relocation_addend(p->new, new);

	if (old->type != new->type || !x != !y)
		return false;
	if (!x)
		return a == b;
	if (x->defined != y->defined)
		return false;
	if (!x->defined)
		return a == b && !strcmp(x->name, y->name);
	/* Where both say what they mean, that is not what happens to be at the address. */
	if (x->named && y->named)
		return a == b && (!strcmp(x->name, y->name) || is_same_symbol(p, x, y));
	/* What is before the beginning belongs to it, too. */
	if (a == b && a + (int64_t)from_end < 0)
		return elf_same_at(p, x->address, y->address, 0, 0);
	return elf_same_at(p, elf_relocation_place(p->old, old) + from_end,
			   elf_relocation_place(p->new, new) + from_end, 0, 0);
}
