/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pairing remembers: the threads of a run, the calls that are open in each, and the values
 * that each had last on each CPU.
 */
#ifndef ABSTAT_SCOPE_THREAD_H
#define ABSTAT_SCOPE_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Sizes of the arrays below. */
struct thread_shape {
	size_t n_scopes;
	size_t n_members;
	size_t n_costs;
	size_t n_rows;
};

/* An open call. What is in its arrays follows it in memory. */
struct pair_frame {
	uint64_t sp;
	uint64_t switches;
	uint32_t scope;
	bool voided;     /* samples are missing: its cost is not to be known */
	bool missed;     /* the kernel will not see it return */
	uint64_t data[]; /* see frame_*() */
};

struct thread_cpu {
	unsigned cpu;
	uint64_t last[]; /* n_members */
};

struct pair_thread {
	struct pair_thread *next; /* of the same hash */
	pid_t tid;
	bool started; /* a sample was seen */
	bool last_was_switch;
	unsigned last_cpu;
	unsigned ran_on; /* the CPU that it was on last */
	uint64_t last_time;
	struct thread_cpu **cpus;
	size_t n_cpus;
	char *frames;
	size_t depth;
	size_t max_depth;
	unsigned hooked; /* open calls whose return address the kernel replaced */
	unsigned *open;  /* [scope]: open calls */
	uint64_t sum[];  /* n_members: over the CPUs */
};

#define THREAD_BUCKETS 1024

struct thread_table {
	struct thread_shape shape;
	size_t stride;  /* of frames */
	size_t n;       /* threads */
	size_t n_bytes; /* of frames */
	struct pair_thread *buckets[THREAD_BUCKETS];
};

void thread_table_init(struct thread_table *t, const struct thread_shape *shape);
void thread_table_release(struct thread_table *t);

/* NULL where there is none, or no memory for another. */
struct pair_thread *thread_find(const struct thread_table *t, pid_t tid);
struct pair_thread *thread_add(struct thread_table *t, pid_t tid);
void thread_remove(struct thread_table *t, struct pair_thread *thread);

/* What it had last on CPU: zeros at first. NULL: no memory. */
struct thread_cpu *thread_on_cpu(const struct thread_table *t, struct pair_thread *thread,
				 unsigned cpu);

/* The call at DEPTH, from the outermost on; a new one, zeroed, on top (NULL: no more room). */
struct pair_frame *thread_frame(const struct thread_table *t, const struct pair_thread *thread,
				size_t depth);
struct pair_frame *thread_push(struct thread_table *t, struct pair_thread *thread);
void thread_drop(const struct thread_table *t, struct pair_thread *thread, size_t depth);

static inline uint64_t *frame_entry(struct pair_frame *f)
{
	return f->data;
}

/* The sum of the calls directly in it. */
static inline uint64_t *frame_child(const struct thread_shape *s, struct pair_frame *f)
{
	return f->data + s->n_costs;
}

/* [row]: calls directly in it, and deeper. */
static inline uint64_t *frame_kids(const struct thread_shape *s, struct pair_frame *f)
{
	return f->data + 2 * s->n_costs;
}

static inline uint64_t *frame_deeper(const struct thread_shape *s, struct pair_frame *f)
{
	return f->data + 2 * s->n_costs + s->n_rows;
}

/* Of the calls of the same scope in it that are in no other of them: cost, number, nested. */
static inline uint64_t *frame_same(const struct thread_shape *s, struct pair_frame *f)
{
	return f->data + 2 * s->n_costs + 2 * s->n_rows;
}

static inline uint64_t *frame_same_calls(const struct thread_shape *s, struct pair_frame *f)
{
	return f->data + 3 * s->n_costs + 2 * s->n_rows;
}

static inline uint64_t *frame_same_nested(const struct thread_shape *s, struct pair_frame *f)
{
	return f->data + 3 * s->n_costs + 3 * s->n_rows;
}

#endif
