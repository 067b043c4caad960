/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether two functions have the same instructions. */
#include "code-compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* LARGEST_ACCESS: a whole vector register. */
enum { REGISTERS = 32, CALL_CLOBBERED = 18, LARGEST_ACCESS = 64 };

/* A place of comparing: a function in each file, and what arm64 registers hold. */
struct comparison {
	const struct elf_pair *p;
	const struct code_body *old, *new; /* NULL: equal offsets are equal instructions */
	uint64_t old_start, new_start, size;
	struct {
		bool known, used;
		uint64_t old, new;
	} pages[REGISTERS];
	bool loose; /* branches within the function are not followed */
	struct code_loops *loops;
};

/* An instruction of one side. */
struct site {
	uint64_t address;
	const uint8_t *bytes;
	const struct code_insn *insn;
};

static size_t index_of(const struct code_body *b, uint64_t offset)
{
	size_t low = 0, high = b->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (b->items[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The same instruction; what leads into padding or into an instruction must do so on both sides. */
static bool same_index(const struct code_body *old, uint64_t i, const struct code_body *new,
		       uint64_t j)
{
	size_t x = index_of(old, i), y = index_of(new, j);
	uint64_t at = x < old->n ? old->items[x].offset : old->size,
		 to = y < new->n ? new->items[y].offset : new->size;

	return x == y && at - i == to - j;
}

/* Within the function: the same instruction. Otherwise: the same place elsewhere. */
static bool same_target(const struct comparison *c, uint64_t old, uint64_t new, unsigned size)
{
	uint64_t i = old - c->old_start, j = new - c->new_start;
	bool in_old = i < (c->old ? c->old->size : c->size),
	     in_new = j < (c->new ? c->new->size : c->size);

	if (in_old != in_new)
		return false;
	if (!in_old)
		return elf_same_address(c->p, old, new, size);
	if (c->loose)
		return true;
	return c->old ? same_index(c->old, i, c->new, j) : i == j;
}

/*
 * Memory that is read or written. How much of it may be known to the disassembler only, which is
 * asked where it matters: not where as much as any instruction takes is the same.
 */
static bool same_memory(const struct comparison *c, const struct site *a, const struct site *b,
			uint64_t old, uint64_t new, unsigned access)
{
	struct insn_reader *r = c->p->reader;

	if (access != CODE_ACCESS_UNKNOWN)
		return same_target(c, old, new, access);
	if (same_target(c, old, new, LARGEST_ACCESS))
		return true;
	unsigned size = r ? insn_access_size(r, a->bytes, a->insn->length, a->address) : 0;

	return size && size == insn_access_size(r, b->bytes, b->insn->length, b->address) &&
	       same_target(c, old, new, size);
}

static bool is_named(const struct elf_file *f, uint64_t address)
{
	return elf_symbol_at(f, address) != ELF_NONE;
}

/* A number that may be an address: only a place with a name, text, or what is read there, is
 * believed to be one. */
static bool same_absolute(const struct comparison *c, const struct site *a, const struct site *b,
			  uint64_t old, uint64_t new, unsigned access)
{
	uint64_t n = 0, m = 0;
	const uint8_t *x, *y;

	if (is_named(c->p->old, old) && is_named(c->p->new, new))
		return same_target(c, old, new, 0);
	if (elf_same_label(c->p, old, new))
		return true;
	x = elf_bytes_at(c->p->old, old, &n);
	y = elf_bytes_at(c->p->new, new, &m);
	if (!x || !y)
		return false;
	if (access)
		return same_memory(c, a, b, old, new, access);
	return n > 2 && m > 2 && x[0] && x[1] && elf_same_address(c->p, old, new, 0);
}

/* i386: the global offset table, from which position-independent code counts. */
static uint64_t offset_table(const struct elf_file *f)
{
	uint64_t found = 0;

	for (size_t i = 1; i < f->n_sections; i++) {
		if (!strcmp(f->sections[i].name, ".got.plt"))
			return f->sections[i].address;
		if (!strcmp(f->sections[i].name, ".got"))
			found = f->sections[i].address;
	}
	return found;
}

static bool same_from_offset_table(const struct comparison *c, const struct site *a,
				   const struct site *b, const struct code_ref *r,
				   const struct code_ref *s)
{
	uint64_t x = offset_table(c->p->old), y = offset_table(c->p->new);
	uint64_t old = (x + r->value) & UINT32_MAX, new = (y + s->value) & UINT32_MAX;

	if (!x || !y)
		return false;
	/* The table itself, from the address of the instruction that adds it. */
	if (a->address + r->value == x && b->address + s->value == y)
		return true;
	return elf_section_at(c->p->old, old) != ELF_NONE &&
	       elf_section_at(c->p->new, new) != ELF_NONE &&
	       same_memory(c, a, b, old, new, r->access);
}

/* x86: thread-local variables are counted back from the end of their storage. */
static bool same_thread_local(const struct comparison *c, uint64_t old, uint64_t new)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;

	if (!f->tls_end || !g->tls_end || (int64_t)old >= 0 || (int64_t) new >= 0)
		return false;
	old += f->tls_end;
	new += g->tls_end;
	uint32_t a = elf_tls_symbol_at(f, old), b = elf_tls_symbol_at(g, new);

	if (a == ELF_NONE || b == ELF_NONE)
		return a == b && !old && !new;
	return c->p->to_new[a] == b && old - f->symbols[a].start == new - g->symbols[b].start;
}

static bool same_value(const struct comparison *c, const struct site *a, const struct site *b,
		       const struct code_ref *r, const struct code_ref *s)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;
	uint64_t old = r->value, new = s->value, mask = f->bits == 32 ? UINT32_MAX : UINT64_MAX;

	if (f->type == ET_REL || f->code == ELF_CODE_ARM64)
		return old == new;
	if (old != new &&same_thread_local(c, old, new))
		return true;
	if (f->type == ET_EXEC && g->type == ET_EXEC) {
		uint32_t i = elf_symbol_at(f, old & mask), j = elf_symbol_at(g, new &mask);

		if (old != new)
			return same_absolute(c, a, b, old & mask, new &mask, r->access) ||
			       same_absolute(c, a, b, old & UINT32_MAX, new &UINT32_MAX, r->access);
		/* The same number, but it was the address of one thing and is that of another. */
		return i == ELF_NONE || j == ELF_NONE || f->symbols[i].start != (old & mask) ||
		       g->symbols[j].start != (new &mask) || c->p->to_new[i] == j;
	}
	return old == new || (f->code == ELF_CODE_X86_32 && same_from_offset_table(c, a, b, r, s));
}

static bool same_low(struct comparison *c, const struct code_ref *r, const struct code_ref *s)
{
	unsigned reg = r->reg;

	if (!c->pages[reg].known)
		return r->value == s->value;
	c->pages[reg].used = true;
	return same_target(c, c->pages[reg].old + r->value, c->pages[reg].new + s->value,
			   r->access);
}

static bool forget(struct comparison *c, unsigned reg)
{
	bool known = c->pages[reg].known, used = c->pages[reg].used;

	c->pages[reg].known = false;
	/* An address of a page that nothing was seen to be added to is compared as it is. */
	return !known || used || same_target(c, c->pages[reg].old, c->pages[reg].new, 0);
}

static bool keep_pages(struct comparison *c, const struct code_insn *a, const struct code_insn *b)
{
	bool same = true;

	if (a->call)
		for (unsigned i = 0; i < CALL_CLOBBERED; i++)
			same &= forget(c, i);
	if (a->clobbers) {
		same &= forget(c, a->written);
		same &= forget(c, a->written_too);
	}
	if (a->n_refs && a->refs[0].kind == REF_PAGE) {
		c->pages[a->refs[0].reg].known = true;
		c->pages[a->refs[0].reg].used = false;
		c->pages[a->refs[0].reg].old = a->refs[0].value;
		c->pages[a->refs[0].reg].new = b->refs[0].value;
	}
	return same;
}

/* A loop that is not remembered for want of memory is not counted. */
static void add_loop(struct code_loops *loops, uint64_t offset)
{
	if (loops->n == loops->capacity) {
		size_t capacity = loops->capacity ? 2 * loops->capacity : 64;
		uint64_t *grown = reallocarray(loops->v, capacity, sizeof(*grown));

		if (!grown)
			return;
		loops->v = grown;
		loops->capacity = capacity;
	}
	loops->v[loops->n++] = offset;
}

static bool same_ref(struct comparison *c, const struct site *a, const struct site *b, size_t i)
{
	const struct code_ref *r = &a->insn->refs[i], *s = &b->insn->refs[i];

	if (r->kind != s->kind)
		return false;
	switch (r->kind) {
	case REF_BRANCH:
		if (c->loops && !a->insn->call && r->value - c->old_start < c->size &&
		    r->value <= a->address)
			add_loop(c->loops, r->value - c->old_start);
		return same_target(c, r->value, s->value, 0);
	case REF_ADDRESS:
		return same_memory(c, a, b, r->value, s->value, r->access);
	case REF_VALUE:
		return same_value(c, a, b, r, s);
	case REF_LOW:
		return same_low(c, r, s);
	default:
		return r->reg == s->reg;
	}
}

static const struct code_ref *ref_of(const struct code_insn *insn, unsigned at)
{
	for (size_t i = 0; i < insn->n_refs; i++)
		if (insn->refs[i].at == at)
			return &insn->refs[i];
	return NULL;
}

/* Fields that the linker is to fill in; those that are filled are left for same_ref(). *TAKEN: a
 * bit a reference. */
static bool same_relocations(const struct comparison *c, const struct site *a, const struct site *b,
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
		if (!elf_same_relocation(c->p, r, s, relative ? a->insn->length - at : 0))
			return false;
		if (ref)
			*taken |= 1u << (ref - a->insn->refs);
	}
}

