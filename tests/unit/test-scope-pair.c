/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples into calls: made-up streams of which every call is known, and random programs against a
 * model that knows all of their calls.
 */
#include "scope-pair.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SCOPES 3
#define CPUS 3
#define COSTS 3 /* two counters, and time */
#define ROWS 2
#define SWITCHES 2
#define FIRST_PROBE 3
#define MEMBERS (FIRST_PROBE + 2 * SCOPES)
#define NONE SIZE_MAX

/* What the calls of the pairing under test add up to. */
struct sums {
	uint64_t calls[SCOPES];
	uint64_t total[SCOPES][COSTS];
	uint64_t total_calls[SCOPES];
	uint64_t total_nested[SCOPES];
	unsigned total_cpu[SCOPES]; /* of the last sum */
	uint64_t child[SCOPES][COSTS];
	uint64_t kids[SCOPES];
	uint64_t outermost[COSTS];
	uint64_t outermost_calls;
	uint64_t outermost_nested;
	uint64_t last[COSTS]; /* the costs of the last call */
	unsigned last_scope;
	unsigned last_cpu;
	bool last_interrupted;
};

static void on_call(void *context, const struct pair_call *call)
{
	struct sums *s = context;

	s->calls[call->scope]++;
	for (size_t i = 0; i < COSTS; i++) {
		s->last[i] = call->cost[i];
		s->child[call->scope][i] += call->child[i];
	}
	for (size_t r = 0; r < ROWS; r++)
		s->kids[call->scope] += call->kids[r];
	s->last_scope = call->scope;
	s->last_cpu = call->cpu;
	s->last_interrupted = call->interrupted;
}

static void on_total(void *context, unsigned scope, const struct pair_sum *sum)
{
	struct sums *s = context;

	for (size_t i = 0; i < COSTS; i++)
		s->total[scope][i] += sum->cost[i];
	s->total_cpu[scope] = sum->cpu;
	for (size_t r = 0; r < ROWS; r++) {
		s->total_calls[scope] += sum->calls[r];
		s->total_nested[scope] += sum->nested[r];
	}
}

static void on_outermost(void *context, const struct pair_sum *sum)
{
	struct sums *s = context;

	for (size_t i = 0; i < COSTS; i++)
		s->outermost[i] += sum->cost[i];
	for (size_t r = 0; r < ROWS; r++) {
		s->outermost_calls += sum->calls[r];
		s->outermost_nested += sum->nested[r];
	}
}

/* Three functions, each with an entry and a return probe; x86's return addresses. */
struct bed {
	struct pair_scope scopes[SCOPES];
	struct pair_probe probes[2 * SCOPES];
	size_t cost_members[COSTS - 1];
	struct pair_layout layout;
	struct pair_sink sink;
	struct sums sums;
	struct pairing *pairing;
	/* The kernel's side: the values of one thread on each CPU. */
	uint64_t values[CPUS][MEMBERS];
	uint64_t time;
	unsigned cpu;
	bool one_group; /* that follows the thread, instead of one a CPU */
	pid_t tid;
};

static void bed_init(struct bed *b)
{
	memset(b, 0, sizeof(*b));
	for (unsigned i = 0; i < SCOPES; i++) {
		b->scopes[i] =
		    (struct pair_scope){.match = PAIR_BY_STACK, .end_delta = 8, .row = i % ROWS};
		b->probes[2 * i] = (struct pair_probe){i, false};
		b->probes[2 * i + 1] = (struct pair_probe){i, true};
	}
	b->cost_members[0] = 0;
	b->cost_members[1] = 1;
	b->layout = (struct pair_layout){.scopes = b->scopes,
					 .n_scopes = SCOPES,
					 .probes = b->probes,
					 .n_probes = 2 * SCOPES,
					 .n_members = MEMBERS,
					 .first_probe = FIRST_PROBE,
					 .switches = SWITCHES,
					 .cost_members = b->cost_members,
					 .n_cost_members = COSTS - 1,
					 .n_rows = ROWS};
	b->sink = (struct pair_sink){&b->sums, on_call, on_total, on_outermost};
	b->tid = 1;
	b->time = 1000;
}

static void bed_start(struct bed *b)
{
	b->pairing = pairing_new(&b->layout, &b->sink);
	assert_non_null(b->pairing);
}

