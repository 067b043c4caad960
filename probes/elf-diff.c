/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between two ELF files: sizes, sections, facts; the rest is put together from its
 * parts. */
#include "elf-diff.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf-same.h"

static bool is_loaded(const struct elf_section *s)
{
	return (s->flags & SHF_ALLOC) != 0;
}

uint64_t elf_sizes_total(const struct elf_sizes *sizes)
{
	return sizes->text + sizes->data + sizes->bss;
}

struct elf_sizes elf_sizes_of(const struct elf_file *f)
{
	struct elf_sizes sizes = {0};

	for (size_t i = 1; i < f->n_sections; i++) {
		const struct elf_section *s = &f->sections[i];

		if (!is_loaded(s))
			continue;
		if ((s->flags & SHF_EXECINSTR) || !(s->flags & SHF_WRITE))
			sizes.text += s->size;
		else if (s->type != SHT_NOBITS)
			sizes.data += s->size;
		else
			sizes.bss += s->size;
	}
	return sizes;
}

/* What size -A leaves out: tables that are only for linkers and debuggers' lookups. */
static bool is_listed(const struct elf_section *s)
{
	switch (s->type) {
	case SHT_NULL:
	case SHT_SYMTAB:
	case SHT_STRTAB:
	case SHT_REL:
	case SHT_RELA:
	case SHT_GROUP:
	case SHT_SYMTAB_SHNDX:
		return is_loaded(s);
	default:
		return true;
	}
}

/* The bytes of a section that symbols cover. */
static int cover_sections(const struct elf_file *f, uint64_t **covered)
{
	*covered = calloc(f->n_sections, sizeof(**covered));
	if (!*covered)
		return -ENOMEM;
	for (size_t i = 0; i < f->n_symbols; i++)
		(*covered)[f->symbols[i].section] += f->symbols[i].size;
	return 0;
}

/* A section as it is looked up: by name, and those with one name in their order. */
struct named {
	const char *name;
	uint32_t index;
	size_t side;
};

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	if (r)
		return r;
	return x->side != y->side    ? (x->side < y->side ? -1 : 1)
	       : x->index < y->index ? -1
				     : x->index > y->index;
}

static void set_side(struct elf_section_change *c, const struct elf_section *s, uint64_t covered,
		     size_t side)
{
	c->name = s->name;
	c->has[side] = true;
	c->loaded |= is_loaded(s);
	c->size[side] = s->size;
	c->in_symbols[side] = covered;
}

static bool has_other_contents(const struct elf_pair *p, const struct elf_section *a,
			       const struct elf_section *b)
{
	if (a->size != b->size || !a->data || !b->data)
		return false;
	if (memcmp(a->data, b->data, a->size) != 0)
		return true;
	/* What the linker is still to fill in is part of them. */
	return p->old->type == ET_REL && p->new->type == ET_REL &&
	       !elf_same_links(p, a->address, b->address, a->size, ELF_LINKS_PLACE);
}

static void pair_sections(struct elf_report *r, const struct elf_pair *p, const struct named *old,
			  size_t n_old, const struct named *new, size_t n_new,
			  uint64_t *const covered[ELF_SIDES])
{
	for (size_t i = 0; i < n_old || i < n_new; i++) {
		struct elf_section_change *c = &r->sections[r->n_sections++];
		const struct elf_section *a =
		    i < n_old ? &r->file[ELF_OLD]->sections[old[i].index] : NULL;
		const struct elf_section *b =
		    i < n_new ? &r->file[ELF_NEW]->sections[new[i].index] : NULL;

		if (a)
			set_side(c, a, covered[ELF_OLD][old[i].index], ELF_OLD);
		if (b)
			set_side(c, b, covered[ELF_NEW][new[i].index], ELF_NEW);
		c->contents = a && b && has_other_contents(p, a, b);
		if (c->loaded)
			r->differ |= !a || !b || a->size != b->size || c->contents;
	}
}

static size_t run_length(const struct named *v, size_t n, size_t i, const struct named *first)
{
	size_t k = 0;

	while (i + k < n && v[i + k].side == v[i].side && !strcmp(v[i + k].name, first->name))
		k++;
	return k;
}