static bool same_insn(struct comparison *c, const struct site *a, const struct site *b)
{
	unsigned taken = 0;

	if (a->insn->n_masked != b->insn->n_masked ||
	    memcmp(a->insn->masked, b->insn->masked, a->insn->n_masked) ||
	    a->insn->n_refs != b->insn->n_refs)
		return false;
	if (c->p->old->type == ET_REL && !same_relocations(c, a, b, &taken))
		return false;
	for (size_t i = 0; i < a->insn->n_refs; i++)
		if (!(taken >> i & 1) && !same_ref(c, a, b, i))
			return false;
	return c->p->old->code != ELF_CODE_ARM64 || keep_pages(c, a->insn, b->insn);
}

static bool finish(struct comparison *c)
{
	bool same = true;

	for (unsigned i = 0; i < REGISTERS; i++)
		same &= forget(c, i);
	return same;
}

bool code_bytes_same(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t n,
		     struct code_loops *loops)
{
	struct comparison c = {
	    .p = p, .old_start = old, .new_start = new, .size = n, .loops = loops};
	uint64_t available = 0, new_available = 0;
	const uint8_t *x = elf_bytes_at(p->old, old, &available),
		      *y = elf_bytes_at(p->new, new, &new_available);

	if (!x || !y || available < n || new_available < n)
		return false;
	if (p->old->code == ELF_CODE_NONE || p->new->code != p->old->code)
		return p->new->code == p->old->code && !memcmp(x, y, n);
	for (uint64_t at = 0; at < n;) {
		struct code_insn a, b;
		struct site s = {old + at, x + at, &a}, t = {new + at, y + at, &b};

		code_decode(p->old->code, x + at, n - at, old + at, &a);
		code_decode(p->new->code, y + at, n - at, new + at, &b);
		if (a.length != b.length || !same_insn(&c, &s, &t))
			return false;
		at += a.length;
	}
	return finish(&c);
}