static unsigned group_of(const struct bed *b)
{
	return b->one_group ? 0 : b->cpu;
}

/* So many instructions later, as many ns. */
static void work(struct bed *b, uint64_t n)
{
	b->values[group_of(b)][0] += n;
	b->values[group_of(b)][1] += 2 * n;
	b->time += n;
}

/* A probe is hit; the sample may be LOST. */
static void hit(struct bed *b, int probe, uint64_t sp, bool lost)
{
	size_t member = probe == PAIR_SWITCH ? SWITCHES : FIRST_PROBE + (size_t)probe;
	struct pair_sample sample = {.tid = b->tid,
				     .cpu = group_of(b),
				     .ran_on = b->cpu,
				     .time = b->time,
				     .probe = probe,
				     .sp = sp,
				     .values = b->values[group_of(b)]};

	b->values[group_of(b)][member]++;
	if (!lost)
		assert_int_equal(pairing_sample(b->pairing, &sample), 0);
}

static void enter(struct bed *b, unsigned scope, uint64_t sp)
{
	hit(b, (int)(2 * scope), sp, false);
}

static void leave(struct bed *b, unsigned scope, uint64_t sp)
{
	hit(b, (int)(2 * scope + 1), sp + 8, false);
}

static void migrate(struct bed *b, unsigned cpu)
{
	hit(b, PAIR_SWITCH, 0, false);
	b->time += 50;
	b->cpu = cpu;
}

static const struct pair_count *count(const struct bed *b, unsigned scope)
{
	return &pairing_counts(b->pairing)[scope];
}

static void nested(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	bed_start(&b);
	enter(&b, 0, 1000);
	work(&b, 10);
	enter(&b, 1, 900);
	work(&b, 5);
	leave(&b, 1, 900);
	work(&b, 1);
	leave(&b, 0, 1000);
	assert_int_equal(b.sums.total[0][0], 16);
	assert_int_equal(b.sums.total[0][2], 16);
	assert_int_equal(b.sums.child[0][0], 5);
	assert_int_equal(b.sums.kids[0], 1);
	assert_int_equal(b.sums.total[1][1], 10);
	assert_int_equal(b.sums.outermost[0], 16);
	assert_int_equal(b.sums.outermost_calls, 1);
	assert_int_equal(b.sums.outermost_nested, 1);
	assert_false(b.sums.last_interrupted);
	pairing_free(b.pairing);
}

static void recursion_counts_once(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	bed_start(&b);
	for (uint64_t i = 0; i < 10; i++) {
		enter(&b, 0, 1000 - 16 * i);
		work(&b, 1);
	}
	for (uint64_t i = 10; i-- > 0;)
		leave(&b, 0, 1000 - 16 * i);
	assert_int_equal(b.sums.calls[0], 10);
	assert_int_equal(b.sums.total[0][0], 10);
	assert_int_equal(b.sums.total_calls[0], 1);
	assert_int_equal(b.sums.total_nested[0], 9);
	pairing_free(b.pairing);
}

/* Left without a return, found out by what comes at a higher stack pointer. */
static void longjmp_out(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	bed_start(&b);
	enter(&b, 0, 1000);
	enter(&b, 1, 900);
	enter(&b, 2, 800);
	work(&b, 7);
	leave(&b, 2, 800);
	work(&b, 1);
	/* To 0, which goes on and returns. */
	leave(&b, 0, 1000);
	assert_int_equal(b.sums.calls[1], 0);
	assert_int_equal(count(&b, 1)->unreturned, 1);
	assert_int_equal(b.sums.total[0][0], 8);
	assert_int_equal(b.sums.child[0][0], 7);
	assert_int_equal(b.sums.total[2][0], 7);
	/* Again at the same place: the first one was left. */
	enter(&b, 1, 900);
	work(&b, 100);
	enter(&b, 1, 900);
	work(&b, 3);
	leave(&b, 1, 900);
	assert_int_equal(b.sums.total[1][0], 3);
	assert_int_equal(count(&b, 1)->unreturned, 2);
	pairing_free(b.pairing);
}

