/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What test-counter measures: work of known size, by itself, in threads, in children and over an
 * exec.
 */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGES 300
#define THREADS 5

static void touch_pages(void)
{
	size_t size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(1);
	madvise(memory, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += (size_t)sysconf(_SC_PAGESIZE))
		((volatile char *)memory)[i] = 1;
}

static void *touch_in_thread(void *unused)
{
	touch_pages();
	return unused;
}

static void sleep_often(void)
{
	struct timespec moment = {.tv_nsec = 500000};

	for (int i = 0; i < 3; i++)
		nanosleep(&moment, NULL);
}

static void spin(int ms)
{
	struct timespec t;

	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
}

static int in_threads(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, touch_in_thread, NULL))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int in_children(void)
{
	for (int i = 0; i < THREADS; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			touch_pages();
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!strcmp(name, "pages")) {
		touch_pages();
	} else if (!strcmp(name, "sleep")) {
		sleep_often();
	} else if (!strcmp(name, "spin")) {
		spin(30);
	} else if (!strcmp(name, "threads")) {
		return in_threads();
	} else if (!strcmp(name, "children")) {
		return in_children();
	} else if (!strcmp(name, "chain")) {
		/* This program's pages, and those of the one that it becomes. */
		touch_pages();
		execl("/proc/self/exe", argv[0], "pages", NULL);
		return 1;
	} else if (strcmp(name, "nothing")) {
		return 1;
	}
	return 0;
}
