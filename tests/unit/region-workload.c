/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program with marked regions for the tests: `region-workload MODE [N]`. A region's work is to
 * touch pages that nobody touched, so that its page faults are known.
 */
#include <abstat/region.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void touch(int pages)
{
	size_t size = (size_t)pages * 4096;
	volatile char *p =
	    mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(3);
	for (size_t i = 0; i < size; i += 4096)
		p[i] = 1;
	munmap((void *)p, size);
}

static void work(int pages)
{
	ABSTAT_REGION_BEGIN(work);
	touch(pages);
	ABSTAT_REGION_END(work);
}

static int mode_calls(int n)
{
	for (int i = 0; i < n; i++)
		work(3);
	return 0;
}

static long thread_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* A millisecond on the CPU each, as the thread's clock has it. */
static int mode_spin(int n)
{
	for (int i = 0; i < n; i++) {
		long end;

		ABSTAT_REGION_BEGIN(work);
		end = thread_time() + 1000000;
		while (thread_time() < end)
			continue;
		ABSTAT_REGION_END(work);
	}
	return 0;
}

/* One of ten is left without an end. */
static int mode_left(int n)
{
	for (int i = 0; i < n; i++) {
		ABSTAT_REGION_BEGIN(work);
		touch(3);
		if (i % 10 == 4)
			continue;
		ABSTAT_REGION_END(work);
	}
	return 0;
}

static int mode_nested(int n)
{
	for (int i = 0; i < n; i++) {
		ABSTAT_REGION_BEGIN(outer);
		touch(2);
		work(3);
		work(3);
		ABSTAT_REGION_END(outer);
	}
	return 0;
}

static int mode_recursive(int n)
{
	ABSTAT_REGION_BEGIN(work);
	touch(1);
	if (n > 1)
		mode_recursive(n - 1);
	ABSTAT_REGION_END(work);
	return 0;
}

static void *thread_main(void *calls)
{
	mode_calls(*(int *)calls);
	return NULL;
}

/* Eight at once. */
static int mode_threads(int n)
{
	pthread_t threads[8];

	for (int i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, thread_main, &n))
			return 3;
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* One after the other. */
static int mode_short_threads(int n)
{
	int one = 1;

	for (int i = 0; i < n; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, thread_main, &one))
			return 3;
		pthread_join(thread, NULL);
	}
	return 0;
}