/* What a call that never returned had called counts as if that call had not been probed. */
static void promoted(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	bed_start(&b);
	enter(&b, 0, 1000);
	enter(&b, 0, 900);
	work(&b, 4);
	leave(&b, 0, 900);
	assert_int_equal(b.sums.total[0][0], 0);
	assert_int_equal(b.sums.outermost[0], 0);
	pairing_exit(b.pairing, b.tid);
	assert_int_equal(b.sums.total[0][0], 4);
	assert_int_equal(b.sums.total_calls[0], 1);
	assert_int_equal(b.sums.outermost[0], 4);
	assert_int_equal(count(&b, 0)->open, 1);
	pairing_free(b.pairing);
}

/* f jumps to g: both have the same stack pointer, and g's caller is f's. */
static void tail_call(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	bed_start(&b);
	enter(&b, 0, 1000);
	work(&b, 3);
	enter(&b, 1, 1000);
	work(&b, 4);
	leave(&b, 1, 1000);
	leave(&b, 0, 1000);
	assert_int_equal(b.sums.total[0][0], 7);
	assert_int_equal(b.sums.total[1][0], 4);
	/* With probes on return instructions f is not seen to return. */
	enter(&b, 0, 1000);
	enter(&b, 1, 1000);
	work(&b, 4);
	leave(&b, 1, 1000);
	enter(&b, 2, 1100);
	leave(&b, 2, 1100);
	assert_int_equal(b.sums.total[1][0], 8);
	assert_int_equal(count(&b, 0)->unreturned, 1);
	pairing_free(b.pairing);
}

/* A call that migrates costs what it cost on each CPU. */
static void migration(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	bed_start(&b);
	work(&b, 1000);
	enter(&b, 0, 1000);
	work(&b, 10);
	migrate(&b, 1);
	work(&b, 20);
	migrate(&b, 0);
	work(&b, 30);
	leave(&b, 0, 1000);
	assert_int_equal(b.sums.last[0], 60);
	assert_int_equal(b.sums.last[2], 160);
	assert_true(b.sums.last_interrupted);
	assert_int_equal(count(&b, 0)->interrupted, 1);
	pairing_free(b.pairing);
}

/* A call is of the CPU that it ended on, with a group a CPU and with one that follows the thread. */
static void cpu_of_the_end(void **state)
{
	(void)state;
	for (int one_group = 0; one_group < 2; one_group++) {
		struct bed b;

		bed_init(&b);
		b.one_group = one_group;
		b.cpu = 1;
		bed_start(&b);
		enter(&b, 0, 1000);
		work(&b, 10);
		migrate(&b, 0);
		enter(&b, 1, 900);
		leave(&b, 1, 900);
		assert_int_equal(b.sums.last_cpu, 0);
		migrate(&b, 1);
		leave(&b, 0, 1000);
		assert_int_equal(b.sums.last_cpu, 1);
		assert_true(b.sums.last_interrupted);
		assert_int_equal(b.sums.total_cpu[0], 1);
		assert_int_equal(b.sums.total_cpu[1], 0);
		assert_int_equal(b.sums.total[0][0], 10);
		/* What was in a call that never ended is of the CPU where the thread was seen last. */
		enter(&b, 2, 1000);
		enter(&b, 2, 900);
		work(&b, 7);
		leave(&b, 2, 900);
		assert_int_equal(b.sums.last_cpu, 1);
		migrate(&b, 0);
		enter(&b, 1, 800);
		pairing_finish(b.pairing);
		assert_int_equal(b.sums.total_cpu[2], 0);
		assert_int_equal(b.sums.total[2][0], 7);
		pairing_free(b.pairing);
	}
}

/* Where a thread moved unseen, its calls have no cost; later ones do again. */
static void lost_switch(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	bed_start(&b);
	enter(&b, 0, 1000);
	work(&b, 10);
	hit(&b, PAIR_SWITCH, 0, true);
	b.cpu = 1;
	work(&b, 20);
	leave(&b, 0, 1000);
	assert_int_equal(b.sums.calls[0], 0);
	assert_int_equal(count(&b, 0)->voided, 1);
	/* What it did on the first CPU, unseen, is not the next call's. */
	enter(&b, 0, 1000);
	migrate(&b, 0);
	work(&b, 1);
	leave(&b, 0, 1000);
	assert_int_equal(b.sums.calls[0], 0);
	enter(&b, 0, 1000);
	work(&b, 5);
	migrate(&b, 1);
	work(&b, 6);
	leave(&b, 0, 1000);
	assert_int_equal(b.sums.calls[0], 1);
	assert_int_equal(b.sums.last[0], 11);
	pairing_free(b.pairing);
}

