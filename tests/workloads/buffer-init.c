/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When should a buffer's header be initialised? One CPU allocates buffers, fills them and passes
 * them on through a queue; another one reads them and frees them, which puts them on a list that
 * goes back through a second queue.
 *
 * Built twice: INIT_AT_FREE clears the header in buffer_free(), where the buffer was used last;
 * without it, buffer_alloc() does. With --cpus=1 one thread does both in turn, on one CPU.
 *
 * buffer_alloc() and buffer_free() can be scoped.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"

enum { PAYLOAD = 2048, QUEUE = 256 };

struct buffer {
	_Alignas(64) uint64_t payload[PAYLOAD / 8];
	uint64_t header[]; /* what is initialised */
};

/* One producer, one consumer. Its ends are on lines of their own, as both CPUs poll them. */
struct queue {
	_Alignas(64) atomic_ulong head; /* buffers put */
	_Alignas(64) atomic_ulong tail; /* buffers taken */
	_Alignas(64) struct buffer *slots[QUEUE];
};

static struct queue in_use, unused;

static long count = 400000, cpus = 2, n_buffers = 192, bytes = 256;

static const struct argument arguments[] = {
    {"count", &count, 1, "buffers to pass on"},
    {"buffers", &n_buffers, 1, "buffers that there are, at most 256"},
    {"bytes", &bytes, 64, "size of a header, a multiple of 64"},
    {"cpus", &cpus, 1, "2: allocate on one CPU and free on another; 1: both on one"},
    {0},
};

static void queue_put(struct queue *q, struct buffer *b)
{
	unsigned long head = atomic_load_explicit(&q->head, memory_order_relaxed);

	/* There is room: there are no more buffers than slots. */
	q->slots[head % QUEUE] = b;
	atomic_store_explicit(&q->head, head + 1, memory_order_release);
}

/* NULL where the queue is empty. */
static struct buffer *queue_take(struct queue *q)
{
	unsigned long tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
	struct buffer *b;

	if (tail == atomic_load_explicit(&q->head, memory_order_acquire))
		return NULL;
	b = q->slots[tail % QUEUE];
	atomic_store_explicit(&q->tail, tail + 1, memory_order_release);
	return b;
}

static struct buffer *queue_wait(struct queue *q)
{
	struct buffer *b;

	/* Waits as a driver polls; lets others run where there are fewer CPUs than threads. */
	for (unsigned int i = 1; !(b = queue_take(q)); i++)
		if (i % 1024 == 0)
			sched_yield();
	return b;
}

/* As the kernel clears memory where the processor is good at it; the C library's ways are many. */
static void clear_header(struct buffer *b)
{
#ifdef __x86_64__
	void *to = b->header;
	long n = bytes / 8;

	__asm__ volatile("rep stosq" : "+D"(to), "+c"(n) : "a"(0) : "memory");
#else
	memset(b->header, 0, (size_t)bytes);
	/* Must be in memory before the buffer goes on. */
	__asm__ volatile("" : : : "memory");
#endif
}

void buffer_alloc(struct buffer *b);
void buffer_free(struct buffer *b);

/* B has been taken from the unused ones: waiting for that is not part of it. */
__attribute__((noinline, aligned(64))) void buffer_alloc(struct buffer *b)
{
#ifndef INIT_AT_FREE
	clear_header(b);
#endif
	b->header[0] = (uintptr_t)b;
}

__attribute__((noinline, aligned(64))) void buffer_free(struct buffer *b)
{
#ifdef INIT_AT_FREE
	clear_header(b);
#endif
	queue_put(&unused, b);
}

/* Fills in some of the header and all of the payload, as who sends does. */
static void fill(struct buffer *b, long i)
{
	uint64_t value = (uint64_t)i;

	b->header[1] = value;
	b->header[bytes / 16] = PAYLOAD;
	for (size_t k = 0; k < PAYLOAD / 8; k++) {
		value = value * 6364136223846793005u + 1;
		b->payload[k] = value;
	}
}

/* Reads what was filled in, as who receives does: a checksum. */
static uint64_t consume(const struct buffer *b)
{
	uint64_t sum = b->header[1] + b->header[bytes / 16];

	for (size_t k = 0; k < PAYLOAD / 8; k++)
		sum = sum * 31 + b->payload[k];
	return sum;
}

static void send_one(long i)
{
	struct buffer *b = queue_wait(&unused);

	buffer_alloc(b);
	fill(b, i);
	queue_put(&in_use, b);
}

static uint64_t receive_one(void)
{
	struct buffer *b = queue_wait(&in_use);
	uint64_t sum = consume(b);

	buffer_free(b);
	return sum;
}

static void *receive_all(void *sum)
{
	for (long i = 0; i < count; i++)
		*(uint64_t *)sum += receive_one();
	return NULL;
}

/* The calling thread runs on the INDEX-th of the CPUs that it may use, if there are so many. */
static void run_on(int index)
{
	cpu_set_t allowed, one;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed) || index-- > 0)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		return;
	}
}

static void *receiver(void *sum)
{
	run_on(0);
	return receive_all(sum);
}

static int on_two_cpus(uint64_t *sum)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, receiver, sum)) {
		perror("pthread_create");
		return 1;
	}
	run_on(1);
	for (long i = 0; i < count; i++)
		send_one(i);
	return pthread_join(thread, NULL);
}

/* All the buffers, unused. 0, or -1 with errno set. */
static int make_buffers(void)
{
	size_t size = sizeof(struct buffer) + ((size_t)bytes + 63) / 64 * 64;

	for (long i = 0; i < n_buffers && i < QUEUE; i++) {
		struct buffer *b = aligned_alloc(64, size);

		if (!b)
			return -1;
		memset(b, 0, size);
		queue_put(&unused, b);
	}
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t sum = 0;

	arguments_parse(argc, argv, arguments);
	if (make_buffers()) {
		perror("buffer-init");
		return 1;
	}
	if (cpus > 1 && on_two_cpus(&sum))
		return 1;
	for (long i = 0; cpus == 1 && i < count; i++) {
		send_one(i);
		sum += receive_one();
	}
	printf("%lu\n", (unsigned long)sum);
	return 0;
}
