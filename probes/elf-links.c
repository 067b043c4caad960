/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether what the linker is still to fill in is the same in two relocatable objects. */
#include "elf-same.h"

#include <string.h>

/* From the field to where x86 counts from: R_X86_64_PC32, R_386_PC32 and both PLT32. */
static unsigned bias_of(const struct elf_file *f, const struct elf_relocation *r)
{
	bool x86 = f->code == ELF_CODE_X86_64 || f->code == ELF_CODE_X86_32;

	return x86 && (r->type == 2 || r->type == 4) ? 4 : 0;
}

/* Leads to code that is in no symbol. */
static bool leads_to_bare_code(const struct elf_file *f, const struct elf_relocation *r)
{
	uint32_t i =
	    r->target && r->target->defined ? elf_section_at(f, r->target->address) : ELF_NONE;

	return i != ELF_NONE && (f->sections[i].flags & SHF_EXECINSTR) &&
	       elf_symbol_at(f, elf_relocation_place(f, r) + bias_of(f, r)) == ELF_NONE;
}

static bool is_same_content(const struct elf_section *x, const struct elf_section *y)
{
	return x->size == y->size && x->data && y->data && !memcmp(x->data, y->data, x->size);
}

/* Where the field itself holds what is added, only some machines' fields are numbers. */
static bool is_same_constant(const struct elf_pair *p, const struct elf_relocation *r,
			     const struct elf_section *x, const struct elf_relocation *s,
			     const struct elf_section *y)
{
	if (!elf_is_constant(x) && !elf_is_constant(y))
		return true;
	return r->in_place ? is_same_content(x, y)
			   : elf_same_constant(p, elf_relocation_place(p->old, r),
					       elf_relocation_place(p->new, s), 0, 0);
}

/* The same distance from the beginning of the section of the same name. */
static bool is_same_place(const struct elf_pair *p, const struct elf_relocation *r,
			  const struct elf_relocation *s, enum elf_links which)
{
	uint32_t i = elf_section_at(p->old, r->target->address),
		 j = elf_section_at(p->new, s->target->address);
	uint64_t old = elf_relocation_place(p->old, r), new = elf_relocation_place(p->new, s);

	if (i == ELF_NONE || j == ELF_NONE)
		return i == j && old == new;
	const struct elf_section *x = &p->old->sections[i], *y = &p->new->sections[j];

	return !strcmp(x->name, y->name) && old - x->address == new - y->address &&
	       (which != ELF_LINKS_MEANING || is_same_constant(p, r, x, s, y));
}

struct range {
	uint64_t old, new, size;
};

static bool is_same_link(const struct elf_pair *p, const struct elf_relocation *r,
			 const struct elf_relocation *s, const struct range *own,
			 enum elf_links which)
{
	const struct elf_target *x = r->target, *y = s->target;
	int64_t a = elf_relocation_addend(p->old, r), b = elf_relocation_addend(p->new, s);

	if (which == ELF_LINKS_BARE_CODE && !leads_to_bare_code(p->old, r) &&
	    !leads_to_bare_code(p->new, s))
		return true;
	if (r->type != s->type || !x != !y)
		return false;
	if (!x)
		return a == b;
	if (x->defined != y->defined || x->named != y->named)
		return false;
	if (x->named || !x->defined)
		return a == b && !strcmp(x->name, y->name);
	uint64_t i = elf_relocation_place(p->old, r) - own->old,
		 j = elf_relocation_place(p->new, s) - own->new;

	if (i < own->size && j < own->size)
		return i == j;
	return is_same_place(p, r, s, which);
}

bool elf_same_links(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t size,
		    enum elf_links which)
{
	const struct elf_file *f = p->old, *g = p->new;
	const struct elf_relocation *r = elf_relocation_in(f, old, size),
				    *s = elf_relocation_in(g, new, size);
	const struct elf_relocation *f_end = f->relocations + f->n_relocations;
	const struct elf_relocation *g_end = g->relocations + g->n_relocations;
	const struct range own = {old, new, size};

	for (;; r++, s++) {
		bool more = r && r < f_end && r->address - old < size;
		bool more_new = s && s < g_end && s->address - new < size;

		if (more != more_new)
			return false;
		if (!more)
			return true;
		if (r->address - old != s->address - new || !is_same_link(p, r, s, &own, which))
			return false;
	}
}
