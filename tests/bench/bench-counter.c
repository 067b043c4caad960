/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What counting costs: runs of a small program, spawned bare and under a counter set with eight
 * software events, in alternating batches, as the ratio of the medians.
 *
 * usage: bench-counter [PROGRAM [BATCHES]]
 */
#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "counter.h"
#include "event.h"

extern char **environ;

enum { BATCH = 25, EVENTS = 8, MAX_BATCHES = 10000 };

static const uint64_t configs[EVENTS] = {
    PERF_COUNT_SW_TASK_CLOCK,     PERF_COUNT_SW_PAGE_FAULTS,      PERF_COUNT_SW_CONTEXT_SWITCHES,
    PERF_COUNT_SW_CPU_MIGRATIONS, PERF_COUNT_SW_PAGE_FAULTS_MIN,  PERF_COUNT_SW_PAGE_FAULTS_MAJ,
    PERF_COUNT_SW_CPU_CLOCK,      PERF_COUNT_SW_ALIGNMENT_FAULTS,
};

/* A process that runs batches: it owns the counters, or none. */
struct runner {
	pid_t pid;
	int order, result;
	double ns[MAX_BATCHES];
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double batch(char *program, struct counter_set *set)
{
	char *argv[] = {program, NULL};
	struct counter_value values[EVENTS];
	double start = now_ns();

	for (int i = 0; i < BATCH; i++) {
		struct rusage usage;
		int status;
		pid_t pid;

		if (posix_spawn(&pid, program, NULL, NULL, argv, environ) ||
		    wait4(pid, &status, 0, &usage) != pid || status)
			exit(1);
		if (set && counter_set_read(set, values) < 0)
			exit(1);
	}
	return (now_ns() - start) / BATCH;
}

static struct counter_set *open_set(void)
{
	struct event events[EVENTS] = {0};
	const struct event *pointers[EVENTS];
	struct counter_config config = {.events = pointers, .n = EVENTS};
	struct counter_set *set;
	int errors[EVENTS];
	char err[256];

	for (size_t i = 0; i < EVENTS; i++) {
		events[i].attr.type = PERF_TYPE_SOFTWARE;
		events[i].attr.config = configs[i];
		events[i].software = true;
		events[i].group = -1;
		events[i].pmu = (char *)"software";
		pointers[i] = &events[i];
	}
	if (counter_set_open(&set, &config, errors, err, sizeof(err)) < 0) {
		fprintf(stderr, "bench-counter: %s\n", err);
		exit(1);
	}
	for (size_t i = 0; i < EVENTS; i++)
		if (errors[i])
			fprintf(stderr, "bench-counter: event %zu: %s\n", i, strerror(errors[i]));
	return set;
}

static void serve(int order, int result, char *program, bool counted)
{
	struct counter_set *set = counted ? open_set() : NULL;
	char go;

	while (read(order, &go, 1) == 1) {
		double ns = batch(program, set);

		if (write(result, &ns, sizeof(ns)) != sizeof(ns))
			_exit(1);
	}
	_exit(0);
}

static void start(struct runner *r, char *program, bool counted)
{
	int order[2], result[2];

	if (pipe(order) || pipe(result) || (r->pid = fork()) < 0) {
		perror("bench-counter");
		exit(1);
	}
	if (r->pid == 0) {
		close(order[1]);
		serve(order[0], result[1], program, counted);
	}
	close(order[0]);
	close(result[1]);
	r->order = order[1];
	r->result = result[0];
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), compare);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	static struct runner runners[2];
	char *program = argc > 1 ? argv[1] : (char *)"/bin/true";
	long batches = argc > 2 ? strtol(argv[2], NULL, 10) : 60;
	double bare, counted;

	if (batches < 1 || batches > MAX_BATCHES) {
		fprintf(stderr, "bench-counter: batches must be 1 to %d\n", MAX_BATCHES);
		return 1;
	}
	start(&runners[0], program, false);
	start(&runners[1], program, true);
	for (long i = 0; i < batches; i++) {
		for (int k = 0; k < 2; k++) {
			struct runner *r = &runners[(i + k) % 2];

			if (write(r->order, "g", 1) != 1 ||
			    read(r->result, &r->ns[i], sizeof(double)) != sizeof(double)) {
				fprintf(stderr, "bench-counter: a runner ended\n");
				return 1;
			}
		}
	}
	bare = median(runners[0].ns, (size_t)batches);
	counted = median(runners[1].ns, (size_t)batches);
	printf("bare %.1f us, counted %.1f us, ratio %.3f\n", bare / 1e3, counted / 1e3,
	       counted / bare);
	return 0;
}