static int await(pid_t pid)
{
	int status;

	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

/* A child in the middle of a region ends it, then calls it; its parent ends it, too. */
static int mode_fork(int n)
{
	work(3);
	for (int i = 0; i < n; i++) {
		pid_t pid;

		ABSTAT_REGION_BEGIN(work);
		touch(3);
		pid = fork();
		ABSTAT_REGION_END(work);
		if (pid == 0) {
			work(3);
			_exit(0);
		}
		if (await(pid))
			return 3;
	}
	return 0;
}

/* A child that has its parent's memory, in regions of which it ends all but one. */
static pid_t start_child(void)
{
	/* That is what is to be tested. */
	pid_t pid = vfork(); /* NOLINT */

	if (pid == 0) {
		work(3);
		ABSTAT_REGION_BEGIN(work);
		_exit(0);
	}
	return pid;
}

static int mode_vfork(int n)
{
	for (int i = 0; i < n; i++) {
		pid_t pid;

		work(3);
		ABSTAT_REGION_BEGIN(outer);
		touch(2);
		pid = start_child();
		ABSTAT_REGION_END(outer);
		if (await(pid))
			return 3;
	}
	return 0;
}

static int mode_exec(int n)
{
	char count[16];

	ABSTAT_REGION_BEGIN(work);
	snprintf(count, sizeof(count), "%d", n);
	execl("/proc/self/exe", "region-workload", "calls", count, (char *)NULL);
	return 3;
}

/* N ends without a begin; then as many begins without an end. */
static int mode_unpaired(int n)
{
	ABSTAT_REGION_BEGIN(outer);
	ABSTAT_REGION_END(outer);
	for (int i = 0; i < n; i++)
		ABSTAT_REGION_END(work);
	for (int i = 0; i < n; i++)
		ABSTAT_REGION_BEGIN(work);
	return 0;
}

static jmp_buf escape;

static void leave(void)
{
	ABSTAT_REGION_BEGIN(work);
	touch(1);
	longjmp(escape, 1);
}

static int mode_longjmp(int n)
{
	for (volatile int i = 0; i < n; i++) {
		ABSTAT_REGION_BEGIN(outer);
		if (!setjmp(escape))
			leave();
		ABSTAT_REGION_END(outer);
	}
	return 0;
}

/* The regions that are left here have no other around them that ends. */
static int mode_leak(int n)
{
	for (volatile int i = 0; i < n; i++)
		if (!setjmp(escape))
			leave();
	work(3);
	return 0;
}

/* Once both of two nested regions are left. */
static int mode_left_both(int n)
{
	for (int i = 0; i < n; i++) {
		ABSTAT_REGION_BEGIN(outer);
		touch(2);
		ABSTAT_REGION_BEGIN(work);
		touch(3);
		if (i == n / 2)
			continue;
		ABSTAT_REGION_END(work);
		ABSTAT_REGION_END(outer);
	}
	return 0;
}

/* As often as they are called. */
static int mode_left_always(int n)
{
	for (int i = 0; i < n; i++) {
		ABSTAT_REGION_BEGIN(outer);
		ABSTAT_REGION_BEGIN(work);
		touch(1);
	}
	return 0;
}

/* Left in a function that did not return; what is deeper looks as if it were within. */
static int mode_left_above(int n)
{
	ABSTAT_REGION_BEGIN(work);
	for (int i = 0; i < n; i++) {
		ABSTAT_REGION_BEGIN(outer);
		work(3);
		ABSTAT_REGION_END(outer);
	}
	return 0;
}

static void (*volatile deeper)(int n);

static void fall(int n)
{
	ABSTAT_REGION_BEGIN(work);
	touch(1);
	if (n > 1)
		deeper(n - 1);
	longjmp(escape, 1);
}

/* 200 deep, and all of them left. */
static int mode_left_deep(int n)
{
	deeper = fall;
	for (volatile int i = 0; i < n; i++)
		if (!setjmp(escape))
			deeper(200);
	work(3);
	return 0;
}

static volatile sig_atomic_t signals;

static void handler(int signal)
{
	(void)signal;
	ABSTAT_REGION_BEGIN(outer);
	signals++;
	ABSTAT_REGION_END(outer);
}

/* Prints how often the handler ran. */
static int mode_signals(int n)
{
	const struct itimerval every = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &every, NULL);
	for (int i = 0; i < n; i++) {
		ABSTAT_REGION_BEGIN(work);
		ABSTAT_REGION_END(work);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%d\n", (int)signals);
	return 0;
}

/* Everything is closed, as daemons do it. */
static int mode_closed(int n)
{
	work(3);
	for (int fd = 3; fd < 1 << 20; fd++)
		close(fd);
	return mode_calls(n);
}

static int given;

/* Then the numbers of the events' descriptors are of the program's own. */
static void *reuse(void *calls)
{
	struct rlimit limit;
	int high;

	work(3);
	getrlimit(RLIMIT_NOFILE, &limit);
	high = limit.rlim_cur > 1 << 20 ? 786432 : (int)(limit.rlim_cur / 4 * 3);
	for (int i = 0; i < 16; i++)
		if (dup2(given, high + i) < 0)
			exit(3);
	mode_calls(*(int *)calls);
	given = high;
	return NULL;
}

/* What is in GIVEN is neither taken nor waited for, and none is closed. */
static int reuse_by(int fd, int n)
{
	pthread_t thread;

	given = fd;
	alarm(20);
	if (fd < 0 || pthread_create(&thread, NULL, reuse, &n) || pthread_join(thread, NULL))
		return 3;
	for (int i = 0; i < 16; i++)
		if (fcntl(given + i, F_GETFD) < 0)
			return 3;
	return 0;
}

static int mode_reused_pipe(int n)
{
	int fds[2];

	return pipe(fds) ? 3 : reuse_by(fds[0], n);
}

static int mode_reused_file(int n)
{
	int fd = open("/proc/self/exe", O_RDONLY);

	return reuse_by(fd, n) || lseek(fd, 0, SEEK_CUR) != 0 ? 3 : 0;
}

/* The second thread comes when no descriptor is to be had. */
static int mode_unopened(int n)
{
	struct rlimit none = {3, 3};
	pthread_t thread;

	mode_calls(n);
	if (setrlimit(RLIMIT_NOFILE, &none) || pthread_create(&thread, NULL, thread_main, &n))
		return 3;
	pthread_join(thread, NULL);
	return 0;
}

/* Nothing of what a program can see of itself is changed. */
static int mode_quiet(int n)
{
	double value = n;
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	for (int i = 0; i < n; i++) {
		double live = value * 1.5 + i;

		errno = 4711 + i;
		ABSTAT_REGION_BEGIN(work);
		value += live;
		ABSTAT_REGION_END(work);
		value -= live;
		if (errno != 4711 + i || value != n)
			return 3;
	}
	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int i = 1; i < SIGRTMIN; i++)
		if (sigismember(&mask, i) != (i == SIGUSR1))
			return 3;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int n);
	} modes[] = {
	    {"calls", mode_calls},
	    {"spin", mode_spin},
	    {"left", mode_left},
	    {"nested", mode_nested},
	    {"recursive", mode_recursive},
	    {"threads", mode_threads},
	    {"short-threads", mode_short_threads},
	    {"fork", mode_fork},
	    {"vfork", mode_vfork},
	    {"exec", mode_exec},
	    {"unpaired", mode_unpaired},
	    {"longjmp", mode_longjmp},
	    {"leak", mode_leak},
	    {"left-both", mode_left_both},
	    {"left-always", mode_left_always},
	    {"left-above", mode_left_above},
	    {"left-deep", mode_left_deep},
	    {"signals", mode_signals},
	    {"closed", mode_closed},
	    {"reused-pipe", mode_reused_pipe},
	    {"reused-file", mode_reused_file},
	    {"unopened", mode_unopened},
	    {"quiet", mode_quiet},
	};
	int n = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1;

	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name))
			return modes[i].run(n);
	return 2;
}
