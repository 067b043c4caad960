/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether two functions have the same instructions. */
#include "code-compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code-operand.h"

/* A page that nothing was seen to be added to is compared as it is. */
static bool forget_page(struct comparison *c, unsigned reg)
{
	bool known = c->pages[reg].known, used = c->pages[reg].used;

	c->pages[reg].known = false;
	return !known || used || code_same_target(c, c->pages[reg].old, c->pages[reg].new, 0);
}

/* Keeps what registers hold, where there are no bodies for which that is known already. */
static bool keep_state(struct comparison *c, struct code_insn *a, uint64_t old, struct code_insn *b,
		       uint64_t new)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;
	const struct code_ref *r = a->refs, *s = b->refs;
	bool same = true;

	code_track(&c->old_state, f, old, a, 0);
	code_track(&c->new_state, g, new, b, 0);
	if (a->leaves) {
		code_forget(&c->old_state);
		code_forget(&c->new_state);
	}
	if (f->code != ELF_CODE_ARM64)
		return true;
	if (a->n_refs && r->kind == REF_LOW && r->placed)
		c->pages[r->reg].used = true;
	for (unsigned i = 0; i < CODE_REGISTERS; i++)
		if (a->written >> i & 1)
			same &= forget_page(c, i);
	if (a->n_refs && b->n_refs && r->kind == REF_PAGE) {
		c->pages[r->reg].known = true;
		c->pages[r->reg].used = false;
		c->pages[r->reg].old = r->value;
		c->pages[r->reg].new = s->value;
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

static bool names_same(struct comparison *c, const struct site *a, const struct site *b, size_t i)
{
	const struct code_ref *r = &a->insn->refs[i], *s = &b->insn->refs[i];

	if (r->kind != s->kind)
		return false;
	switch (r->kind) {
	case REF_BRANCH:
		if (c->loops && !a->insn->call && r->value - c->old_start < c->size &&
		    r->value <= a->address)
			add_loop(c->loops, r->value - c->old_start);
		return code_same_target(c, r->value, s->value, 0);
	case REF_ADDRESS:
		return code_same_memory(c, a, b, r->value, s->value, r->access);
	case REF_VALUE:
		return code_same_value(c, a, b, r, s);
	case REF_LOW:
		return code_same_placed(c, r, s);
	case REF_THREAD:
		return code_same_thread(c, r->value, s->value);
	default:
		/* Otherwise forget_page() sees to it. */
		return !c->old || c->later || (r->placed && s->placed) ||
		       code_same_target(c, r->value, s->value, 0);
	}
}

/* The address that R names; 0: it is not known to name one. */
static uint64_t place_of(const struct elf_file *f, const struct code_ref *r)
{
	if (r->kind == REF_ADDRESS)
		return r->value;
	if (r->placed == PLACED_ADDRESS || r->guessed)
		return r->place;
	if (r->kind == REF_VALUE && f->type == ET_EXEC && !(r->flags & REF_NUMBER))
		return f->bits == 32 ? r->value & UINT32_MAX : r->value;
	return 0;
}

static bool same_ref(struct comparison *c, const struct site *a, const struct site *b, size_t i)
{
	if (names_same(c, a, b, i))
		return true;
	uint64_t old = place_of(c->p->old, &a->insn->refs[i]),
		 new = place_of(c->p->new, &b->insn->refs[i]);

	return old && new && !c->loose &&code_same_entries(c, a, b, old, new);
}

static bool is_like(const struct code_insn *a, const struct code_insn *b)
{
	return a->n_masked == b->n_masked && !memcmp(a->masked, b->masked, a->n_masked) &&
	       a->n_refs == b->n_refs;
}

/* Of two instructions that are alike. */
static bool same_operands(struct comparison *c, const struct site *a, const struct site *b)
{
	unsigned taken = 0;

	if (c->p->old->type == ET_REL && !code_same_relocations(c, a, b, &taken))
		return false;
	for (size_t i = 0; i < a->insn->n_refs; i++)
		if (!(taken >> i & 1) && !same_ref(c, a, b, i))
			return false;
	return true;
}

static bool same_insn(struct comparison *c, const struct site *a, const struct site *b)
{
	return is_like(a->insn, b->insn) && same_operands(c, a, b);
}

static bool same_bytes(struct comparison *c)
{
	const struct elf_pair *p = c->p;
	uint64_t old = c->old_start, new = c->new_start, n = c->size;
	bool tracked = code_is_tracked(p->old->code);
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
		if (!a.n_refs && !tracked && !memcmp(x + at, y + at, a.length)) {
			at += a.length;
			continue;
		}
		code_decode(p->new->code, y + at, n - at, new + at, &b);
		if (a.length != b.length || !is_like(&a, &b))
			return false;
		if (tracked && !keep_state(c, &a, s.address, &b, t.address))
			return false;
		if (!same_operands(c, &s, &t))
			return false;
		at += a.length;
	}
	for (unsigned i = 0; i < CODE_REGISTERS; i++)
		if (!forget_page(c, i))
			return false;
	return true;
}

