/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What leaves a stack of open calls, and where what was seen in it goes.
 */
#include "scope-stack.h"

#include <string.h>

static void add_all(uint64_t *to, const uint64_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += from[i];
}

struct pair_frame *stack_frame(const struct pairing *p, const struct pair_thread *t, size_t depth)
{
	return thread_frame(&p->threads, t, depth);
}

/* The call of the same scope that the one at DEPTH is in; NULL: there is none. */
static struct pair_frame *enclosing_same(const struct pairing *p, const struct pair_thread *t,
					 size_t depth)
{
	uint32_t scope = stack_frame(p, t, depth)->scope;

	if (t->open[scope] < 2)
		return NULL;
	while (depth-- > 0)
		if (stack_frame(p, t, depth)->scope == scope)
			return stack_frame(p, t, depth);
	return NULL;
}

static void close_frame(struct pairing *p, struct pair_thread *t, size_t depth)
{
	struct pair_frame *f = stack_frame(p, t, depth);

	t->open[f->scope]--;
	if (p->layout->scopes[f->scope].depth)
		t->hooked--;
	thread_drop(&p->threads, t, depth);
}

/* The call at DEPTH never returns here: what was seen in it belongs to what it was called from. */
void stack_abandon(struct pairing *p, struct pair_thread *t, size_t depth, bool at_exit)
{
	const struct thread_shape *s = &p->threads.shape;
	struct pair_frame *f = stack_frame(p, t, depth), *same = enclosing_same(p, t, depth);
	struct pair_count *count = &p->counts[f->scope];

	if (depth) {
		/* Child, kids and deeper lie side by side. */
		struct pair_frame *parent = stack_frame(p, t, depth - 1);

		add_all(frame_child(s, parent), frame_child(s, f), s->n_costs + 2 * s->n_rows);
	} else {
		p->sink->outermost(p->sink->context,
				   &(struct pair_sum){t->ran_on, frame_child(s, f),
						      frame_kids(s, f), frame_deeper(s, f)});
	}
	if (same)
		add_all(frame_same(s, same), frame_same(s, f), s->n_costs + 2 * s->n_rows);
	else
		p->sink->total(p->sink->context, f->scope,
			       &(struct pair_sum){t->ran_on, frame_same(s, f),
						  frame_same_calls(s, f), frame_same_nested(s, f)});
	if (f->voided)
		count->voided++;
	else if (f->missed)
		count->missed++;
	else if (at_exit)
		count->open++;
	else
		count->unreturned++;
	close_frame(p, t, depth);
}

void stack_abandon_all(struct pairing *p, struct pair_thread *t)
{
	while (t->depth)
		stack_abandon(p, t, t->depth - 1, true);
}

/* The call at DEPTH returned, at SAMPLE. */
void stack_complete(struct pairing *p, struct pair_thread *t, size_t depth,
		    const struct pair_sample *sample)
{
	const struct pair_layout *l = p->layout;
	const struct thread_shape *s = &p->threads.shape;
	struct pair_frame *f = stack_frame(p, t, depth), *same = enclosing_same(p, t, depth);
	struct pair_count *count = &p->counts[f->scope];
	uint64_t *cost = p->scratch, *calls = cost + s->n_costs, *nested = calls + s->n_rows;
	struct pair_sum own = {t->ran_on, cost, calls, nested};

	for (size_t i = 0; i < s->n_costs; i++) {
		size_t m = i + 1 < s->n_costs ? l->cost_members[i] : PAIR_NO_MEMBER;
		uint64_t now = m == PAIR_NO_MEMBER ? 0 : t->sum[m];

		if (i + 1 == s->n_costs)
			now = sample->time;
		cost[i] = now - frame_entry(f)[i];
	}
	memset(calls, 0, s->n_rows * sizeof(*calls));
	calls[l->scopes[f->scope].row] = 1;
	for (size_t i = 0; i < s->n_rows; i++)
		nested[i] = frame_kids(s, f)[i] + frame_deeper(s, f)[i];
	if (depth) {
		struct pair_frame *parent = stack_frame(p, t, depth - 1);

		add_all(frame_child(s, parent), cost, s->n_costs + 2 * s->n_rows);
	} else {
		p->sink->outermost(p->sink->context, &own);
	}
	if (same)
		add_all(frame_same(s, same), cost, s->n_costs + 2 * s->n_rows);
	else
		p->sink->total(p->sink->context, f->scope, &own);
	count->paired++;
	count->interrupted += t->sum[l->switches] != f->switches;
	p->sink->call(p->sink->context, &(struct pair_call){
					    .scope = f->scope,
					    .cpu = t->ran_on,
					    .interrupted = t->sum[l->switches] != f->switches,
					    .cost = cost,
					    .child = frame_child(s, f),
					    .kids = frame_kids(s, f),
					    .deeper = frame_deeper(s, f),
					});
	close_frame(p, t, depth);
}

void stack_void(const struct pairing *p, const struct pair_thread *t, unsigned scope, bool all)
{
	if (!all && !t->open[scope])
		return;
	for (size_t i = 0; i < t->depth; i++)
		if (all || stack_frame(p, t, i)->scope == scope)
			stack_frame(p, t, i)->voided = true;
}
