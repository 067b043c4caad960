/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do a thread's own cache, and being safe in signal handlers, cost or save an allocator? Pairs
 * of an allocation and a free of 128 bytes.
 *
 * Built five times. The baseline is the C library's malloc; with ALLOC_OWN it is a small allocator,
 * a list of free blocks behind a lock, with two factors:
 *
 * - ALLOC_CACHE: a thread takes and returns blocks through a list of its own, and goes to the common
 *   one for several at a time
 * - ALLOC_SIGNAL: all signals are blocked while a list is changed, so that a handler may allocate,
 *   too; otherwise only the lock is taken
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"

enum { SIZE = 128, BATCH = 32 };

static long count = 100000;

static const struct argument arguments[] = {
    {"count", &count, 1, "pairs of an allocation and a free"},
    {0},
};

void *block_alloc(void);
void block_free(void *block);

#ifndef ALLOC_OWN

__attribute__((noinline)) void *block_alloc(void)
{
	return malloc(SIZE);
}

__attribute__((noinline)) void block_free(void *block)
{
	free(block);
}

#else

struct block {
	struct block *next;
	char rest[SIZE - sizeof(struct block *)];
};

static struct block *common;
static atomic_flag lock = ATOMIC_FLAG_INIT;

#ifdef ALLOC_SIGNAL
static void enter(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
}

static void leave(const sigset_t *before)
{
	sigprocmask(SIG_SETMASK, before, NULL);
}
#else
static void enter(sigset_t *before)
{
	(void)before;
}

static void leave(const sigset_t *before)
{
	(void)before;
}
#endif

static void take_lock(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		;
}

static void release_lock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

static struct block *pop(struct block **list)
{
	struct block *block = *list;

	*list = block->next;
	return block;
}

static void push(struct block **list, struct block *block)
{
	block->next = *list;
	*list = block;
}

/* More blocks for the common list, whose lock is held. Whether there are any. */
static int grow(void)
{
	struct block *blocks = calloc(BATCH, sizeof(*blocks));

	for (int i = 0; blocks && i < BATCH; i++)
		push(&common, &blocks[i]);
	return blocks != NULL;
}

#ifdef ALLOC_CACHE
static _Thread_local struct block *cache;
static _Thread_local int cached;

/* Moves a batch from the common list to the thread's own. */
static int refill(void)
{
	take_lock();
	for (; cached < BATCH && (common || grow()); cached++)
		push(&cache, pop(&common));
	release_lock();
	return cached > 0;
}

static void drain(void)
{
	take_lock();
	for (; cached > BATCH; cached--)
		push(&common, pop(&cache));
	release_lock();
}

static struct block *take(void)
{
	if (!cache && !refill())
		return NULL;
	cached--;
	return pop(&cache);
}

static void give(struct block *block)
{
	push(&cache, block);
	if (++cached >= 2 * BATCH)
		drain();
}
#else
static struct block *take(void)
{
	struct block *block = NULL;

	take_lock();
	if (common || grow())
		block = pop(&common);
	release_lock();
	return block;
}

static void give(struct block *block)
{
	take_lock();
	push(&common, block);
	release_lock();
}
#endif

__attribute__((noinline)) void *block_alloc(void)
{
	struct block *block;
	sigset_t before;

	enter(&before);
	block = take();
	leave(&before);
	return block;
}

__attribute__((noinline)) void block_free(void *block)
{
	sigset_t before;

	enter(&before);
	give(block);
	leave(&before);
}

#endif

int main(int argc, char **argv)
{
	arguments_parse(argc, argv, arguments);
	for (long i = 0; i < count; i++) {
		char *block = block_alloc();

		if (!block) {
			perror("alloc-loop");
			return 1;
		}
		/* Used, so that the pair is not optimised away. */
		*(volatile char *)block = (char)i;
		block_free(block);
	}
	return 0;
}
