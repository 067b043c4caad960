/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples to calls.
 *
 * A stack of a thread holds the open calls of all scopes. Its order is that of their begins; by the
 * stack pointers it is known which of them must have been left without having been seen to return:
 * by longjmp, by an exception, by a tail call.
 */
#include "scope-pair.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "scope-stack.h"

/* A range may begin with this much more on the stack than the calls in it find there. */
#define RANGE_SLACK 256
/* Kernel stacks, of tasks and of interrupts, are aligned to their size. */
#define KERNEL_STACK_SHIFT 14

struct pairing *pairing_new(const struct pair_layout *layout, const struct pair_sink *sink)
{
	struct thread_shape shape = {
	    .n_scopes = layout->n_scopes,
	    .n_members = layout->n_members,
	    .n_costs = layout->n_cost_members + 1,
	    .n_rows = layout->n_rows,
	};
	struct pairing *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->layout = layout;
	p->sink = sink;
	thread_table_init(&p->threads, &shape);
	p->counts = calloc(layout->n_scopes, sizeof(*p->counts));
	p->scratch = calloc(shape.n_costs + 2 * shape.n_rows, sizeof(*p->scratch));
	if (!p->counts || !p->scratch) {
		pairing_free(p);
		return NULL;
	}
	return p;
}

void pairing_free(struct pairing *p)
{
	if (!p)
		return;
	thread_table_release(&p->threads);
	free(p->counts);
	free(p->scratch);
	free(p);
}

static bool of_other_stack(const struct pair_scope *scope, uint64_t a, uint64_t b)
{
	return scope->kernel && a >> KERNEL_STACK_SHIFT != b >> KERNEL_STACK_SHIFT;
}

/* Whether F must have been left when SCOPE begins at SP. */
static bool left_at_begin(const struct pair_layout *l, const struct pair_frame *f, unsigned scope,
			  uint64_t sp)
{
	const struct pair_scope *old = &l->scopes[f->scope], *new = &l->scopes[scope];

	if (f->scope == scope && f->sp == sp)
		return true;
	if (old->match == PAIR_LAST || (new->kernel && !old->kernel))
		return false;
	if (old->kernel && !new->kernel)
		return true;
	if (of_other_stack(old, f->sp, sp))
		return false;
	return f->sp + (old->match == PAIR_NEAREST ? RANGE_SLACK : 0) < sp;
}

/* Whether F, and so what is below it, surely goes on. */
static bool is_below(const struct pair_layout *l, const struct pair_frame *f, unsigned scope,
		     uint64_t sp)
{
	const struct pair_scope *old = &l->scopes[f->scope];

	if (old->match == PAIR_LAST)
		return false;
	return (l->scopes[scope].kernel && !old->kernel) || f->sp > sp;
}