bool code_body_same(const struct elf_pair *p, const struct code_body *old,
		    const struct code_body *new)
{
	struct comparison c = {
	    .p = p, .old = old, .new = new, .old_start = old->start, .new_start = new->start};
	uint64_t n = 0, m = 0;
	const uint8_t *x = elf_bytes_at(p->old, old->start, &n),
		      *y = elf_bytes_at(p->new, new->start, &m);

	if (old->n != new->n || !x || !y || p->old->code == ELF_CODE_NONE ||
	    p->old->code != p->new->code)
		return false;
	for (size_t i = 0; i < old->n; i++) {
		const struct code_item *a = &old->items[i], *b = &new->items[i];
		struct site s = {old->start + a->offset, x + a->offset, &a->insn};
		struct site t = {new->start + b->offset, y + b->offset, &b->insn};

		if (!same_insn(&c, &s, &t))
			return false;
	}
	return finish(&c);
}

bool code_item_same(const struct elf_pair *p, const struct code_body *old, size_t i,
		    const struct code_body *new, size_t j)
{
	struct comparison c = {.p = p,
			       .old = old,
			       .new = new,
			       .old_start = old->start,
			       .new_start = new->start,
			       .loose = true};
	const struct code_item *a = &old->items[i], *b = &new->items[j];
	uint64_t n = 0;
	const uint8_t *x = elf_bytes_at(p->old, old->start, &n),
		      *y = elf_bytes_at(p->new, new->start, &n);
	struct site s = {old->start + a->offset, x + a->offset, &a->insn};
	struct site t = {new->start + b->offset, y + b->offset, &b->insn};

	return same_insn(&c, &s, &t);
}
