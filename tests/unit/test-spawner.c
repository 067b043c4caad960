/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs as the commands see them: outcomes, limits, batches, and what they used.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "event.h"
#include "run-failure.h"
#include "run-fixture.h"

static void success(void **state)
{
	struct fixture f;

	(void)state;
	fixture_once(&f, "{ACT} exit 0");
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	assert_int_equal(f.ran.result.status, 0);
	assert_true(f.ran.result.duration_ns > 10000);
	assert_true(f.ran.result.start_ns > 1600000000ull * 1000000000);
	assert_int_equal(f.ran.result.stragglers, 0);
	assert_int_equal(f.ran.err_len, 0);
	fixture_release(&f);
}

static void exit_status(void **state)
{
	uint8_t ok[256] = {[3] = 1};
	const char *texts[] = {"{ACT} exit 3", "{ACT} exit 0", NULL};
	struct fixture f;

	(void)state;
	fixture_once(&f, "{ACT} exit 3");
	assert_int_equal(f.ran.result.outcome, RUN_EXIT);
	assert_int_equal(f.ran.result.status, 3);
	fixture_release(&f);
	fixture_init(&f, texts);
	f.config.ok_status = ok;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	assert_int_equal(fixture_run(&f, 1), 0);
	assert_int_equal(f.ran.result.outcome, RUN_EXIT);
	assert_int_equal(f.ran.result.status, 0);
	fixture_release(&f);
}

static void crash(void **state)
{
	struct fixture f;
	char text[256];

	(void)state;
	fixture_once(&f, "{ACT} crash");
	assert_int_equal(f.ran.result.outcome, RUN_SIGNAL);
	assert_int_equal(f.ran.result.status, SIGABRT);
	run_failure_text(&f.ran.result, &f.list.v[0], &f.config, text, sizeof(text));
	assert_string_equal(text, "died by signal SIGABRT (Aborted)");
	fixture_release(&f);
}