/* A return and the next entry are lost: the two halves that are left are no call. */
static void lost_samples(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	bed_start(&b);
	enter(&b, 1, 2000);
	enter(&b, 0, 1000);
	work(&b, 10);
	hit(&b, 1, 1008, true);
	hit(&b, 0, 1000, true);
	work(&b, 10);
	leave(&b, 0, 1000);
	assert_int_equal(b.sums.calls[0], 0);
	assert_int_equal(count(&b, 0)->gaps, 2);
	assert_int_equal(count(&b, 0)->voided, 1);
	leave(&b, 1, 2000);
	assert_int_equal(b.sums.calls[1], 1);
	assert_int_equal(b.sums.last[0], 20);
	pairing_free(b.pairing);
}

/* uretprobes of 64 calls at once: those deeper are not seen to return. */
static void deep(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	b.scopes[0].depth = 64;
	bed_start(&b);
	for (uint64_t i = 0; i < 100; i++)
		enter(&b, 0, 10000 - 16 * i);
	for (uint64_t i = 64; i-- > 0;)
		leave(&b, 0, 10000 - 16 * i);
	assert_int_equal(count(&b, 0)->paired, 64);
	assert_int_equal(count(&b, 0)->missed, 36);
	assert_int_equal(count(&b, 0)->unreturned, 0);
	pairing_free(b.pairing);
}

/* The child of a fork returns from a function that it did not enter. */
static void fork_in_a_call(void **state)
{
	struct bed b;
	uint64_t saved[CPUS][MEMBERS];

	(void)state;
	bed_init(&b);
	bed_start(&b);
	enter(&b, 0, 1000);
	work(&b, 5);
	memcpy(saved, b.values, sizeof(saved));
	memset(b.values, 0, sizeof(b.values));
	b.tid = 2;
	work(&b, 3);
	leave(&b, 0, 1000);
	enter(&b, 1, 1000);
	work(&b, 2);
	leave(&b, 1, 1000);
	pairing_exit(b.pairing, 2);
	memcpy(b.values, saved, sizeof(saved));
	b.tid = 1;
	leave(&b, 0, 1000);
	assert_int_equal(b.sums.total[0][0], 5);
	assert_int_equal(b.sums.total[1][0], 2);
	assert_int_equal(count(&b, 0)->orphans, 1);
	assert_int_equal(count(&b, 0)->paired, 1);
	pairing_free(b.pairing);
}

static void exec_leaves_all(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	bed_start(&b);
	enter(&b, 0, 1000);
	work(&b, 5);
	pairing_exec(b.pairing, b.tid);
	/* Another program, another stack. */
	enter(&b, 1, 500);
	work(&b, 2);
	leave(&b, 1, 500);
	leave(&b, 0, 1000);
	assert_int_equal(count(&b, 0)->open, 1);
	assert_int_equal(count(&b, 0)->orphans, 1);
	assert_int_equal(b.sums.outermost[0], 2);
	pairing_free(b.pairing);
}

/* Its end was lost, and another thread has its number. */
static void number_used_again(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	bed_start(&b);
	enter(&b, 0, 1000);
	work(&b, 5);
	leave(&b, 0, 1000);
	enter(&b, 0, 1000);
	memset(b.values, 0, sizeof(b.values));
	enter(&b, 0, 900);
	work(&b, 3);
	leave(&b, 0, 900);
	assert_int_equal(b.sums.last[0], 3);
	assert_int_equal(count(&b, 0)->paired, 2);
	assert_int_equal(count(&b, 0)->open, 1);
	pairing_free(b.pairing);
}

