/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions whose instructions changed, and those that begin at another remainder of a cache line.
 */
#include "elf-diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code-compare.h"
#include "sorted-numbers.h"

static const unsigned moduli[ELF_MODULI] = {16, 32, 64};

struct search {
	struct elf_report *r;
	const struct elf_pair *p;
	struct insn_reader *reader; /* NULL: classes are not counted */
	struct code_loops loops;
	size_t functions_capacity, alignments_capacity;
};

static void count(struct search *s, size_t side, uint64_t start, uint64_t size,
		  struct insn_mix *mix)
{
	uint64_t available = 0;
	const uint8_t *p = elf_bytes_at(s->r->file[side], start, &available);

	if (p && s->reader)
		insn_count(s->reader, p, available < size ? available : size, start, mix);
	else
		mix->bytes += size;
}

static void add_mix(struct insn_mix *to, const struct insn_mix *mix)
{
	to->instructions += mix->instructions;
	to->bytes += mix->bytes;
	for (size_t i = 0; i < INSN_CLASSES; i++)
		to->of[i] += mix->of[i];
}

/* An array with room for one more. */
static void *with_room(void *array, size_t n, size_t *capacity, size_t size)
{
	if (n < *capacity)
		return array;
	*capacity = *capacity ? 2 * *capacity : 64;
	return reallocarray(array, *capacity, size);
}

static struct elf_function_change *add_function(struct search *s)
{
	void *grown = with_room(s->r->functions, s->r->n_functions, &s->functions_capacity,
				sizeof(*s->r->functions));

	if (!grown)
		return NULL;
	s->r->functions = grown;
	s->r->functions[s->r->n_functions] = (struct elf_function_change){0};
	return &s->r->functions[s->r->n_functions++];
}

static int add_changed(struct search *s, const struct elf_symbol *old, const struct elf_symbol *new)
{
	struct elf_function_change *c = add_function(s);

	if (!c)
		return -ENOMEM;
	c->name = old->name;
	c->has[ELF_OLD] = c->has[ELF_NEW] = true;
	c->address[ELF_OLD] = old->start;
	c->address[ELF_NEW] = new->start;
	c->size[ELF_OLD] = old->size;
	c->size[ELF_NEW] = new->size;
	count(s, ELF_OLD, old->start, old->size, &c->mix[ELF_OLD]);
	count(s, ELF_NEW, new->start, new->size, &c->mix[ELF_NEW]);
	for (size_t side = 0; side < ELF_SIDES; side++)
		add_mix(&s->r->code.mix[side], &c->mix[side]);
	s->r->code.changed++;
	return 0;
}

static size_t count_moved(const uint64_t *a, const uint64_t *b, size_t n, uint64_t old,
			  uint64_t new, unsigned modulus)
{
	size_t moved = 0;

	for (size_t i = 0; i < n; i++)
		moved += (old + a[i]) % modulus != (new + b[i]) % modulus;
	return moved;
}

/* A and B: the N loops of both, as far as they can be told to be the same. */
static int add_alignment(struct search *s, const struct elf_symbol *old,
			 const struct elf_symbol *new, const uint64_t *a, const uint64_t *b,
			 size_t n)
{
	struct elf_alignment found = {
	    .name = old->name, .address = {old->start, new->start}, .loops = n};
	bool moved = (old->start - new->start) % moduli[ELF_MODULI - 1] != 0;

	for (size_t i = 0; i < ELF_MODULI; i++) {
		found.loops_changed[i] = count_moved(a, b, n, old->start, new->start, moduli[i]);
		moved |= found.loops_changed[i] != 0;
		s->r->loops_moved[i] += found.loops_changed[i];
		s->r->functions_moved[i] += (old->start - new->start) % moduli[i] != 0;
	}
	if (!moved)
		return 0;
	void *grown = with_room(s->r->alignments, s->r->n_alignments, &s->alignments_capacity,
				sizeof(*s->r->alignments));

	if (!grown)
		return -ENOMEM;
	s->r->alignments = grown;
	s->r->alignments[s->r->n_alignments++] = found;
	return 0;
}

/* As their bytes differ in more than addresses, instruction by instruction. What pads, and what is
 * a nop of the program, depends on where it is: first the one is taken as the other. */
