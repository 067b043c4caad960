/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a table reaches that code looks a value up in. */
#include "code-table.h"

#include "code-insn.h"
#include "code-step.h"

/* How many instructions are looked at before the one that looks the value up, and from the one that
 * names the address up to it. */
enum { MOST_BEFORE = 24, MOST_AFTER = 16, MOST_ENTRIES = 512 };

struct window {
	struct code_step before[MOST_BEFORE]; /* a ring */
	uint64_t at[MOST_BEFORE];             /* where they are */
	size_t n;                             /* how many there were */
	size_t used;                          /* how many of the last say what the index is */
	struct code_step lookup;
	uint64_t lookup_at;
};

/* The Kth instruction before the lookup, from 1; NULL: there are not as many. */
static const struct code_step *step_before(const struct window *w, size_t k)
{
	return k <= w->n && k <= MOST_BEFORE ? &w->before[(w->n - k) % MOST_BEFORE] : NULL;
}

/* Where the jump INSN leads on to within the function, or its end. */
static uint64_t entered_at(const struct code_insn *insn, uint64_t start, uint64_t at, uint64_t size)
{
	uint64_t to = insn->n_refs ? insn->refs[0].value - start : size;

	return insn->n_refs && insn->refs[0].kind == REF_BRANCH && to > at && to < size ? to : size;
}

/* Fills in W up to the instruction that looks something up by the address that SITE names. */
static bool find_lookup(const struct elf_file *f, uint64_t start, uint64_t size, uint64_t site,
			struct window *w)
{
	uint64_t available = 0;
	const uint8_t *p = elf_bytes_at(f, start, &available);
	unsigned reg = CODE_NO_REGISTER, after = 0;
	struct code_insn insn;

	size = available < size ? available : size;
	for (uint64_t at = 0; p && at < size && after <= MOST_AFTER; at += insn.length) {
		struct code_step s;

		code_decode(f->code, p + at, size - at, start + at, &insn);
		code_step(f->code, p + at, size - at, &s);
		if (start + at == site) {
			w->lookup = s;
			w->lookup_at = at;
			reg = s.address_to;
			if (reg == CODE_NO_REGISTER)
				return true;
		} else if (reg != CODE_NO_REGISTER) {
			if (s.base == reg && s.index != CODE_NO_REGISTER && s.index != reg) {
				w->lookup = s;
				w->lookup_at = at;
				return true;
			}
			if (s.written >> reg & 1)
				return false;
			after++;
			/* Loops begin with a jump to their end. */
			if (insn.leaves) {
				at = entered_at(&insn, start, at, size) - insn.length;
				continue;
			}
		}
		w->before[w->n % MOST_BEFORE] = s;
		w->at[w->n++ % MOST_BEFORE] = at;
	}
	return false;
}

/* The value of an index, going back: in a register, or in memory at .offset from it. */
struct value {
	unsigned in;
	uint32_t offset;
};

static bool is_value(const struct code_step *s, const struct value *v)
{
	return s->from == v->in && (v->in < STEP_MEMORY || s->offset == v->offset);
}

/* Takes V, after the instruction S, to where it was before; false: it is made otherwise there. What
 * is in memory is known only right before it was read. */
static bool trace_back(const struct code_step *s, struct value *v, uint64_t *less)
{
	if ((s->kind == STEP_COPY || s->kind == STEP_SUBTRACT) && s->to == v->in) {
		*v = (struct value){s->from, s->offset};
		*less += s->kind == STEP_SUBTRACT ? s->number : 0;
		return true;
	}
	return v->in < STEP_MEMORY && !(s->written >> (v->in & 31) & 1);
}

static bool is_jump(const struct code_step *s)
{
	return s->kind == STEP_ELSEWHERE || s->kind == STEP_ABOVE || s->kind == STEP_NOT_BELOW;
}

/* From where the value V is compared, K before the lookup, to where it was INDEX. */
static bool find_first(struct window *w, size_t k, struct value v, const struct value *index,
		       uint64_t *first)
{
	const struct code_step *s;

	*first = 0;
	for (; v.in != index->in; k++) {
		s = step_before(w, k + 1);
		if (!s || is_jump(s))
			return false;
		w->used = k + 1;
		if (s->kind == STEP_COPY && s->to == index->in && is_value(s, &v))
			return true;
		if (!trace_back(s, &v, first))
			return false;
		/* What the index is then is not what it was here. */
		if (v.in != index->in && s->written >> (index->in & 31) & 1)
			return false;
	}
	return v.in < STEP_MEMORY || v.offset == index->offset;
}

/* The guard of the index in the register REG: a comparison and a jump past the lookup. */
static bool find_guard(struct window *w, unsigned reg, struct code_table *t)
{
	struct value index = {.in = reg};
	const struct code_step *s;
	uint64_t less = 0, jump = 0;
	bool half = false;

	for (size_t k = 1; (s = step_before(w, k)); k++) {
		if (!jump && (s->kind == STEP_ABOVE || s->kind == STEP_NOT_BELOW)) {
			jump = s->kind == STEP_ABOVE ? 2 : 1;
			continue;
		}
		if (is_jump(s))
			return false;
		if (jump && s->kind == STEP_COMPARE) {
			t->n = s->number + jump - 1;
			w->used = k;
			return t->n && t->n <= MOST_ENTRIES && !less && (half || !s->half) &&
			       find_first(w, k, (struct value){s->from, s->offset}, &index,
					  &t->first) &&
			       t->first <= MOST_ENTRIES;
		}
		half |= s->half && s->kind == STEP_COPY && s->to == index.in;
		if ((jump && s->flags) || !trace_back(s, &index, &less))
			return false;
	}
	return false;
}

/* True if a branch leads past the guard. */
static bool is_entered(const struct elf_file *f, uint64_t start, uint64_t size,
		       const struct window *w)
{
	uint64_t available = 0, from = w->at[(w->n - w->used) % MOST_BEFORE];
	const uint8_t *p = elf_bytes_at(f, start, &available);
	struct code_insn insn;

	size = available < size ? available : size;
	for (uint64_t at = 0; p && at < size; at += insn.length) {
		code_decode(f->code, p + at, size - at, start + at, &insn);
		for (size_t i = 0; i < insn.n_refs; i++) {
			uint64_t to = insn.refs[i].value - start;

			if (insn.refs[i].kind == REF_BRANCH && to > from && to <= w->lookup_at)
				return true;
		}
	}
	return false;
}

bool code_table_find(const struct elf_file *f, uint64_t start, uint64_t size, uint64_t site,
		     struct code_table *t)
{
	struct window w = {0};
	const struct code_step *s = &w.lookup;

	*t = (struct code_table){0};
	if (!find_lookup(f, start, size, site, &w))
		return false;
	unsigned index = s->index != CODE_NO_REGISTER ? s->index : s->base;

	if (index == CODE_NO_REGISTER)
		return false;
	t->scale = s->index != CODE_NO_REGISTER ? s->scale : 1;
	bool guarded = find_guard(&w, index, t);

	/* Without a scale either register may be the index. */
	if (!guarded && s->index != CODE_NO_REGISTER && s->base != CODE_NO_REGISTER &&
	    s->address_to == CODE_NO_REGISTER && t->scale == 1)
		guarded = find_guard(&w, s->base, t);
	if (!guarded || is_entered(f, start, size, &w))
		t->n = t->first = 0;
	return true;
}