static void ranges(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	b.scopes[0].match = PAIR_NEAREST;
	bed_start(&b);
	/* Begins before something is pushed, ends after; calls in between begin higher. */
	enter(&b, 0, 1000);
	work(&b, 2);
	enter(&b, 1, 1016);
	work(&b, 3);
	leave(&b, 1, 1016);
	hit(&b, 1, 976, false);
	assert_int_equal(b.sums.total[0][0], 5);
	assert_int_equal(b.sums.child[0][0], 3);
	/* Of two activations the one ends that is nearer. */
	enter(&b, 0, 1000);
	work(&b, 2);
	enter(&b, 0, 600);
	work(&b, 3);
	hit(&b, 1, 592, false);
	assert_int_equal(b.sums.last[0], 3);
	hit(&b, 1, 992, false);
	assert_int_equal(b.sums.last[0], 5);
	assert_int_equal(b.sums.total[0][0], 10);
	pairing_free(b.pairing);
}

static void markers(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	b.scopes[0].match = PAIR_LAST;
	bed_start(&b);
	/* Begins in a function that has returned since, ends in another. */
	enter(&b, 0, 500);
	work(&b, 2);
	enter(&b, 1, 1000);
	work(&b, 3);
	leave(&b, 1, 1000);
	hit(&b, 1, 700, false);
	assert_int_equal(b.sums.total[0][0], 5);
	/* A second begin at the same place: the first was left. */
	enter(&b, 0, 500);
	work(&b, 9);
	enter(&b, 0, 500);
	work(&b, 1);
	hit(&b, 1, 700, false);
	assert_int_equal(b.sums.last[0], 1);
	assert_int_equal(count(&b, 0)->unreturned, 1);
	pairing_free(b.pairing);
}

/* An interrupt's stack may be above or below the task's: neither is left because of the other. */
static void kernel_stacks(void **state)
{
	static const uint64_t irq[] = {0xffff000000100f00, 0xffff0000f0000f00};
	const uint64_t task = 0xffff000010000f00;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bed b;

		bed_init(&b);
		b.scopes[0].kernel = b.scopes[1].kernel = true;
		bed_start(&b);
		enter(&b, 2, 0x7fff0000);
		enter(&b, 0, task);
		work(&b, 1);
		enter(&b, 1, irq[i]);
		work(&b, 2);
		leave(&b, 1, irq[i]);
		leave(&b, 0, task);
		work(&b, 4);
		leave(&b, 2, 0x7fff0000);
		assert_int_equal(b.sums.total[0][0], 3);
		assert_int_equal(b.sums.total[1][0], 2);
		assert_int_equal(b.sums.total[2][0], 7);
		/* Back in user mode, no call of the kernel goes on. */
		enter(&b, 0, task);
		enter(&b, 2, 0x7fff0000);
		assert_int_equal(count(&b, 0)->unreturned, 1);
		pairing_free(b.pairing);
	}
}

/* ---- random programs ---- */

struct truth {
	unsigned scope;
	size_t parent; /* the call that it is in, or NONE */
	uint64_t sp;
	uint64_t entry[COSTS];
	uint64_t cost[COSTS];
	bool returned;
	bool blind; /* it was on a CPU where not a single sample of its stay was kept */
};

struct task {
	pid_t tid;
	unsigned cpu;
	uint64_t values[CPUS][MEMBERS];
	size_t stack[64]; /* of calls */
	size_t depth;
	bool seen; /* since it came to this CPU */
};

#define TASKS 4
#define CALLS 4096

struct program {
	struct bed bed;
	struct truth calls[CALLS];
	size_t n;
	struct task tasks[TASKS];
	uint64_t random;
	unsigned loss; /* of 1000 samples */
	uint64_t dropped;
	pid_t next_tid;
};

static unsigned draw(struct program *p, unsigned n)
{
	p->random ^= p->random << 13;
	p->random ^= p->random >> 7;
	p->random ^= p->random << 17;
	return (unsigned)(p->random >> 33) % n;
}

static uint64_t counted(const struct task *t, size_t member)
{
	uint64_t sum = 0;

	for (size_t c = 0; c < CPUS; c++)
		sum += t->values[c][member];
	return sum;
}

/* The bed becomes the task's. */
static void step(struct program *p, struct task *t)
{
	unsigned n = draw(p, 1000) + 1;

	t->values[t->cpu][0] += n;
	t->values[t->cpu][1] += draw(p, 3);
	p->bed.time += n;
}

static void task_hit(struct program *p, struct task *t, int probe, uint64_t sp)
{
	struct bed *b = &p->bed;
	bool lost = draw(p, 1000) < p->loss;

	p->dropped += lost;
	t->seen |= !lost;
	b->tid = t->tid;
	b->cpu = t->cpu;
	memcpy(b->values, t->values, sizeof(b->values));
	hit(b, probe, sp, lost);
	memcpy(t->values, b->values, sizeof(b->values));
}