static int compare_bodies(struct search *s, const struct elf_symbol *old,
			  const struct elf_symbol *new, bool padded)
{
	struct code_body a, b;
	int r = code_body_init(&a, s->p->old, old->start, old->size, padded);
	int t = code_body_init(&b, s->p->new, new->start, new->size, padded);

	if (!r && !t && code_body_same(s->p, &a, &b)) {
		r = add_alignment(s, old, new, a.loops, b.loops, a.n_loops);
	} else if (padded && !r && !t) {
		code_body_release(&a);
		code_body_release(&b);
		return compare_bodies(s, old, new, false);
	} else if (r != -ENOMEM && t != -ENOMEM) {
		bool alike = !r && !t && a.n_loops == b.n_loops;

		r = add_changed(s, old, new);
		if (!r)
			r = add_alignment(s, old, new, a.loops, b.loops, alike ? a.n_loops : 0);
	} else {
		r = -ENOMEM;
	}
	code_body_release(&a);
	code_body_release(&b);
	return r;
}

static int compare_function(struct search *s, const struct elf_symbol *old,
			    const struct elf_symbol *new)
{
	bool shifted = (old->start - new->start) % moduli[ELF_MODULI - 1] != 0;

	s->r->code.compared++;
	if (s->p->same_names)
		return 0;
	s->loops.n = 0;
	if (old->size == new->size &&
	    code_bytes_same(s->p, old->start, new->start, old->size, shifted ? &s->loops : NULL)) {
		size_t n = shifted ? numbers_sort_unique(s->loops.v, s->loops.n) : 0;

		return shifted ? add_alignment(s, old, new, s->loops.v, s->loops.v, n) : 0;
	}
	if (s->p->old->code == ELF_CODE_NONE || s->p->new->code != s->p->old->code)
		return add_changed(s, old, new);
	return compare_bodies(s, old, new, old->size == new->size);
}

static void count_unpaired(struct search *s, size_t side, const uint32_t *partner, size_t *n)
{
	const struct elf_file *f = s->r->file[side];

	for (size_t i = 0; i < f->n_addressed; i++)
		if (partner[i] == ELF_NONE && f->symbols[i].code) {
			count(s, side, f->symbols[i].start, f->symbols[i].size,
			      &s->r->code.mix[side]);
			(*n)++;
		}
}

/* A section of code by name; stubs of imported functions follow from the functions that are
 * imported. */
static const struct elf_section *code_section(const struct elf_file *f, const char *name)
{
	for (size_t i = 1; i < f->n_sections; i++)
		if ((f->sections[i].flags & SHF_EXECINSTR) && f->sections[i].data &&
		    strncmp(f->sections[i].name, ".plt", 4) &&
		    (!name || !strcmp(f->sections[i].name, name)))
			return &f->sections[i];
	return NULL;
}

/* Whether SECTION is the one that code_section() finds by its name. */
static bool is_code_section(const struct elf_file *f, const struct elf_section *section)
{
	return (section->flags & SHF_EXECINSTR) && code_section(f, section->name) == section;
}

/* The bytes at START that are not padding; *HASH becomes what they are, whatever their addresses.
 */
static uint64_t hash_gap(const struct elf_file *f, uint64_t start, uint64_t size, uint64_t *hash)
{
	uint64_t available = 0, bytes = 0;
	const uint8_t *p = elf_bytes_at(f, start, &available);
	struct code_insn insn;

	/* Sections of a damaged file may overlap. */
	size = available < size ? available : size;
	for (uint64_t at = 0; p && at < size; at += insn.length) {
		code_decode(f->code, p + at, size - at, start + at, &insn);
		if (code_is_filler(&insn))
			continue;
		for (size_t i = 0; i < insn.n_masked; i++)
			*hash = (*hash ^ insn.masked[i]) * 0x100000001b3u;
		bytes += insn.length;
	}
	return bytes;
}

/* What is between the symbols of a section: its bytes, and a number that they have whatever their
 * addresses. */