static int compare_sections(const void *a, const void *b)
{
	const struct elf_section_change *x = a, *y = b;
	uint64_t p = x->size[0] > x->size[1] ? x->size[0] : x->size[1];
	uint64_t q = y->size[0] > y->size[1] ? y->size[0] : y->size[1];

	if (x->loaded != y->loaded)
		return y->loaded - x->loaded;
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int report_sections(struct elf_report *r, const struct elf_pair *p)
{
	const struct elf_file *a = r->file[ELF_OLD], *b = r->file[ELF_NEW];
	struct named *all = calloc(a->n_sections + b->n_sections, sizeof(*all));
	uint64_t *covered[ELF_SIDES] = {0};
	size_t n = 0;
	int status = all ? cover_sections(a, &covered[ELF_OLD]) : -ENOMEM;

	if (!status)
		status = cover_sections(b, &covered[ELF_NEW]);
	r->sections = calloc(a->n_sections + b->n_sections, sizeof(*r->sections));
	if (!r->sections)
		status = -ENOMEM;
	for (size_t side = 0; side < ELF_SIDES && !status; side++)
		for (size_t i = 1; i < r->file[side]->n_sections; i++)
			if (is_listed(&r->file[side]->sections[i]))
				all[n++] = (struct named){r->file[side]->sections[i].name,
							  (uint32_t)i, side};
	if (!status && n)
		qsort(all, n, sizeof(*all), compare_named);
	for (size_t i = 0; i < n && !status;) {
		size_t m = all[i].side == ELF_OLD ? run_length(all, n, i, &all[i]) : 0;
		size_t k = i + m < n && all[i + m].side == ELF_NEW
			       ? run_length(all, n, i + m, &all[i])
			       : 0;

		pair_sections(r, p, &all[i], m, &all[i + m], k, covered);
		i += m + k;
	}
	if (r->n_sections)
		qsort(r->sections, r->n_sections, sizeof(*r->sections), compare_sections);
	free(all);
	free(covered[ELF_OLD]);
	free(covered[ELF_NEW]);
	return status;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_texts(char *const *a, size_t n, char *const *b, size_t m)
{
	for (size_t i = 0; i < n && n == m; i++)
		if (strcmp(a[i], b[i]))
			return false;
	return n == m;
}

/* What is loaded, or decides what is: not what strip takes away. */
static bool loaded_facts_differ(const struct elf_facts *a, const struct elf_facts *b)
{
	return !same_text(a->build_id, b->build_id) || !same_text(a->interpreter, b->interpreter) ||
	       !same_texts(a->needed, a->n_needed, b->needed, b->n_needed);
}

int elf_report_make(struct elf_report *r, const struct elf_pair *pair,
		    const struct elf_diff_options *options, char *err, size_t err_size)
{
	const struct elf_file *a = pair->old, *b = pair->new;
	int status = 0;

	*r = (struct elf_report){
	    .file = {a, b}, .same_image = pair->same_image, .has_compressed = options->compressed};
	if (a->machine != b->machine || a->bits != b->bits || a->big_endian != b->big_endian)
		r->differ = true;
	for (size_t side = 0; side < ELF_SIDES; side++) {
		r->sizes[side] = elf_sizes_of(r->file[side]);
		r->stripped[side] = !r->file[side]->has_symbols && r->file[!side]->has_symbols;
		if (options->compressed && !status)
			status = elf_compressed_size(r->file[side], &r->compressed[side]);
	}
	if (!status)
		status = report_sections(r, pair);
	if (!status)
		status = elf_report_symbols(r, pair);
	if (!status)
		status = elf_report_functions(r, pair);
	if (status) {
		snprintf(err, err_size, "out of memory");
		return status;
	}
	r->differ |= loaded_facts_differ(&a->facts, &b->facts);
	r->code_same = !r->code.changed && !r->code.added && !r->code.removed &&
		       !r->code.outside_changed && !r->code_unclear;
	r->differ |= !r->code_same || r->n_symbols;
	return 0;
}

void elf_report_release(struct elf_report *r)
{
	free(r->sections);
	free(r->symbols);
	free(r->functions);
	free(r->alignments);
	*r = (struct elf_report){0};
}