static void snapshot(const struct program *p, const struct task *t, uint64_t *costs)
{
	costs[0] = counted(t, 0);
	costs[1] = counted(t, 1);
	costs[2] = p->bed.time;
}

static void random_call(struct program *p, struct task *t)
{
	struct truth *c = &p->calls[p->n];
	size_t parent = t->depth ? t->stack[t->depth - 1] : NONE;
	uint64_t sp = parent == NONE ? 100000 : p->calls[parent].sp;

	if (p->n == CALLS || t->depth == 60)
		return;
	*c = (struct truth){.scope = draw(p, SCOPES), .parent = parent};
	c->sp = sp - 16 * (1 + draw(p, 4));
	snapshot(p, t, c->entry);
	task_hit(p, t, (int)(2 * c->scope), c->sp);
	t->stack[t->depth++] = p->n++;
}

static void random_return(struct program *p, struct task *t)
{
	struct truth *c;
	uint64_t before[SCOPES], now[COSTS];

	if (!t->depth)
		return;
	c = &p->calls[t->stack[--t->depth]];
	c->returned = true;
	snapshot(p, t, now);
	for (size_t i = 0; i < COSTS; i++)
		c->cost[i] = now[i] - c->entry[i];
	memcpy(before, p->bed.sums.calls, sizeof(before));
	task_hit(p, t, (int)(2 * c->scope + 1), c->sp + 8);
	for (size_t s = 0; s < SCOPES; s++) {
		uint64_t seen = p->bed.sums.calls[s] - before[s];

		/* Nothing but this call, and where nothing is lost, this call. */
		assert_true(s == c->scope ? seen <= 1 : seen == 0);
		if (!p->loss && s == c->scope)
			assert_int_equal(seen, 1);
		for (size_t i = 0; seen && i < COSTS; i++)
			assert_true(p->bed.sums.last[i] == c->cost[i] ||
				    (c->blind && p->bed.sums.last[i] < c->cost[i]));
	}
}

static void random_switch(struct program *p, struct task *t)
{
	task_hit(p, t, PAIR_SWITCH, 0);
	for (size_t i = 0; !t->seen && i < t->depth; i++)
		p->calls[t->stack[i]].blind = true;
	t->seen = false;
	p->bed.time += 100;
	t->cpu = draw(p, CPUS);
}

static void new_thread(struct program *p, struct task *t)
{
	*t = (struct task){.tid = ++p->next_tid, .cpu = draw(p, CPUS)};
}

static void random_step(struct program *p)
{
	struct task *t = &p->tasks[draw(p, TASKS)];
	unsigned what = draw(p, 100);

	step(p, t);
	if (what < 45)
		random_call(p, t);
	else if (what < 85)
		random_return(p, t);
	else if (what < 92)
		random_switch(p, t);
	else if (what < 98 && t->depth)
		t->depth -= 1 + draw(p, (unsigned)t->depth); /* longjmp */
	else if (what == 99) {
		pairing_exit(p->bed.pairing, t->tid);
		new_thread(p, t);
	}
}

/* The nearest call around call I that returned, of SCOPE or (SCOPES) of any. */
static size_t around(const struct program *p, size_t i, unsigned scope)
{
	for (size_t a = p->calls[i].parent; a != NONE; a = p->calls[a].parent)
		if (p->calls[a].returned && (scope == SCOPES || p->calls[a].scope == scope))
			return a;
	return NONE;
}

/* What everything should add up to, call by call. */
static void model(const struct program *p, struct sums *s)
{
	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < p->n; i++) {
		const struct truth *c = &p->calls[i];
		size_t outer, same;

		if (!c->returned)
			continue;
		outer = around(p, i, SCOPES);
		same = around(p, i, c->scope);
		s->calls[c->scope]++;
		s->total_calls[c->scope] += same == NONE;
		s->outermost_calls += outer == NONE;
		for (size_t k = 0; k < COSTS; k++) {
			s->total[c->scope][k] += same == NONE ? c->cost[k] : 0;
			s->outermost[k] += outer == NONE ? c->cost[k] : 0;
			if (outer != NONE)
				s->child[p->calls[outer].scope][k] += c->cost[k];
		}
		if (outer != NONE)
			s->kids[p->calls[outer].scope]++;
		s->outermost_nested += outer != NONE;
		/* Once for each scope that it is in an outermost call of. */
		for (unsigned scope = 0; scope < SCOPES; scope++)
			s->total_nested[scope] += around(p, i, scope) != NONE;
	}
}