static void time_limit(void **state)
{
	static const char *const texts[] = {"{ACT} sleep 60000", "{ACT} stubborn 60000",
					    "{ACT} leader-exits 60000", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.timeout_ns = 150000000;
	for (uint32_t i = 0; texts[i]; i++) {
		long start = fixture_now_ms();

		assert_int_equal(fixture_run(&f, i), 0);
		assert_int_equal(f.ran.result.outcome, RUN_TIMEOUT);
		assert_in_range(fixture_now_ms() - start, 140, 5000);
	}
	fixture_release(&f);
}

/* The limit is each run's, and one that ends in time does not see it. */
static void within_time_limit(void **state)
{
	static const char *const texts[] = {"{ACT} sleep 60", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.timeout_ns = 2000000000;
	for (int i = 0; i < 5; i++) {
		assert_int_equal(fixture_run(&f, 0), 0);
		assert_int_equal(f.ran.result.outcome, RUN_OK);
		assert_true(f.ran.result.duration_ns >= 60000000);
	}
	fixture_release(&f);
}

static void first_thread_ends_first(void **state)
{
	struct fixture f;

	(void)state;
	fixture_once(&f, "{ACT} leader-exits 100");
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	assert_true(f.ran.result.duration_ns >= 100000000);
	fixture_release(&f);
}

static void stops_itself(void **state)
{
	struct fixture f;
	char text[256];

	(void)state;
	fixture_once(&f, "{ACT} stop");
	assert_int_equal(f.ran.result.outcome, RUN_SIGNAL);
	assert_int_equal(f.ran.result.status, SIGSTOP);
	run_failure_text(&f.ran.result, &f.list.v[0], &f.config, text, sizeof(text));
	assert_string_equal(text, "was stopped by SIGSTOP, and killed");
	fixture_release(&f);
}

struct tally {
	size_t n;
	size_t stop_at;
	uint32_t next;
	uint64_t peak_floor;
};

static int count_run(void *context, const struct run_request *request,
		     const struct run_result *result, const struct counter_value *values,
		     const struct scope_result *scopes, const struct run_output *output)
{
	struct tally *t = context;

	(void)scopes;
	(void)values;
	(void)output;
	assert_int_equal(request->block, t->next);
	t->next++;
	t->n++;
	t->peak_floor = result->max_rss_floor;
	return t->n == t->stop_at ? -ECANCELED : 0;
}

#define MANY 1000

static void batches(void **state)
{
	static const char *const texts[] = {NOP_PATH, "{ACT} exit 1", NULL};
	static struct run_request requests[MANY];
	const struct counter_config none = {0};
	struct tally t = {0};
	struct spawner *s;
	struct fixture f;
	char err[256];

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		requests[i] = (struct run_request){.block = i};
	fixture_init(&f, texts);
	assert_int_equal(spawner_start(&s, &f.config, &none, NULL, err, sizeof(err)), 0);
	assert_int_equal(spawner_run(s, requests, MANY, false, count_run, &t, err, sizeof(err)), 0);
	assert_int_equal(t.n, MANY);
	/* Two spawners, ended in the order of their starts. */
	assert_int_equal(spawner_start(&f.spawner, &f.config, &none, NULL, err, sizeof(err)), 0);
	t = (struct tally){0};
	assert_int_equal(
	    spawner_run(f.spawner, requests, 3, false, count_run, &t, err, sizeof(err)), 0);
	t = (struct tally){0};
	assert_int_equal(spawner_run(s, requests, 3, false, count_run, &t, err, sizeof(err)), 0);
	spawner_free(s);
	s = f.spawner;
	f.spawner = NULL;
	/* The callback ends it. */
	t = (struct tally){.stop_at = 300};
	assert_int_equal(spawner_run(s, requests, MANY, false, count_run, &t, err, sizeof(err)),
			 -ECANCELED);
	assert_int_equal(t.n, 300);
	/* The first failure ends it, unless told otherwise. */
	t = (struct tally){0};
	requests[10].variant = 1;
	assert_int_equal(spawner_run(s, requests, MANY, false, count_run, &t, err, sizeof(err)), 0);
	assert_int_equal(t.n, 11);
	t = (struct tally){0};
	assert_int_equal(spawner_run(s, requests, 20, true, count_run, &t, err, sizeof(err)), 0);
	assert_int_equal(t.n, 20);
	spawner_free(s);
	fixture_release(&f);
}

/* One request is one run: nothing is ahead of what was reported. */
static void one_at_a_time(void **state)
{
	static const char *const texts[] = {"{ACT} touch test-touched", NULL};
	struct fixture f;
	struct stat st;

	(void)state;
	unlink("test-touched");
	fixture_init(&f, texts);
	for (int i = 1; i <= 5; i++) {
		assert_int_equal(fixture_run(&f, 0), 0);
		assert_int_equal(stat("test-touched", &st), 0);
		assert_int_equal(st.st_size, i);
	}
	unlink("test-touched");
	fixture_release(&f);
}

struct enabled {
	uint64_t enabled;
	uint64_t duration;
};

static int take_enabled(void *context, const struct run_request *request,
			const struct run_result *result, const struct counter_value *values,
			const struct scope_result *scopes, const struct run_output *output)
{
	struct enabled *e = context;

	(void)scopes;
	(void)request;
	(void)output;
	e->enabled = values[0].enabled;
	e->duration = result->duration_ns;
	return 0;
}

/* Counters of a CPU are on while the command runs, and off while it is waited for stragglers. */
static void system_wide(void **state)
{
	static const char *const texts[] = {"sh -c 'sleep 60 & sleep 0.2'", NULL};
	static const struct run_request requests[2];
	static const int cpu[] = {0};
	struct event clock = {
	    .attr = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK},
	    .name = (char *)"cpu-clock",
	    .pmu = (char *)"software",
	    .software = true,
	    .group = -1,
	};
	const struct event *events[] = {&clock};
	const struct counter_config counters = {
	    .events = events, .n = 1, .system_wide = true, .cpus = cpu, .n_cpus = 1};
	struct enabled e = {0};
	struct fixture f;
	char err[512];
	int error = 0;

	(void)state;
	fixture_init(&f, texts);
	f.config.grace_ns = 2000000000;
	assert_int_equal(spawner_start(&f.spawner, &f.config, &counters, &error, err, sizeof(err)),
			 0);
	if (error)
		skip();
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
		    spawner_run(f.spawner, requests, 1, false, take_enabled, &e, err, sizeof(err)),
		    0);
		assert_true(e.enabled > 190000000);
		assert_true(e.enabled < e.duration + 1500000000);
	}
	fixture_release(&f);
}

static void usage(void **state)
{
	struct fixture f;

	(void)state;
	fixture_once(&f, "{ACT} threads 2 60");
	assert_true(f.ran.result.usage.user_ns + f.ran.result.usage.system_ns >= 50000000);
	fixture_release(&f);
	fixture_once(&f, "{ACT} alloc 64");
	assert_in_range(f.ran.result.usage.max_rss, 64 << 20, 72 << 20);
	assert_true(f.ran.result.usage.minor_faults > 100);
	fixture_release(&f);
}

/* Peak memory is the command's, not what abstat happens to hold. */
static void small_peak(void **state)
{
	size_t size = 100 << 20;
	struct fixture f;
	char *hog;

	(void)state;
	fixture_once(&f, TINY_PATH);
	hog = malloc(size);
	assert_non_null(hog);
	memset(hog, 1, size);
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(fixture_run(&f, 0), 0);
	print_message("tiny program: %llu KiB, floor %llu KiB\n",
		      (unsigned long long)f.ran.result.usage.max_rss >> 10,
		      (unsigned long long)f.ran.result.max_rss_floor >> 10);
	assert_true(f.ran.result.max_rss_floor > 0);
#ifndef SANITIZED
	assert_true(f.ran.result.usage.max_rss < 1 << 20);
#endif
	free(hog);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(success),
	    cmocka_unit_test(exit_status),
	    cmocka_unit_test(crash),
	    cmocka_unit_test(time_limit),
	    cmocka_unit_test(within_time_limit),
	    cmocka_unit_test(first_thread_ends_first),
	    cmocka_unit_test(stops_itself),
	    cmocka_unit_test(batches),
	    cmocka_unit_test(one_at_a_time),
	    cmocka_unit_test(system_wide),
	    cmocka_unit_test(usage),
	    cmocka_unit_test(small_peak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
