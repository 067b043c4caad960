/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trial that finds out whether events fit the counters: that they can be opened says little,
 * since the kernel accepts any number of them and lets those wait that find no counter.
 */
#include "counter-trial.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "counter-open.h"
#include "event.h"

enum { BUSY_NS = 3000000, FITS = 0, FITS_NOT = 1, CANNOT_TRY = 2 };

/* A PMU that only some CPUs have, as on a hybrid machine, is tried on one of these. */
static void move_to_pmu(const struct event *event)
{
	cpu_set_t here, wanted;

	if (!event->cpus || sched_getaffinity(0, sizeof(here), &here))
		return;
	CPU_ZERO(&wanted);
	for (size_t i = 0; i < event->n_cpus; i++)
		if (event->cpus[i] < CPU_SETSIZE && CPU_ISSET(event->cpus[i], &here))
			CPU_SET(event->cpus[i], &wanted);
	if (CPU_COUNT(&wanted))
		sched_setaffinity(0, sizeof(wanted), &wanted);
}

static int leader_of(const struct event *const *events, const int *fds, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (events[index]->group >= 0 && events[i]->group == events[index]->group)
			return fds[i];
	return -1;
}

static bool open_pinned(const struct event *const *events, size_t n, int *fds)
{
	for (size_t i = 0; i < n; i++) {
		struct perf_event_attr attr = events[i]->attr;
		bool on_cpu = events[i]->system_wide_only && events[i]->n_cpus;
		int leader = leader_of(events, fds, i);

		attr.pinned = leader < 0;
		attr.disabled = leader < 0;
		if (leader >= 0)
			attr.exclusive = 0;
		fds[i] =
		    counter_open(&attr, on_cpu ? -1 : 0, on_cpu ? events[i]->cpus[0] : -1, leader);
		if (fds[i] < 0)
			return false;
	}
	return true;
}

static void control(const struct event *const *events, size_t n, const int *fds,
		    unsigned long request)
{
	for (size_t i = 0; i < n; i++)
		if (leader_of(events, fds, i) < 0)
			ioctl(fds[i], request, 0);
}

static void compute(void)
{
	struct timespec start, now;
	int64_t ns;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do {
		for (unsigned i = 0; i < 10000; i++)
			__asm__ volatile(""); /* else the compiler drops the loop */
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		ns =
		    (int64_t)(now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec;
	} while (ns < BUSY_NS);
}

static bool all_ran(const int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct counter_reading r = {0};

		if (counter_read_one(fds[i], &r) != 1 || r.enabled == 0 || r.running != r.enabled)
			return false;
	}
	return true;
}

static int try_opened(const struct event *const *events, size_t n, int *fds)
{
	move_to_pmu(events[0]);
	if (!open_pinned(events, n, fds))
		return FITS_NOT;
	control(events, n, fds, PERF_EVENT_IOC_ENABLE);
	compute();
	control(events, n, fds, PERF_EVENT_IOC_DISABLE);
	return all_ran(fds, n) ? FITS : FITS_NOT;
}

/* In the child: its end closes what it opened. */
static int try_here(const struct event *const *events, size_t n)
{
	int *fds = calloc(n, sizeof(*fds));
	int result = fds ? try_opened(events, n, fds) : CANNOT_TRY;

	free(fds);
	return result;
}

int counter_trial(const struct event *const *events, size_t n)
{
	int status;
	pid_t pid;

	if (n == 0)
		return 1;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(try_here(events, n));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (!WIFEXITED(status) || WEXITSTATUS(status) == CANNOT_TRY)
		return -EAGAIN;
	return WEXITSTATUS(status) == FITS;
}
