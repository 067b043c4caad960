/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload whose functions are called as its arguments say: `calls plain 1000`. Every verb is a
 * row of the table at the end.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The compiler shall neither inline, nor clone, nor leave out. */
#ifdef __clang__ /* which does not clone */
#define SCOPE __attribute__((noinline)) extern
#else
#define SCOPE __attribute__((noinline, noclone)) extern
#endif
#define KEEP(x) __asm__ volatile("" : "+r"(x))

static char **args;

SCOPE int leaf(int x);
SCOPE int outer(int x);
SCOPE int recurse(int n);
SCOPE int jumper(int x);
SCOPE int tailer(int x);
SCOPE int forker(int x);
SCOPE int forever(int x);
SCOPE int wanderer(int x);
SCOPE int sleeper(int x);
SCOPE int toucher(int pages);

int leaf(int x)
{
	KEEP(x);
	return x + 1;
}

/* Three calls of leaf. */
int outer(int x)
{
	for (int i = 0; i < 3; i++) {
		x += leaf(i);
		KEEP(x);
	}
	return x;
}

int recurse(int n)
{
	int below = n > 1 ? recurse(n - 1) : 0;

	KEEP(below);
	return below + 1;
}

static jmp_buf back;

/* Every second call is left by longjmp, after a call of leaf. */
int jumper(int x)
{
	int y = leaf(x);

	KEEP(y);
	if (x % 2)
		longjmp(back, 1);
	return y;
}

int tailer(int x)
{
	KEEP(x);
	return leaf(x);
}

/* Returns in both processes. */
int forker(int x)
{
	pid_t pid = fork();

	KEEP(x);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return pid == 0 ? -1 : x;
}

int forever(int x)
{
	leaf(x);
	exit(0);
}

static void burn(long us)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000000 + (now.tv_nsec - start.tv_nsec) / 1000 < us);
}

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* 2 ms on each of two CPUs. */
int wanderer(int x)
{
	move_to(0);
	burn(2000);
	move_to(1);
	burn(2000);
	return x;
}

int sleeper(int x)
{
	nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	return x;
}

/* So many page faults. */
int toucher(int pages)
{
	long size = sysconf(_SC_PAGESIZE);
	size_t length = (size_t)((pages + 1) * size);
	char *p = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	madvise(p, length, MADV_NOHUGEPAGE);
	for (int i = 0; i < pages; i++)
		p[i * size] = 1;
	munmap(p, length);
	return pages;
}

static void repeat(int (*function)(int), int n)
{
	for (int i = 0; i < n; i++)
		function(i);
}

static void act_plain(int n)
{
	repeat(leaf, n);
}

static void act_nested(int n)
{
	repeat(outer, n);
}

static void act_recursive(int n)
{
	recurse(n);
}

static void act_longjmp(int n)
{
	for (volatile int i = 0; i < n; i++)
		if (!setjmp(back))
			jumper(i);
}

static void act_tail(int n)
{
	repeat(tailer, n);
}

static void act_fork(int n)
{
	repeat(leaf, n);
	if (forker(1) < 0)
		repeat(outer, n);
}

static void act_forever(int n)
{
	forever(n);
}

static void act_wander(int n)
{
	repeat(wanderer, n);
}

static void act_sleep(int n)
{
	repeat(sleeper, n);
}

static void act_touch(int n)
{
	repeat(toucher, n);
}

static void *thread_main(void *context)
{
	repeat(outer, *(int *)context);
	return NULL;
}

/* Four threads at once. */
static void act_threads(int n)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, thread_main, &n))
			abort();
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

/* Four processes, one after the other, of which two are left by _exit in a call. */
static void act_processes(int n)
{
	for (int i = 0; i < 4; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			repeat(outer, n);
			if (i % 2)
				_exit(0);
			forever(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* Itself again: with the verb and number that follow. */
static void act_exec(int n)
{
	repeat(leaf, n);
	execv("/proc/self/exe", (char *[]){args[0], args[3], args[4], NULL});
	abort();
}

/* A library's function, from a path. */
static void act_library(int n)
{
	void *library = dlopen(args[3], RTLD_NOW);
	int (*function)(int) = library ? (int (*)(int))dlsym(library, "in_library") : NULL;

	if (!function)
		abort();
	repeat(function, n);
}

/* Killed in a call. */
static void act_killed(int n)
{
	repeat(leaf, n);
	if (fork() == 0)
		for (;;)
			sleeper(0);
}

static const struct {
	const char *verb;
	void (*act)(int n);
} acts[] = {
    {"plain", act_plain},     {"nested", act_nested},   {"recursive", act_recursive},
    {"longjmp", act_longjmp}, {"tail", act_tail},       {"fork", act_fork},
    {"forever", act_forever}, {"wander", act_wander},   {"sleep", act_sleep},
    {"touch", act_touch},     {"threads", act_threads}, {"processes", act_processes},
    {"exec", act_exec},       {"library", act_library}, {"killed", act_killed},
};

int main(int argc, char **argv)
{
	args = argv;
	for (size_t i = 0; argc > 2 && i < sizeof(acts) / sizeof(acts[0]); i++) {
		if (strcmp(argv[1], acts[i].verb))
			continue;
		acts[i].act(atoi(argv[2]));
		return 0;
	}
	fprintf(stderr, "calls: VERB NUMBER\n");
	return 2;
}
