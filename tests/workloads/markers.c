/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does instrumentation that is switched off cost? A call runs getppid(2) three times, and
 * passes 40 instrumentation sites on its way. Before each call there are random accesses to an
 * array of 10 MB, which push everything else out of the caches near the processor.
 *
 * A site asks whether it is on, which it never is. Built three times:
 *
 * - with MARKER_MEMORY, it reads that from memory, from a structure of 24 bytes that is aligned to
 * 8 and has those of the other sites for neighbours; instructions a site: 2 on x86, 3 on arm64
 * - with MARKER_IMMEDIATE, its state is in the code, as where code is patched when a site is
 *   switched on: until then it is a nop; 1 instruction
 * - with neither, there are no sites.
 *
 * Every second call is a bare one, without sites, in the same state of the caches. What is printed
 * is their ratio: what else the machine does makes both slower.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arguments.h"
#include "clock.h"
#include "middle.h"
#include "random.h"

#ifdef MARKER_MEMORY
struct marker {
	char on;
	const char *name;
	void (*probe)(void);
};
_Static_assert(sizeof(struct marker) == 24 && _Alignof(struct marker) == 8, "as in the experiment");

/* On a page of their own: what else the program uses does not keep them near. */
static struct marker markers[40] __asm__("markers")
    __attribute__((aligned(4096), used)) = {{.name = "first"}};
#endif

#if defined(MARKER_MEMORY) && defined(__x86_64__)
#define SITE(i)                                                                                    \
	__asm__ goto("cmpb %b1, %0\n\tjne %l2"                                                     \
		     :                                                                             \
		     : "m"(markers[i].on), "r"(0)                                                  \
		     : "cc", "memory"                                                              \
		     : hit)
#elif defined(MARKER_MEMORY) && defined(__aarch64__)
#define SITE(i)                                                                                    \
	__asm__ goto("adrp x9, markers + %c0\n\tldrb w9, [x9, :lo12:markers + %c0]\n\t"            \
		     "cbnz w9, %l1"                                                                \
		     :                                                                             \
		     : "i"((i) * (int)sizeof(struct marker))                                       \
		     : "x9", "memory"                                                              \
		     : hit)
#elif defined(MARKER_MEMORY)
#define SITE(i)                                                                                    \
	do {                                                                                       \
		if (__builtin_expect(*(volatile char *)&markers[i].on, 0))                         \
			goto hit;                                                                  \
	} while (0)
#elif defined(MARKER_IMMEDIATE) && defined(__x86_64__)
/* Two bytes, which is room for a short jump. */
#define SITE(i) __asm__ goto(".byte 0x66, 0x90" : : : "memory" : hit)
#elif defined(MARKER_IMMEDIATE)
#define SITE(i) __asm__ goto("nop" : : : "memory" : hit)
#else
/* May jump as far as the compiler knows: the rest of the code is the same in all three. */
#define SITE(i) __asm__ goto("" : : : "memory" : hit)
#endif

#define SITES_4(i)                                                                                 \
	SITE(i);                                                                                   \
	SITE((i) + 1);                                                                             \
	SITE((i) + 2);                                                                             \
	SITE((i) + 3)

long marked_call(void);
long bare_call(void);

/* Not inlined and not static: it can be scoped. */
__attribute__((noinline, aligned(64))) long marked_call(void)
{
	long sum = 0;

	SITES_4(0);
	SITES_4(4);
	SITES_4(8);
	sum += syscall(SYS_getppid);
	SITES_4(12);
	SITES_4(16);
	SITES_4(20);
	sum += syscall(SYS_getppid);
	SITES_4(24);
	SITES_4(28);
	SITES_4(32);
	SITES_4(36);
	sum += syscall(SYS_getppid);
	return sum;
hit:
	return -1;
}

__attribute__((noinline, aligned(64))) long bare_call(void)
{
	long sum = 0;

	sum += syscall(SYS_getppid);
	sum += syscall(SYS_getppid);
	sum += syscall(SYS_getppid);
	return sum;
}

static long loops = 1000, accesses = 2000, megabytes = 10, timed = 1;

static const struct argument arguments[] = {
    {"loops", &loops, 1, "calls of each kind"},
    {"accesses", &accesses, 0, "random accesses before each call; 0: no memory pressure"},
    {"megabytes", &megabytes, 1, "size of the array that they go to"},
    {"timed", &timed, 0, "0: calls are not timed, so that each run executes the same"},
    {0},
};

struct pressure {
	const uint64_t *array;
	uint64_t n; /* its elements */
	uint64_t state;
	uint64_t sum;
};

static void press(struct pressure *p)
{
	for (long i = 0; i < accesses; i++)
		p->sum += p->array[random_below(&p->state, p->n)];
}

static int64_t time_of(long (*call)(void))
{
	int64_t start = timed ? clock_now() : 0;

	call();
	return timed ? clock_now() - start : 0;
}

static void report(int64_t *marked, int64_t *bare)
{
	double marked_mean = mean_of_middle_half(marked, loops);
	double bare_mean = mean_of_middle_half(bare, loops);

	printf("call %.2f ns, bare %.2f ns, ratio %.5f\n", marked_mean, bare_mean,
	       marked_mean / bare_mean);
}

int main(int argc, char **argv)
{
	struct pressure pressure = {.state = 88172645463325252};
	int64_t *marked, *bare;
	uint64_t *array;

	arguments_parse(argc, argv, arguments);
	pressure.n = ((uint64_t)megabytes << 20) / sizeof(*array);
	array = malloc(pressure.n * sizeof(*array));
	marked = calloc((size_t)loops, sizeof(*marked));
	bare = calloc((size_t)loops, sizeof(*bare));
	if (!array || !marked || !bare) {
		perror("markers");
		return 1;
	}
	for (uint64_t i = 0; accesses && i < pressure.n; i++)
		array[i] = i;
	pressure.array = array;
	for (long i = 0; i < loops; i++) {
		press(&pressure);
		marked[i] = time_of(marked_call);
		press(&pressure);
		bare[i] = time_of(bare_call);
	}
	/* The sum is used, so that the accesses are made. */
	__asm__ volatile("" : : "r"(pressure.sum));
	if (timed)
		report(marked, bare);
	free(array);
	free(marked);
	free(bare);
	return 0;
}
