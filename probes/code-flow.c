/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What registers hold throughout a function.
 *
 * A place that branches lead to has what holds on all the ways there. The function is gone through
 * in order, as often as that changes: first as if only the ways that are known so far led there.
 * Where nothing is seen to lead, a table of jumps may: what held at those.
 */
#include "code-compare.h"

#include <errno.h>
#include <stdlib.h>

#include "code-track.h"
#include "sorted-numbers.h"

/* MOST_PLACES: they take more than a kilobyte each. */
enum { MOST_PASSES = 64, MOST_PLACES = 1 << 14 };

/* A place that branches lead to. */
struct place {
	size_t item;
	bool reached;
	struct code_state state;
};

struct flow {
	struct code_body *b;
	struct place *places;
	size_t n;
	bool jumps; /* there was a jump to what a register holds */
	struct code_state at_jumps;
	bool changed;
	uint64_t *pages; /* that are used, and were set on several ways */
	size_t n_pages;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->item < y->item ? -1 : x->item > y->item;
}

/* The item that a branch of INSN within the function leads to, or SIZE_MAX. */
static size_t target_of(const struct code_body *b, const struct code_insn *insn, size_t ref)
{
	uint64_t to = insn->refs[ref].value - b->start;
	size_t i = code_body_index(b, to);

	if (insn->refs[ref].kind != REF_BRANCH || insn->call || to >= b->size || i == b->n)
		return SIZE_MAX;
	return i;
}

static int find_places(struct flow *f)
{
	const struct code_body *b = f->b;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < b->n; i++)
		for (size_t k = 0; k < b->items[i].insn.n_refs; k++)
			n += b->items[i].insn.refs[k].kind == REF_BRANCH;
	if (n > MOST_PLACES)
		return 0;
	f->places = calloc(n + 1, sizeof(*f->places));
	if (!f->places)
		return -ENOMEM;
	for (size_t i = 0; i < b->n; i++)
		for (size_t k = 0; k < b->items[i].insn.n_refs; k++) {
			size_t to = target_of(b, &b->items[i].insn, k);

			if (to != SIZE_MAX)
				f->places[f->n++].item = to;
		}
	if (f->n)
		qsort(f->places, f->n, sizeof(*f->places), compare_places);
	for (size_t i = 0; i < f->n; i++)
		if (!kept || f->places[kept - 1].item != f->places[i].item)
			f->places[kept++] = f->places[i];
	f->n = kept;
	return 0;
}

static void reach(struct flow *f, struct place *p, const struct code_state *state)
{
	if (p->reached) {
		f->changed |= code_meet(&p->state, state);
		return;
	}
	p->state = *state;
	p->reached = f->changed = true;
}

static void reach_item(struct flow *f, size_t item, const struct code_state *state)
{
	struct place key = {.item = item};
	struct place *p = bsearch(&key, f->places, f->n, sizeof(key), compare_places);

	if (p)
		reach(f, p, state);
}

static void follow_branches(struct flow *f, const struct code_insn *insn,
			    const struct code_state *state)
{
	for (size_t k = 0; k < insn->n_refs; k++) {
		size_t to = target_of(f->b, insn, k);

		if (to != SIZE_MAX)
			reach_item(f, to, state);
	}
	if (!insn->jumps)
		return;
	if (!f->jumps)
		f->at_jumps = *state;
	else
		code_meet(&f->at_jumps, state);
	f->jumps = true;
}

/* What uses a page, so that the page itself need not be compared. A page that several instructions
 * set, one on each way, is kept for later. */
static void mark_used(struct flow *f, const struct code_insn *insn, uint32_t set_by)
{
	if (set_by == CODE_SET_BY_NONE)
		return;
	if (set_by != CODE_SET_BY_MANY)
		f->b->items[set_by].page_used = true;
	else if (f->pages)
		f->pages[f->n_pages++] = insn->refs[0].place - insn->refs[0].value;
}

static void mark_pages(struct flow *f)
{
	struct code_body *b = f->b;

	numbers_sort(f->pages, f->n_pages);
	for (size_t i = 0; i < b->n && f->n_pages; i++) {
		const struct code_ref *r = &b->items[i].insn.refs[0];

		if (b->items[i].insn.n_refs && r->kind == REF_PAGE &&
		    numbers_have(f->pages, f->n_pages, r->value))
			b->items[i].page_used = true;
	}
	for (size_t i = 0; i < b->n; i++)
		if (b->items[i].page_used)
			b->items[i].insn.refs[0].placed = PLACED_ADDRESS;
}

static void pass(struct flow *f, bool last)
{
	struct code_body *b = f->b;
	struct code_state state = {0};
	bool reached = true;

	for (size_t i = 0, next = 0; i < b->n; i++) {
		struct code_insn *insn = &b->items[i].insn;

		if (next < f->n && f->places[next].item == i) {
			struct place *p = &f->places[next++];

			if (reached)
				reach(f, p, &state);
			reached = p->reached;
			state = p->state;
		} else if (!reached && (i == 0 || b->items[i - 1].insn.leaves)) {
			state = f->jumps ? f->at_jumps : (struct code_state){0};
			reached = true;
		}
		if (!reached && !last)
			continue;
		uint32_t set_by =
		    code_track(&state, b->file, b->start + b->items[i].offset, insn, (uint32_t)i);

		follow_branches(f, insn, &state);
		if (last)
			mark_used(f, insn, set_by);
		if (insn->leaves)
			reached = false;
	}
}

/* What is not known may be counted from the page that was last set in that register. */
static void guess(struct code_body *b)
{
	struct {
		bool known;
		uint32_t set_by;
		uint64_t page;
	} last[CODE_REGISTERS] = {0};

	for (size_t i = 0; i < b->n; i++) {
		struct code_ref *r = &b->items[i].insn.refs[0];

		if (!b->items[i].insn.n_refs)
			continue;
		if (r->kind == REF_PAGE) {
			last[r->reg].known = true;
			last[r->reg].set_by = (uint32_t)i;
			last[r->reg].page = r->value;
		} else if (r->kind == REF_LOW && !r->placed && last[r->reg].known) {
			r->guessed = true;
			r->set_by = last[r->reg].set_by;
			r->place = last[r->reg].page + r->value;
		}
	}
}

/* What nothing is seen to lead to, after all. */
static bool reach_the_rest(struct flow *f)
{
	static const struct code_state nothing;
	bool any = false;

	for (size_t i = 0; i < f->n; i++)
		if (!f->places[i].reached) {
			reach(f, &f->places[i], f->jumps ? &f->at_jumps : &nothing);
			any = true;
		}
	return any;
}

int code_follow(struct code_body *b)
{
	struct flow f = {.b = b};
	int r = find_places(&f);
	size_t n = 0;

	if (r || !f.places)
		return r;
	do {
		f.changed = false;
		pass(&f, false);
	} while (n++ < MOST_PASSES && (f.changed || reach_the_rest(&f)));
	f.changed = false;
	f.pages = calloc(b->n + 1, sizeof(*f.pages));
	pass(&f, true);
	mark_pages(&f);
	/* What is not known for sure is not known. */
	for (size_t i = 0; f.changed && i < b->n; i++)
		for (size_t k = 0; k < b->items[i].insn.n_refs; k++)
			b->items[i].insn.refs[k].placed = PLACED_NOWHERE;
	guess(b);
	r = f.pages ? 0 : -ENOMEM;
	free(f.pages);
	free(f.places);
	return r;
}