static void check_sums(const struct program *p)
{
	const struct sums *got = &p->bed.sums;
	struct sums want;

	model(p, &want);
	assert_memory_equal(got->calls, want.calls, sizeof(want.calls));
	assert_memory_equal(got->total, want.total, sizeof(want.total));
	assert_memory_equal(got->total_calls, want.total_calls, sizeof(want.total_calls));
	assert_memory_equal(got->total_nested, want.total_nested, sizeof(want.total_nested));
	assert_memory_equal(got->child, want.child, sizeof(want.child));
	assert_memory_equal(got->kids, want.kids, sizeof(want.kids));
	assert_memory_equal(got->outermost, want.outermost, sizeof(want.outermost));
	assert_int_equal(got->outermost_calls, want.outermost_calls);
	assert_int_equal(got->outermost_nested, want.outermost_nested);
}

static void check_counts(const struct program *p)
{
	uint64_t gaps = 0;

	for (unsigned s = 0; s < SCOPES; s++) {
		const struct pair_count *c = count(&p->bed, s);

		assert_int_equal(c->begins,
				 c->paired + c->unreturned + c->missed + c->open + c->voided);
		assert_int_equal(c->paired, p->bed.sums.calls[s]);
		gaps += c->gaps;
		if (!p->loss) {
			assert_int_equal(c->voided, 0);
			assert_int_equal(c->orphans, 0);
		}
	}
	assert_true(gaps <= p->dropped);
}

static void run_program(struct program *p, uint64_t seed, unsigned loss, unsigned steps)
{
	p->n = 0;
	p->dropped = 0;
	p->next_tid = 0;
	p->random = seed * 0x9e3779b97f4a7c15 + 1;
	p->loss = loss;
	bed_init(&p->bed);
	bed_start(&p->bed);
	for (size_t i = 0; i < TASKS; i++)
		new_thread(p, &p->tasks[i]);
	for (unsigned i = 0; i < steps; i++)
		random_step(p);
	pairing_finish(p->bed.pairing);
	check_counts(p);
	if (!loss)
		check_sums(p);
	pairing_free(p->bed.pairing);
}

static void random_programs(void **state)
{
	static struct program p;

	(void)state;
	for (uint64_t seed = 1; seed <= 50000; seed++)
		run_program(&p, seed, 0, 20 + (unsigned)(seed % 60));
	for (uint64_t seed = 1; seed <= 100; seed++)
		run_program(&p, seed, 0, 5000);
}

/*
 * Where samples are lost there are fewer calls, but never a wrong one, unless nothing at all was seen
 * of a stay on a CPU: what it cost is missing then.
 */
static void random_losses(void **state)
{
	static const unsigned losses[] = {1, 20, 100, 500};
	static struct program p;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		for (uint64_t seed = 1; seed <= 10000; seed++)
			run_program(&p, seed, losses[i], 20 + (unsigned)(seed % 100));
		for (uint64_t seed = 1; seed <= 50; seed++)
			run_program(&p, seed, losses[i], 5000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nested),
	    cmocka_unit_test(recursion_counts_once),
	    cmocka_unit_test(longjmp_out),
	    cmocka_unit_test(promoted),
	    cmocka_unit_test(tail_call),
	    cmocka_unit_test(migration),
	    cmocka_unit_test(cpu_of_the_end),
	    cmocka_unit_test(lost_switch),
	    cmocka_unit_test(lost_samples),
	    cmocka_unit_test(deep),
	    cmocka_unit_test(fork_in_a_call),
	    cmocka_unit_test(exec_leaves_all),
	    cmocka_unit_test(number_used_again),
	    cmocka_unit_test(ranges),
	    cmocka_unit_test(markers),
	    cmocka_unit_test(kernel_stacks),
	    cmocka_unit_test(random_programs),
	    cmocka_unit_test(random_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
