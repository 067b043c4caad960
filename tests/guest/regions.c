/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marked regions of known length: `regions MODE N CALLS`. A piece of work of N is 2 N + 1 instructions.
 */
#include <abstat/region.h>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* N is in a register before the region begins. */
#define WORK(n)                                                                                    \
	__asm__ __volatile__("mov x9, %0\n"                                                        \
			     "1:\tsubs x9, x9, #1\n\t"                                             \
			     "b.ne 1b"                                                             \
			     :                                                                     \
			     : "r"(n)                                                              \
			     : "x9", "cc")

static long calls;

static void flat(long n)
{
	for (long i = 0; i < calls; i++) {
		ABSTAT_REGION_BEGIN(work);
		WORK(n);
		ABSTAT_REGION_END(work);
	}
}

/* Five pieces of work: two of outer's own, one of deep in the first of two of work. */
static void nested(long n)
{
	for (long i = 0; i < calls; i++) {
		ABSTAT_REGION_BEGIN(outer);
		WORK(n);
		ABSTAT_REGION_BEGIN(work);
		WORK(n);
		ABSTAT_REGION_BEGIN(deep);
		WORK(n);
		ABSTAT_REGION_END(deep);
		ABSTAT_REGION_END(work);
		WORK(n);
		ABSTAT_REGION_BEGIN(work);
		WORK(n);
		ABSTAT_REGION_END(work);
		ABSTAT_REGION_END(outer);
	}
}

static void *thread(void *n)
{
	flat(*(long *)n);
	return NULL;
}

static void threads(long n)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, &n);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static void forks(long n)
{
	flat(n);
	for (int i = 0; i < 3; i++) {
		if (fork() == 0) {
			flat(n);
			_exit(0);
		}
		wait(NULL);
	}
}

/* After half of the calls user-space reads are forbidden. */
static void forbid(long n)
{
	int fd = open("/proc/sys/kernel/perf_user_access", O_WRONLY);

	calls /= 2;
	flat(n);
	ABSTAT_REGION_BEGIN(outer);
	if (fd < 0 || write(fd, "0", 1) != 1)
		exit(3);
	/* What the kernel tells of its counters changes where the thread comes to a CPU again. */
	usleep(10000);
	ABSTAT_REGION_END(outer);
	flat(n);
}

static long long count(int fd)
{
	long long value = 0;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? value : -1;
}

/* What a pair costs, as a counter of this program's own has it. */
static void cost(long n)
{
	struct perf_event_attr attr = {
	    .type = PERF_TYPE_RAW, .config = 8, .size = sizeof(attr), .exclude_kernel = 1};
	long pairs = calls;
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	long long a, b, c;

	(void)n;
	flat(1);
	a = count(fd);
	for (long i = 0; i < pairs; i++)
		__asm__ __volatile__("");
	b = count(fd);
	for (long i = 0; i < pairs; i++) {
		ABSTAT_REGION_BEGIN(work);
		__asm__ __volatile__("");
		ABSTAT_REGION_END(work);
	}
	c = count(fd);
	printf("pair %lld\n", ((c - b) - (b - a) + pairs / 2) / pairs);
}

/*
 * These do nothing: what they cost is of the engine that watches them. The first begins, as most
 * functions, with an instruction that the kernel steps through.
 */
__attribute__((noipa)) static void plain(void)
{
	__asm__ __volatile__("mov x9, x9" : : : "x9");
}

__attribute__((noipa)) static void watched(void)
{
	__asm__ __volatile__(ABSTAT_REGION_NOTE_("watched", "start") "777:\tnop");
	ABSTAT_REGION_BEGIN(watched);
	__asm__ __volatile__("");
	ABSTAT_REGION_END(watched);
	__asm__ __volatile__(ABSTAT_REGION_NOTE_("watched", "stop") "777:\tnop");
}

/* What a call of both costs, the kernel's instructions included. */
static void price(long n)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_RAW, .config = 8, .size = sizeof(attr)};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	long long before;

	(void)n;
	watched();
	before = count(fd);
	for (long i = 0; i < calls; i++) {
		plain();
		watched();
	}
	printf("price %lld\n", (count(fd) - before) / calls);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(long n);
	} modes[] = {{"flat", flat},   {"nested", nested}, {"threads", threads},
		     {"forks", forks}, {"forbid", forbid}, {"cost", cost},
		     {"price", price}};

	if (argc != 4)
		return 2;
	calls = strtol(argv[3], NULL, 10);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name)) {
			modes[i].run(strtol(argv[2], NULL, 10));
			return 0;
		}
	return 2;
}
