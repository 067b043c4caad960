/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work that can be done when a buffer is allocated, when it is freed, or in neither: one CPU allocates, another one
 * frees. How much work each is, and how often it is called, is said by options, so that a cost can be moved, lost, or
 * called less often, and it is known which.
 *
 * buffer_alloc() and buffer_free() are to be scoped.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"

enum { BUFFERS = 64, WORDS = 512 };

static uint64_t buffers[BUFFERS][WORDS];
static sem_t full, empty;
static long count = 200, alloc_work = 20, free_work = 20, rest_work = 100, batch = 1;

static const struct argument arguments[] = {
    {"count", &count, 1, "buffers to pass on"},
    {"alloc", &alloc_work, 0, "rounds of work when a buffer is allocated"},
    {"free", &free_work, 0, "rounds when it is freed"},
    {"rest", &rest_work, 0, "rounds between"},
    {"batch", &batch, 1, "allocate and free so many at a call"},
    {0},
};

/* A round is a pass over the buffer. */
static void work(uint64_t *buffer, long rounds)
{
	for (long i = 0; i < rounds; i++)
		for (size_t k = 0; k < WORDS; k++)
			buffer[k] = buffer[k] * 3 + k;
	__asm__ volatile("" : : "r"(buffer) : "memory");
}

void buffer_alloc(uint64_t *buffer);
void buffer_free(uint64_t *buffer);

__attribute__((noinline)) void buffer_alloc(uint64_t *buffer)
{
	for (long i = 0; i < batch; i++)
		work(buffer, alloc_work);
}

__attribute__((noinline)) void buffer_free(uint64_t *buffer)
{
	for (long i = 0; i < batch; i++)
		work(buffer, free_work);
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

static void *receive(void *unused)
{
	(void)unused;
	run_on(1);
	for (long i = 0; i < count; i += batch) {
		sem_wait(&full);
		buffer_free(buffers[i % BUFFERS]);
		sem_post(&empty);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	arguments_parse(argc, argv, arguments);
	if (sem_init(&full, 0, 0) || sem_init(&empty, 0, BUFFERS) ||
	    pthread_create(&thread, NULL, receive, NULL)) {
		perror("shift");
		return 1;
	}
	run_on(0);
	for (long i = 0; i < count; i += batch) {
		sem_wait(&empty);
		buffer_alloc(buffers[i % BUFFERS]);
		work(buffers[i % BUFFERS], rest_work * batch);
		sem_post(&full);
	}
	return pthread_join(thread, NULL);
}
