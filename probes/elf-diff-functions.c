/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions whose instructions changed, and those that begin at another remainder of a cache line.
 */
#include "elf-diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code-compare.h"
#include "elf-diff-outside.h"
#include "elf-same.h"
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

/* Instructions that are not understood have been compared without what the linker fills in. */
static bool has_same_links(const struct elf_pair *p, const struct elf_symbol *old,
			   const struct elf_symbol *new)
{
	return p->old->code != ELF_CODE_NONE || p->old->type != ET_REL ||
	       elf_same_links(p, old->start, new->start, old->size, ELF_LINKS_MEANING);
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
	    code_bytes_same(s->p, old->start, new->start, old->size, shifted ? &s->loops : NULL) &&
	    has_same_links(s->p, old, new)) {
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

/* A section of code that may hold what is in no function; stubs of imported functions follow from
 * the functions that are imported. */
static bool is_code_section(const struct elf_file *f, const struct elf_section *s)
{
	bool stubs = f->type != ET_REL && f->code != ELF_CODE_NONE &&
		     (!strcmp(s->name, ".plt") || !strncmp(s->name, ".plt.", 5));

	return (s->flags & SHF_EXECINSTR) && s->data && !stubs;
}

/* As they are looked up: by name, those with one name in their order. */
static int compare_sections(const void *a, const void *b)
{
	const struct elf_section *x = *(const struct elf_section *const *)a;
	const struct elf_section *y = *(const struct elf_section *const *)b;
	int r = strcmp(x->name, y->name);

	return r ? r : x < y ? -1 : x > y;
}

static const struct elf_section **code_sections(const struct elf_file *f, size_t *n)
{
	const struct elf_section **v = calloc(f->n_sections + 1, sizeof(*v));

	*n = 0;
	for (size_t i = 1; v && i < f->n_sections; i++)
		if (is_code_section(f, &f->sections[i]))
			v[(*n)++] = &f->sections[i];
	if (*n)
		qsort(v, *n, sizeof(*v), compare_sections);
	return v;
}

static int compare_outside(struct search *s, const struct elf_section *old,
			   const struct elf_section *new)
{
	const struct elf_section *section[ELF_SIDES] = {old, new};
	const struct elf_file *f = s->p->old;
	uint64_t bytes[ELF_SIDES];

	if (elf_outside_same(s->p, old, new, bytes))
		return 0;
	/* What pads is not known of this machine. */
	if (f->code == ELF_CODE_NONE && old && new &&
	    (bytes[ELF_OLD] != old->size || bytes[ELF_NEW] != new->size) && s->r->has_functions) {
		s->r->code_unclear = true;
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
	size_t n, m, i = 0, j = 0;

	if (s->p->same_image || s->p->old->code != s->p->new->code)
		return 0;
	const struct elf_section **old = code_sections(s->p->old, &n),
				 **new = code_sections(s->p->new, &m);
	int r = old && new ? 0 : -ENOMEM;

	while (!r && (i < n || j < m)) {
		int order = i == n ? 1 : j == m ? -1 : strcmp(old[i]->name, new[j]->name);

		r = compare_outside(s, order <= 0 ? old[i] : NULL, order >= 0 ? new[j] : NULL);
		i += order <= 0;
		j += order >= 0;
	}
	free(old);
	free(new);
	return r;
}

/* Of machines whose instructions are not understood, code is known to be the same only where
 * nothing that it may refer to has another place or, if it is constant, other contents. */
static bool is_known(const struct elf_pair *p)
{
	const struct elf_file *f = p->old, *g = p->new;

	if (f->machine != g->machine || f->bits != g->bits || f->big_endian != g->big_endian ||
	    f->code != g->code || (f->type == ET_REL) != (g->type == ET_REL))
		return false;
	return f->code != ELF_CODE_NONE || f->type == ET_REL || elf_pair_is_in_place(p);
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
	r->code_unclear |= !is_known(p);
	if (r->n_functions)
		qsort(r->functions, r->n_functions, sizeof(*r->functions), compare_changes);
	free(s.loops.v);
	return status;
}
