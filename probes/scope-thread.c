/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table of threads, and their stacks of open calls, within bounds.
 */
#include "scope-thread.h"

#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 32768
#define MAX_FRAME_BYTES (48u << 20)
#define FIRST_DEPTH 8

void thread_table_init(struct thread_table *t, const struct thread_shape *shape)
{
	*t = (struct thread_table){.shape = *shape};
	t->stride =
	    sizeof(struct pair_frame) + (3 * shape->n_costs + 4 * shape->n_rows) * sizeof(uint64_t);
}

static void thread_free(struct thread_table *t, struct pair_thread *thread)
{
	for (size_t i = 0; i < thread->n_cpus; i++)
		free(thread->cpus[i]);
	free(thread->cpus);
	free(thread->frames);
	free(thread->open);
	t->n_bytes -= thread->max_depth * t->stride;
	free(thread);
	t->n--;
}

void thread_table_release(struct thread_table *t)
{
	for (size_t i = 0; i < THREAD_BUCKETS; i++) {
		while (t->buckets[i]) {
			struct pair_thread *next = t->buckets[i]->next;

			thread_free(t, t->buckets[i]);
			t->buckets[i] = next;
		}
	}
}

struct pair_thread *thread_find(const struct thread_table *t, pid_t tid)
{
	struct pair_thread *thread = t->buckets[(size_t)tid % THREAD_BUCKETS];

	while (thread && thread->tid != tid)
		thread = thread->next;
	return thread;
}

struct pair_thread *thread_add(struct thread_table *t, pid_t tid)
{
	struct pair_thread **bucket = &t->buckets[(size_t)tid % THREAD_BUCKETS];
	struct pair_thread *thread;

	if (t->n >= MAX_THREADS)
		return NULL;
	thread = calloc(1, sizeof(*thread) + t->shape.n_members * sizeof(uint64_t));
	if (!thread)
		return NULL;
	thread->open = calloc(t->shape.n_scopes, sizeof(*thread->open));
	if (!thread->open) {
		free(thread);
		return NULL;
	}
	thread->tid = tid;
	thread->next = *bucket;
	*bucket = thread;
	t->n++;
	return thread;
}

void thread_remove(struct thread_table *t, struct pair_thread *thread)
{
	struct pair_thread **link = &t->buckets[(size_t)thread->tid % THREAD_BUCKETS];

	while (*link != thread)
		link = &(*link)->next;
	*link = thread->next;
	thread_free(t, thread);
}

struct thread_cpu *thread_on_cpu(const struct thread_table *t, struct pair_thread *thread,
				 unsigned cpu)
{
	struct thread_cpu *added, **grown;

	for (size_t i = 0; i < thread->n_cpus; i++)
		if (thread->cpus[i]->cpu == cpu)
			return thread->cpus[i];
	grown = realloc(thread->cpus, (thread->n_cpus + 1) * sizeof(struct thread_cpu *));
	if (!grown)
		return NULL;
	thread->cpus = grown;
	added = calloc(1, sizeof(*added) + t->shape.n_members * sizeof(uint64_t));
	if (!added)
		return NULL;
	added->cpu = cpu;
	thread->cpus[thread->n_cpus++] = added;
	return added;
}

struct pair_frame *thread_frame(const struct thread_table *t, const struct pair_thread *thread,
				size_t depth)
{
	/* The stride is a multiple of what a frame is aligned to. */
	return (void *)(thread->frames + depth * t->stride);
}

static bool thread_deepen(struct thread_table *t, struct pair_thread *thread)
{
	size_t more = thread->max_depth ? thread->max_depth : FIRST_DEPTH;
	char *grown;

	if (t->n_bytes + more * t->stride > MAX_FRAME_BYTES)
		return false;
	grown = realloc(thread->frames, (thread->max_depth + more) * t->stride);
	if (!grown)
		return false;
	thread->frames = grown;
	thread->max_depth += more;
	t->n_bytes += more * t->stride;
	return true;
}

struct pair_frame *thread_push(struct thread_table *t, struct pair_thread *thread)
{
	struct pair_frame *frame;

	if (thread->depth == thread->max_depth && !thread_deepen(t, thread))
		return NULL;
	frame = thread_frame(t, thread, thread->depth++);
	memset(frame, 0, t->stride);
	return frame;
}

void thread_drop(const struct thread_table *t, struct pair_thread *thread, size_t depth)
{
	char *frame = thread->frames + depth * t->stride;

	thread->depth--;
	memmove(frame, frame + t->stride, (thread->depth - depth) * t->stride);
}