bool code_bytes_same(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t n,
		     struct code_loops *loops)
{
	struct comparison c = {
	    .p = p, .old_start = old, .new_start = new, .size = n, .loops = loops};

	return same_bytes(&c);
}

bool code_section_same(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t n)
{
	struct comparison c = {
	    .p = p, .old_start = old, .new_start = new, .size = n, .whole = true};

	return same_bytes(&c);
}

/* A page that is guessed to be used, for the same place on both sides. */
static void excuse(const struct comparison *c, const struct code_insn *a, const struct code_insn *b,
		   bool *excused)
{
	const struct code_ref *r = a->refs, *s = b->refs;

	if (a->n_refs && b->n_refs && r->kind == REF_LOW && s->kind == REF_LOW && r->guessed &&
	    s->guessed && code_same_guess(c, r, s))
		excused[r->set_by] = true;
}

/* True if number J of both adds to the page that number I sets what makes the same place, as far as
 * nothing says that it is another page. */
static bool same_with_page(const struct comparison *c, size_t i, size_t j)
{
	const struct code_insn *x = &c->old->items[i].insn, *y = &c->new->items[i].insn;
	const struct code_insn *a = &c->old->items[j].insn, *b = &c->new->items[j].insn;
	const struct code_ref *page = x->refs, *r = a->refs, *s = b->refs;

	return x->n_refs && y->n_refs && a->n_refs && b->n_refs && page->kind == REF_PAGE &&
	       y->refs->kind == REF_PAGE && r->kind == REF_LOW && s->kind == REF_LOW &&
	       r->reg == page->reg && !r->placed && !s->placed &&
	       code_same_target(c, page->value + r->value, y->refs->value + s->value, r->access);
}

/* Where it is not known which page number I is added to: one of those that the register holds, the
 * same on both sides. Or where it is not known what is added to the page that it sets. */
static bool same_by_guess(const struct comparison *c, size_t i, bool *excused)
{
	const struct code_insn *insn = &c->old->items[i].insn;
	bool sets = insn->n_refs && insn->refs->kind == REF_PAGE;

	if (c->p->old->type == ET_REL || !insn->n_refs || (!sets && insn->refs->kind != REF_LOW) ||
	    !is_like(insn, &c->new->items[i].insn) || *c->p->work < c->old->n)
		return false;
	*c->p->work -= c->old->n;
	for (size_t k = 0; k < c->old->n; k++)
		if (same_with_page(c, sets ? i : k, sets ? k : i)) {
			excused[sets ? i : k] = true;
			return true;
		}
	return false;
}

static bool same_items(struct comparison *c, bool *excused)
{
	const struct code_body *old = c->old, *new = c->new;
	uint64_t n = 0, m = 0;
	const uint8_t *x = elf_bytes_at(c->p->old, old->start, &n),
		      *y = elf_bytes_at(c->p->new, new->start, &m);

	if (!x || !y)
		return false;
	c->later = true;
	for (size_t i = 0; i < old->n; i++) {
		const struct code_item *a = &old->items[i], *b = &new->items[i];
		struct site s = {old->start + a->offset, x + a->offset, &a->insn};
		struct site t = {new->start + b->offset, y + b->offset, &b->insn};

		if (!same_insn(c, &s, &t) && !same_by_guess(c, i, excused))
			return false;
		excuse(c, &a->insn, &b->insn, excused);
	}
	c->later = false;
	for (size_t i = 0; i < old->n; i++) {
		const struct code_insn *a = &old->items[i].insn, *b = &new->items[i].insn;

		if (a->n_refs && a->refs[0].kind == REF_PAGE && c->p->old->type != ET_REL &&
		    !excused[i] && !(a->refs[0].placed && b->refs[0].placed) &&
		    !code_same_target(c, a->refs[0].value, b->refs[0].value, 0) &&
		    !same_by_guess(c, i, excused))
			return false;
	}
	return true;
}

bool code_body_same(const struct elf_pair *p, const struct code_body *old,
		    const struct code_body *new)
{
	struct comparison c = {
	    .p = p, .old = old, .new = new, .old_start = old->start, .new_start = new->start};

	if (old->n != new->n || p->old->code == ELF_CODE_NONE || p->old->code != p->new->code)
		return false;
	bool *excused = calloc(old->n + 1, sizeof(*excused));
	bool same = excused && same_items(&c, excused);

	free(excused);
	return same;
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