static void begin(struct pairing *p, struct pair_thread *t, unsigned scope,
		  const struct pair_sample *sample)
{
	const struct pair_layout *l = p->layout;
	const struct thread_shape *s = &p->threads.shape;
	struct pair_frame *f;

	for (size_t i = t->depth; i-- > 0;) {
		f = stack_frame(p, t, i);
		if (left_at_begin(l, f, scope, sample->sp))
			stack_abandon(p, t, i, false);
		else if (is_below(l, f, scope, sample->sp))
			break;
	}
	f = thread_push(&p->threads, t);
	if (!f) {
		p->counts[scope].voided++;
		return;
	}
	f->scope = scope;
	f->sp = sample->sp;
	f->switches = t->sum[l->switches];
	f->missed = l->scopes[scope].depth && t->hooked >= l->scopes[scope].depth;
	t->open[scope]++;
	if (l->scopes[scope].depth)
		t->hooked++;
	for (size_t i = 0; i + 1 < s->n_costs; i++)
		if (l->cost_members[i] != PAIR_NO_MEMBER)
			frame_entry(f)[i] = t->sum[l->cost_members[i]];
	frame_entry(f)[s->n_costs - 1] = sample->time;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* The open call of SCOPE that ends at SP; t->depth: none. */
static size_t match(const struct pairing *p, const struct pair_thread *t, unsigned scope,
		    uint64_t sp)
{
	const struct pair_scope *s = &p->layout->scopes[scope];
	size_t best = t->depth;

	if (!t->open[scope])
		return best;
	for (size_t i = t->depth; i-- > 0;) {
		const struct pair_frame *f = stack_frame(p, t, i);

		if (f->scope != scope)
			continue;
		if (s->match == PAIR_LAST ||
		    (s->match == PAIR_BY_STACK && f->sp + s->end_delta == sp))
			return i;
		if (s->match == PAIR_BY_STACK && f->sp > sp && !of_other_stack(s, f->sp, sp))
			break;
		if (s->match == PAIR_NEAREST &&
		    (best == t->depth ||
		     distance(f->sp, sp) < distance(stack_frame(p, t, best)->sp, sp)))
			best = i;
	}
	return best;
}

static void end(struct pairing *p, struct pair_thread *t, unsigned scope,
		const struct pair_sample *sample)
{
	const struct pair_layout *l = p->layout;
	size_t depth = match(p, t, scope, sample->sp);

	if (depth == t->depth) {
		p->counts[scope].orphans++;
		return;
	}
	/* What was called in it has been left; what only shares its stack pointer may go on. */
	for (size_t i = t->depth; l->scopes[scope].match != PAIR_LAST && i-- > depth + 1;) {
		const struct pair_frame *f = stack_frame(p, t, i);

		if (l->scopes[f->scope].match != PAIR_LAST && f->sp < stack_frame(p, t, depth)->sp)
			stack_abandon(p, t, i, false);
	}
	if (stack_frame(p, t, depth)->voided)
		stack_abandon(p, t, depth, false);
	else
		stack_complete(p, t, depth, sample);
}

/*
 * Where the thread was unseen, what it counted there cannot be told from what it counts later. It
 * was if it comes from a CPU that it was not seen to leave, or has left this one more often than it
 * was seen to.
 */
static void follow_cpus(const struct pairing *p, struct pair_thread *t,
			const struct thread_cpu *cpu, const struct pair_sample *sample)
{
	size_t m = p->layout->switches;
	bool is_switch = sample->probe == PAIR_SWITCH;
	uint64_t unseen = sample->values[m] - cpu->last[m] - is_switch;
	bool moved = t->started && t->last_cpu != sample->cpu && !t->last_was_switch;
	bool backwards = t->started && sample->time < t->last_time;

	if (moved || unseen || backwards)
		stack_void(p, t, 0, true);
	t->started = true;
	t->last_cpu = sample->cpu;
	t->ran_on = sample->ran_on;
	t->last_was_switch = is_switch;
	if (!backwards)
		t->last_time = sample->time;
}

/* A missing hit of a probe is a sample that was lost: its scope's open calls may not be what they
 * seem. */
static void look_for_gaps(struct pairing *p, const struct pair_thread *t,
			  const struct thread_cpu *cpu, const struct pair_sample *sample)
{
	const struct pair_layout *l = p->layout;

	for (size_t i = 0; i < l->n_probes; i++) {
		size_t m = l->first_probe + i;
		uint64_t hits = sample->values[m] - cpu->last[m];
		uint64_t seen = sample->probe == (int)i;

		if (hits <= seen)
			continue;
		p->counts[l->probes[i].scope].gaps += hits - seen;
		stack_void(p, t, l->probes[i].scope, false);
	}
}

static bool counts_backwards(const struct pair_layout *l, const struct thread_cpu *cpu,
			     const struct pair_sample *sample)
{
	for (size_t i = 0; i < l->n_members; i++)
		if (sample->values[i] < cpu->last[i])
			return true;
	return false;
}

/* The thread of SAMPLE with its values up to date. */
static struct pair_thread *follow(struct pairing *p, const struct pair_sample *sample)
{
	const struct pair_layout *l = p->layout;
	struct pair_thread *t = thread_find(&p->threads, sample->tid);
	struct thread_cpu *cpu;

	t = t ? t : thread_add(&p->threads, sample->tid);
	cpu = t ? thread_on_cpu(&p->threads, t, sample->cpu) : NULL;
	/* Another thread with the number of one whose end was lost. */
	if (cpu && counts_backwards(l, cpu, sample)) {
		pairing_exit(p, sample->tid);
		t = thread_add(&p->threads, sample->tid);
		cpu = t ? thread_on_cpu(&p->threads, t, sample->cpu) : NULL;
	}
	if (!cpu)
		return NULL;
	follow_cpus(p, t, cpu, sample);
	look_for_gaps(p, t, cpu, sample);
	for (size_t i = 0; i < l->n_members; i++) {
		t->sum[i] += sample->values[i] - cpu->last[i];
		cpu->last[i] = sample->values[i];
	}
	return t;
}

int pairing_sample(struct pairing *p, const struct pair_sample *sample)
{
	struct pair_thread *t = follow(p, sample);
	const struct pair_probe *probe;

	if (sample->probe == PAIR_SWITCH)
		return t ? 0 : -ENOMEM;
	probe = &p->layout->probes[sample->probe];
	if (probe->end)
		p->counts[probe->scope].ends++;
	else
		p->counts[probe->scope].begins++;
	if (!t)
		return -ENOMEM;
	if (probe->end)
		end(p, t, probe->scope, sample);
	else
		begin(p, t, probe->scope, sample);
	return 0;
}

void pairing_exec(struct pairing *p, pid_t tid)
{
	struct pair_thread *t = thread_find(&p->threads, tid);

	if (t)
		stack_abandon_all(p, t);
}

void pairing_exit(struct pairing *p, pid_t tid)
{
	struct pair_thread *t = thread_find(&p->threads, tid);

	if (!t)
		return;
	stack_abandon_all(p, t);
	thread_remove(&p->threads, t);
}

void pairing_finish(struct pairing *p)
{
	for (size_t i = 0; i < THREAD_BUCKETS; i++)
		while (p->threads.buckets[i])
			pairing_exit(p, p->threads.buckets[i]->tid);
}

const struct pair_count *pairing_counts(const struct pairing *p)
{
	return p->counts;
}

void pairing_reset(struct pairing *p)
{
	thread_table_release(&p->threads);
	memset(p->counts, 0, p->layout->n_scopes * sizeof(*p->counts));
}
