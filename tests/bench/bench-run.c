/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run costs beside the command itself: blocks of runs through a spawner with counters, in
 * turn with blocks of a bare posix_spawn+wait4 loop. Prints the medians of both and their ratio.
 *
 * usage: bench-run PROGRAM [EVENTS [RUNS-A-BLOCK [BLOCKS]]]
 *
 * EVENTS is the number of software events, at most 8 (the default).
 */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "event.h"
#include "spawner.h"

#define MAX_EVENTS 8

/* Those that count something in any process. */
static const uint64_t software[MAX_EVENTS] = {
    PERF_COUNT_SW_TASK_CLOCK,      PERF_COUNT_SW_CPU_CLOCK,        PERF_COUNT_SW_PAGE_FAULTS,
    PERF_COUNT_SW_PAGE_FAULTS_MIN, PERF_COUNT_SW_PAGE_FAULTS_MAJ,  PERF_COUNT_SW_CONTEXT_SWITCHES,
    PERF_COUNT_SW_CPU_MIGRATIONS,  PERF_COUNT_SW_ALIGNMENT_FAULTS,
};

struct bench {
	const char *program;
	size_t n_events;
	size_t runs;
	size_t blocks;
	uint64_t reported;
	uint64_t not_counted; /* events of a run that read 0 enabled time */
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), compare_doubles);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

static int bare_block(const struct bench *b)
{
	char *argv[] = {(char *)b->program, NULL};
	int rc = 0;

	for (size_t i = 0; i < b->runs && !rc; i++) {
		struct rusage ru;
		pid_t pid;
		int status;

		rc = posix_spawn(&pid, b->program, NULL, NULL, argv, environ);
		if (!rc && wait4(pid, &status, 0, &ru) < 0)
			rc = errno;
	}
	return rc;
}

static int on_run(void *context, const struct run_request *request, const struct run_result *result,
		  const struct counter_value *values, const struct scope_result *scopes,
		  const struct run_output *output)
{
	struct bench *b = context;

	(void)scopes;
	(void)request;
	(void)output;
	if (result->outcome != RUN_OK)
		return -EIO;
	for (size_t i = 0; i < b->n_events; i++)
		b->not_counted += values[i].enabled == 0 || values[i].running != values[i].enabled;
	b->reported++;
	return 0;
}

static int spawner_block(struct bench *b, struct spawner *s, struct run_request *requests)
{
	char err[512] = "";
	int rc = spawner_run(s, requests, b->runs, false, on_run, b, err, sizeof(err));

	if (rc)
		fprintf(stderr, "bench-run: %s\n", err[0] ? err : strerror(-rc));
	return rc;
}

static int measure(struct bench *b, struct spawner *s)
{
	struct run_request *requests = calloc(b->runs, sizeof(*requests));
	double *bare = calloc(b->blocks, sizeof(*bare));
	double *ours = calloc(b->blocks, sizeof(*ours));
	double *ratio = calloc(b->blocks, sizeof(*ratio));
	int rc = requests && bare && ours && ratio ? 0 : -ENOMEM;

	/* The first block of each is warm-up. */
	for (size_t i = 0; i <= b->blocks && !rc; i++) {
		size_t at = i ? i - 1 : 0;
		double start = now();

		rc = bare_block(b);
		bare[at] = (now() - start) / (double)b->runs;
		start = now();
		rc = rc ? rc : spawner_block(b, s, requests);
		ours[at] = (now() - start) / (double)b->runs;
		ratio[at] = ours[at] / bare[at];
	}
	if (!rc)
		printf("bare %.1f us, spawner %.1f us, ratio of medians %.4f, median ratio %.4f; "
		       "runs %llu, not counted %llu\n",
		       median(bare, b->blocks) / 1e3, median(ours, b->blocks) / 1e3,
		       median(ours, b->blocks) / median(bare, b->blocks), median(ratio, b->blocks),
		       (unsigned long long)b->reported, (unsigned long long)b->not_counted);
	free(requests);
	free(bare);
	free(ours);
	free(ratio);
	return rc;
}

int main(int argc, char **argv)
{
	struct bench b = {.runs = 200, .blocks = 20};
	struct event events[MAX_EVENTS] = {0};
	const struct event *pointers[MAX_EVENTS];
	struct counter_config counters = {.events = pointers};
	struct run_config run = {.n_variants = 1};
	int slot_errors[MAX_EVENTS] = {0};
	char *words[] = {NULL, NULL}, *none[] = {NULL};
	struct variant variant = {.argv = words, .assignments = none};
	struct spawner *s;
	char err[512];
	int rc;

	if (argc < 2) {
		fprintf(stderr, "usage: bench-run PROGRAM [EVENTS [RUNS-A-BLOCK [BLOCKS]]]\n");
		return 2;
	}
	b.program = words[0] = argv[1];
	b.n_events = argc > 2 ? strtoull(argv[2], NULL, 10) : MAX_EVENTS;
	if (b.n_events > MAX_EVENTS)
		b.n_events = MAX_EVENTS;
	counters.n = b.n_events;
	for (size_t i = 0; i < b.n_events; i++) {
		events[i].attr.type = PERF_TYPE_SOFTWARE;
		events[i].attr.config = software[i];
		events[i].software = true;
		events[i].group = -1;
		events[i].name = (char *)"software event";
		events[i].pmu = (char *)"software";
		pointers[i] = &events[i];
	}
	variant.name = variant.command = argv[1];
	run.variants = &variant;
	if (argc > 3)
		b.runs = strtoull(argv[3], NULL, 10);
	if (argc > 4)
		b.blocks = strtoull(argv[4], NULL, 10);
	rc = spawner_start(&s, &run, &counters, slot_errors, err, sizeof(err));
	if (rc) {
		fprintf(stderr, "bench-run: %s\n", err);
		return 1;
	}
	rc = measure(&b, s);
	spawner_free(s);
	return rc ? 1 : 0;
}
