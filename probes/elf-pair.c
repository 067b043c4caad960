/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which symbol of one file is which of the other. */
#include "elf-pair.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code-insn.h"

#define FNV_OFFSET 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u

enum { LEAST_WORK = 1 << 20, WORK_A_BYTE = 16 };

/* A symbol that looks for its partner. */
struct seeker {
	uint32_t index;
	const char *name, *file;
	uint64_t size, hash, start;
	bool code;
};

static uint64_t hash_bytes(uint64_t h, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * FNV_PRIME;
	return h;
}

/* A number that depends on the contents of a symbol, and not on where it is. */
static uint64_t symbol_hash(const struct elf_file *f, const struct elf_symbol *s)
{
	uint64_t available = 0, h = FNV_OFFSET;
	const uint8_t *p = elf_bytes_at(f, s->start, &available);
	size_t n = p && !s->tls ? (size_t)(available < s->size ? available : s->size) : 0;

	if (!s->code || f->code == ELF_CODE_NONE)
		return hash_bytes(h, p, n);
	for (size_t at = 0; at < n;) {
		struct code_insn insn;

		code_decode(f->code, p + at, n - at, s->start + at, &insn);
		h = hash_bytes(h, insn.masked, insn.n_masked);
		at += insn.length;
	}
	return h;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Of the names of each symbol of F, the first that the other file has too. SORTED are the N names
 * of that. */
static void choose_names(struct elf_file *f, const char **sorted, size_t n)
{
	for (size_t i = 0; i < f->n_symbols; i++) {
		struct elf_symbol *s = &f->symbols[i];

		for (uint32_t k = 0; s->n_names > 1 && k < s->n_names; k++) {
			const char **name = &f->names[s->first_name + k];

			if (bsearch(name, sorted, n, sizeof(*sorted), compare_names)) {
				s->name = *name;
				break;
			}
		}
	}
}

static bool has_aliases(const struct elf_file *f)
{
	return f->n_names > f->n_symbols;
}

/* Those of F, if OTHER has symbols to choose names for. */
static const char **sorted_names(const struct elf_file *f, const struct elf_file *other)
{
	const char **names = calloc(f->n_names + 1, sizeof(*names));

	if (names && f->n_names && has_aliases(other)) {
		memcpy(names, f->names, f->n_names * sizeof(*names));
		qsort(names, f->n_names, sizeof(*names), compare_names);
	}
	return names;
}

/* Steps over what compilers number: the end of a name, or a '.' before digits, and those. */
static const char *skip_number(const char *p)
{
	while (*p == '.' && p[1] >= '0' && p[1] <= '9') {
		const char *q = p + 1;

		while (*q >= '0' && *q <= '9')
			q++;
		if (*q && *q != '.')
			break;
		p = q;
	}
	return p;
}

/* As strcmp(), without such numbers. */
static int compare_bases(const char *a, const char *b)
{
	for (;;) {
		/* Most characters begin no number. */
		while (*a == *b && *a && *a != '.') {
			a++;
			b++;
		}
		a = skip_number(a);
		b = skip_number(b);
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
		a++;
		b++;
	}
}

/* What must agree in one pass. */
struct agreement {
	bool base, file, contents;
};

static int compare_files(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_seekers(const struct seeker *x, const struct seeker *y,
			   const struct agreement *by)
{
	int r = by->base ? compare_bases(x->name, y->name) : strcmp(x->name, y->name);

	if (!r)
		r = x->code - y->code;
	if (!r && by->file)
		r = compare_files(x->file, y->file);
	if (!r && by->contents)
		r = x->size < y->size ? -1 : x->size > y->size;
	if (!r && by->contents)
		r = x->hash < y->hash ? -1 : x->hash > y->hash;
	return r;
}

static int compare_in_order(const void *a, const void *b, void *by)
{
	const struct seeker *x = a, *y = b;
	int r = compare_seekers(x, y, by);

	return r ? r : x->start < y->start ? -1 : x->start > y->start;
}

struct seekers {
	struct seeker *v;
	size_t n;
};

static int take_seekers(struct seekers *s, const struct elf_file *f)
{
	s->v = calloc(f->n_symbols + 1, sizeof(*s->v));
	if (!s->v)
		return -ENOMEM;
	for (size_t i = 0; i < f->n_symbols; i++) {
		const struct elf_symbol *y = &f->symbols[i];

		s->v[s->n++] = (struct seeker){.index = (uint32_t)i,
					       .name = y->name,
					       .file = y->file,
					       .size = y->size,
					       .start = y->start,
					       .code = y->code};
	}
	return 0;
}

/* Only what is not alone with its name has to be looked at. */
static void hash_seekers(struct seekers *s, const struct elf_file *f)
{
	for (size_t i = 0; i < s->n; i++)
		s->v[i].hash = symbol_hash(f, &f->symbols[s->v[i].index]);
}

static void drop_paired(struct seekers *s, const uint32_t *partner)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (partner[s->v[i].index] == ELF_NONE)
			s->v[n++] = s->v[i];
	s->n = n;
}

/* How many from I on agree with number I. */
static size_t alike(const struct seekers *s, size_t i, const struct agreement *by)
{
	size_t n = 1;

	while (i + n < s->n && !compare_seekers(&s->v[i], &s->v[i + n], by))
		n++;
	return n;
}

/* Pairs what agrees, in order; if UNIQUE, only where there is one on each side. */
static void pass(struct elf_pair *p, struct seekers *a, struct seekers *b, struct agreement by,
		 bool unique)
{
	size_t i = 0, j = 0;

	if (!a->n || !b->n)
		return;
	qsort_r(a->v, a->n, sizeof(*a->v), compare_in_order, &by);
	qsort_r(b->v, b->n, sizeof(*b->v), compare_in_order, &by);
	while (i < a->n && j < b->n) {
		int r = compare_seekers(&a->v[i], &b->v[j], &by);
		size_t m = r <= 0 ? alike(a, i, &by) : 0, n = r >= 0 ? alike(b, j, &by) : 0;
		size_t both = m < n ? m : n;

		if (r == 0 && (!unique || (m == 1 && n == 1)))
			for (size_t k = 0; k < both; k++) {
				p->to_new[a->v[i + k].index] = b->v[j + k].index;
				p->to_old[b->v[j + k].index] = a->v[i + k].index;
			}
		i += m;
		j += n;
	}
	drop_paired(a, p->to_new);
	drop_paired(b, p->to_old);
}

static void pair_symbols(struct elf_pair *p, struct seekers *a, struct seekers *b)
{
	pass(p, a, b, (struct agreement){0}, true);
	hash_seekers(a, p->old);
	hash_seekers(b, p->new);
	pass(p, a, b, (struct agreement){.file = true, .contents = true}, false);
	pass(p, a, b, (struct agreement){.contents = true}, false);
	pass(p, a, b, (struct agreement){.file = true}, false);
	pass(p, a, b, (struct agreement){0}, false);
	pass(p, a, b, (struct agreement){.base = true, .file = true, .contents = true}, false);
	pass(p, a, b, (struct agreement){.base = true, .contents = true}, false);
	pass(p, a, b, (struct agreement){.base = true, .file = true}, false);
	pass(p, a, b, (struct agreement){.base = true}, false);
}

static bool is_same_section(const struct elf_section *a, const struct elf_section *b)
{
	return !strcmp(a->name, b->name) && a->address == b->address && a->size == b->size &&
	       a->flags == b->flags && a->type == b->type && !a->data == !b->data &&
	       (!a->data || !memcmp(a->data, b->data, a->size));
}

static bool is_same_image(const struct elf_file *a, const struct elf_file *b)
{
	if (a->type == ET_REL || a->type != b->type || a->machine != b->machine ||
	    a->bits != b->bits || a->big_endian != b->big_endian ||
	    a->n_by_address != b->n_by_address)
		return false;
	for (size_t i = 0; i < a->n_by_address; i++)
		if (!is_same_section(&a->sections[a->by_address[i]],
				     &b->sections[b->by_address[i]]))
			return false;
	return true;
}

/* The same bytes may be of two variables that have changed places. */
static bool is_same_layout(const struct elf_pair *p)
{
	if (p->old->n_symbols != p->new->n_symbols)
		return false;
	for (size_t i = 0; i < p->old->n_symbols; i++) {
		const struct elf_symbol *a = &p->old->symbols[i];
		uint32_t j = p->to_new[i];

		if (j == ELF_NONE || p->new->symbols[j].start != a->start ||
		    p->new->symbols[j].size != a->size)
			return false;
	}
	return true;
}

/* What code of a linked file finds at an address: linkers fill in .got. */
static bool is_fixed(const struct elf_section *s)
{
	return (!(s->flags & SHF_WRITE) || !strncmp(s->name, ".got", 4)) && s->type != SHT_NOTE &&
	       strncmp(s->name, ".eh_frame", 9) != 0;
}

bool elf_pair_is_in_place(const struct elf_pair *p)
{
	const struct elf_file *f = p->old, *g = p->new;

	if (p->same_image)
		return true;
	if (f->type != g->type || f->n_by_address != g->n_by_address || !is_same_layout(p))
		return false;
	for (size_t i = 0; i < f->n_by_address; i++) {
		const struct elf_section *a = &f->sections[f->by_address[i]],
					 *b = &g->sections[g->by_address[i]];

		if (a->address != b->address || a->size != b->size || strcmp(a->name, b->name) != 0)
			return false;
		if ((is_fixed(a) || is_fixed(b)) && !is_same_section(a, b))
			return false;
	}
	return true;
}

int elf_pair_init(struct elf_pair *p, struct elf_file *old, struct elf_file *new)
{
	const char **old_names, **new_names;
	struct seekers a = {0}, b = {0};
	int r = 0;

	*p = (struct elf_pair){.old = old,
			       .new = new,
			       .same_image = is_same_image(old, new),
			       .reader = insn_reader_new(old->code)};
	if (old->has_symbols != new->has_symbols) {
		r = elf_file_read_symbols(old->has_symbols ? old : new, true);
		if (r)
			return r;
	}
	old_names = sorted_names(old, new);
	new_names = sorted_names(new, old);
	p->work = malloc(sizeof(*p->work));
	p->to_new = malloc((old->n_symbols + 1) * sizeof(*p->to_new));
	p->to_old = malloc((new->n_symbols + 1) * sizeof(*p->to_old));
	if (old_names && new_names && p->work && p->to_new && p->to_old) {
		*p->work = LEAST_WORK + WORK_A_BYTE * (old->file_size + new->file_size);
		memset(p->to_new, 0xff, (old->n_symbols + 1) * sizeof(*p->to_new));
		memset(p->to_old, 0xff, (new->n_symbols + 1) * sizeof(*p->to_old));
		choose_names(old, new_names, new->n_names);
		choose_names(new, old_names, old->n_names);
		r = take_seekers(&a, old) || take_seekers(&b, new) ? -ENOMEM : 0;
		if (!r)
			pair_symbols(p, &a, &b);
		p->same_names = !r && p->same_image && is_same_layout(p);
		if (!r && !p->same_names)
			r = elf_file_read_extents(old) || elf_file_read_extents(new) ? -ENOMEM : 0;
	} else {
		r = -ENOMEM;
	}
	free(a.v);
	free(b.v);
	free(old_names);
	free(new_names);
	return r;
}

void elf_pair_release(struct elf_pair *p)
{
	insn_reader_free(p->reader);
	free(p->work);
	free(p->to_new);
	free(p->to_old);
	*p = (struct elf_pair){0};
}