static uint64_t outside_of(const struct elf_file *f, const struct elf_section *section,
			   uint64_t *hash)
{
	uint64_t at = section->address, end = at + section->size, bytes = 0;
	uint32_t i = elf_symbol_before(f, at);

	i = i == ELF_NONE ? 0 : i;
	while (at < end) {
		while (i < f->n_addressed && f->symbols[i].start + f->symbols[i].size <= at)
			i++;
		uint64_t next =
		    i < f->n_addressed && f->symbols[i].start < end ? f->symbols[i].start : end;

		if (next > at)
			bytes += hash_gap(f, at, next - at, hash);
		at = next < end ? f->symbols[i].start + f->symbols[i].size : end;
	}
	return bytes;
}

static bool is_named(const struct elf_file *f, const struct elf_section *section)
{
	uint32_t i = elf_symbol_before(f, section->address + section->size - 1);

	return i != ELF_NONE && f->symbols[i].start + f->symbols[i].size > section->address;
}

static int compare_outside(struct search *s, const struct elf_section *old,
			   const struct elf_section *new)
{
	uint64_t hash[ELF_SIDES] = {0}, bytes[ELF_SIDES] = {0};
	const struct elf_section *section[ELF_SIDES] = {old, new};

	/* Where nothing has a name, and nothing grew, the section is compared like one function. */
	if (old && new && !is_named(s->p->old, old) && !is_named(s->p->new, new) &&
	    old->size == new->size) {
		if (code_section_same(s->p, old->address, new->address, old->size))
			return 0;
		bytes[ELF_OLD] = bytes[ELF_NEW] = old->size;
	} else {
		for (size_t side = 0; side < ELF_SIDES; side++)
			if (section[side])
				bytes[side] =
				    outside_of(s->r->file[side], section[side], &hash[side]);
		if (bytes[ELF_OLD] == bytes[ELF_NEW] && hash[ELF_OLD] == hash[ELF_NEW])
			return 0;
	}
	struct elf_function_change *c = add_function(s);

	if (!c)
		return -ENOMEM;
	c->name = (old ? old : new)->name;
	c->whole_section = true;
	for (size_t side = 0; side < ELF_SIDES; side++) {
		c->size[side] = c->mix[side].bytes = bytes[side];
		c->has[side] = section[side] != NULL;
		c->address[side] = section[side] ? section[side]->address : 0;
	}
	s->r->code.outside_changed = true;
	return 0;
}

static int compare_all_outside(struct search *s)
{
	const struct elf_file *f = s->p->old, *g = s->p->new;
	int r = 0;

	/* Objects may have a section a function, all of which have symbols. */
	if (s->p->same_image || f->code == ELF_CODE_NONE || f->code != g->code || f->type == ET_REL)
		return 0;
	for (size_t i = 1; i < f->n_sections && !r; i++) {
		const struct elf_section *section = &f->sections[i];

		if (is_code_section(f, section))
			r = compare_outside(s, section, code_section(g, section->name));
	}
	for (size_t i = 1; i < g->n_sections && !r; i++) {
		const struct elf_section *section = &g->sections[i];

		if (is_code_section(g, section) && !code_section(f, section->name))
			r = compare_outside(s, NULL, section);
	}
	return r;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static int compare_changes(const void *a, const void *b)
{
	const struct elf_function_change *x = a, *y = b;
	uint64_t p = distance(x->mix[0].instructions, x->mix[1].instructions);
	uint64_t q = distance(y->mix[0].instructions, y->mix[1].instructions);

	if (p != q)
		return p > q ? -1 : 1;
	p = distance(x->size[0], x->size[1]);
	q = distance(y->size[0], y->size[1]);
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->name, y->name);
}

int elf_report_functions(struct elf_report *r, const struct elf_pair *p)
{
	struct search s = {.r = r, .p = p, .reader = p->reader};
	int status = 0;

	r->has_classes = s.reader != NULL;
	for (size_t i = 0; i < p->old->n_addressed && !status; i++) {
		const struct elf_symbol *old = &p->old->symbols[i];

		r->has_functions |= old->code;
		if (old->code && p->to_new[i] != ELF_NONE)
			status = compare_function(&s, old, &p->new->symbols[p->to_new[i]]);
	}
	count_unpaired(&s, ELF_OLD, p->to_new, &r->code.removed);
	count_unpaired(&s, ELF_NEW, p->to_old, &r->code.added);
	if (!status)
		status = compare_all_outside(&s);
	if (r->n_functions)
		qsort(r->functions, r->n_functions, sizeof(*r->functions), compare_changes);
	free(s.loops.v);
	return status;
}
