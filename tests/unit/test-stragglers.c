/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that outlive their command: of its group, of other sessions, stopped, and such that
 * multiply.
 */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "event.h"
#include "run-fixture.h"

struct left_behind {
	const char *text;
	int killed; /* -1: some */
};

/* All are gone when the run is reported: nothing is left to be counted or to disturb. */
static void killed(void **state)
{
	static const struct left_behind cases[] = {
	    {"{ACT} linger 60000", 1},
	    {"{ACT} daemon 60000", 1},
	    {"{ACT} stopped", 1},
	    {"{ACT} burn-behind 60000", 1},
	    {"{ACT} shout 60000", 1},
	    {"{ACT} chain", -1},
	    {"sh -c 'sleep 60 & sleep 61 & exit 0'", 2},
	    {"sh -c 'nohup setsid sleep 60 & exec sleep 0.01'", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *texts[] = {cases[i].text, "{ACT} exit 0", NULL};
		long start = fixture_now_ms();
		struct fixture f;

		fixture_init(&f, texts);
		f.config.grace_ns = 250000000;
		assert_int_equal(fixture_run(&f, 0), 0);
		assert_in_range(fixture_now_ms() - start, 250, 10000);
		assert_int_equal(f.ran.result.outcome, RUN_OK);
		assert_true(f.ran.result.stragglers >= 1);
		assert_true(f.ran.result.stragglers_killed >= 1);
		if (cases[i].killed >= 0)
			assert_int_equal(f.ran.result.stragglers_killed, cases[i].killed);
		/* The clock stopped at the command's own exit. */
		assert_true(f.ran.result.duration_ns < 250000000);
		assert_int_equal(fixture_run(&f, 1), 0);
		assert_int_equal(f.ran.result.stragglers, 0);
		fixture_release(&f);
	}
}

static void ended_in_time(void **state)
{
	static const char *const texts[] = {"{ACT} burn-behind 300", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.grace_ns = 60000000000;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	assert_int_equal(f.ran.result.stragglers, 1);
	assert_int_equal(f.ran.result.stragglers_killed, 0);
	assert_true(f.ran.result.duration_ns < 300000000);
	assert_true(f.ran.result.usage.user_ns + f.ran.result.usage.system_ns >= 290000000);
	fixture_release(&f);
}

/* A killed process's resources are not the command's: how long it lived was our decision. */
static void killed_is_not_counted(void **state)
{
	static const char *const texts[] = {"{ACT} burn-behind 60000", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.grace_ns = 200000000;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.stragglers_killed, 1);
	assert_true(f.ran.result.usage.user_ns + f.ran.result.usage.system_ns < 100000000);
	fixture_release(&f);
}

/* Children of dead parents that died before the command are part of it, and no stragglers. */
static void orphans(void **state)
{
	struct fixture f;

	(void)state;
	fixture_once(&f, "{ACT} orphans 6");
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	assert_int_equal(f.ran.result.stragglers, 0);
	assert_true(f.ran.result.usage.user_ns + f.ran.result.usage.system_ns >= 25000000);
	fixture_release(&f);
}

static void waited_for(void **state)
{
	static const char *const texts[] = {"{ACT} daemon 1300", "{ACT} daemon 60000", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.stragglers = STRAGGLERS_WAIT;
	f.config.timeout_ns = 2000000000;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	assert_int_equal(f.ran.result.stragglers, 1);
	assert_int_equal(f.ran.result.stragglers_killed, 0);
	assert_true(f.ran.result.duration_ns < 1000000000);
	/* Not for ever, if there is a limit. */
	assert_int_equal(fixture_run(&f, 1), 0);
	assert_int_equal(f.ran.result.outcome, RUN_TIMEOUT);
	assert_int_equal(f.ran.result.stragglers_killed, 1);
	fixture_release(&f);
}

static void refused(void **state)
{
	static const char *const texts[] = {"{ACT} daemon 60000", "{ACT} exit 0", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.stragglers = STRAGGLERS_ERROR;
	f.config.grace_ns = 10000000;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_STRAGGLERS);
	assert_int_equal(f.ran.result.stragglers, 1);
	assert_int_equal(fixture_run(&f, 1), 0);
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	fixture_release(&f);
}

/* At its time limit a command's whole family ends, whatever session it is in. */
static void time_limit_kills_all(void **state)
{
	static const char *const texts[] = {"sh -c 'setsid sleep 61 & sleep 62'", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.timeout_ns = 200000000;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_TIMEOUT);
	assert_true(f.ran.result.stragglers_killed >= 1);
	assert_true(f.ran.result.duration_ns < 1000000000);
	fixture_release(&f);
}

/* What a straggler writes is its own run's, or nobody's. */
static void output_does_not_leak(void **state)
{
	static const char *const texts[] = {"{ACT} shout 60000", "{ACT} exit 0", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.grace_ns = 100000000;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_true(f.ran.err_len > 0);
	assert_int_equal(fixture_run(&f, 1), 0);
	assert_int_equal(f.ran.err_len, 0);
	fixture_release(&f);
}

struct counts {
	uint64_t value[3];
	size_t n;
};

static int take_counts(void *context, const struct run_request *request,
		       const struct run_result *result, const struct counter_value *values,
		       const struct scope_result *scopes, const struct run_output *output)
{
	struct counts *c = context;

	(void)scopes;
	(void)request;
	(void)result;
	(void)output;
	assert_int_equal(values[0].enabled, values[0].running);
	c->value[c->n++] = values[0].value;
	return 0;
}

#define PAGES_BEHIND 16384

/*
 * Three runs, of the first, the second and the first command; skips where nothing can be counted.
 */
static void count_page_faults(struct fixture *f, const char *const *texts, uint64_t grace_ns,
			      struct counts *counts)
{
	static const struct run_request requests[] = {
	    {.variant = 0}, {.variant = 1}, {.variant = 0}};
	struct event faults = {
	    .attr = {.type = PERF_TYPE_SOFTWARE,
		     .config = PERF_COUNT_SW_PAGE_FAULTS,
		     .exclude_kernel = 1},
	    .name = (char *)"page-faults:u",
	    .pmu = (char *)"software",
	    .software = true,
	    .group = -1,
	};
	const struct event *events[] = {&faults};
	const struct counter_config counters = {.events = events, .n = 1};
	char err[512];
	int error = 0;

	fixture_init(f, texts);
	f->config.grace_ns = grace_ns;
	assert_int_equal(
	    spawner_start(&f->spawner, &f->config, &counters, &error, err, sizeof(err)), 0);
	if (error)
		skip();
	assert_int_equal(
	    spawner_run(f->spawner, requests, 3, false, take_counts, counts, err, sizeof(err)), 0);
	assert_int_equal(counts->n, 3);
}

/* What a straggler counted is in no run: not in its own, and not in the next one. */
static void counts_do_not_leak(void **state)
{
	static const char *const texts[] = {"{ACT} exit 0", "{ACT} alloc-behind 64", NULL};
	struct counts counts = {0};
	struct fixture f;

	(void)state;
	count_page_faults(&f, texts, 1000000000, &counts);
	for (size_t i = 0; i < 3; i++) {
		assert_true(counts.value[i] > 10);
		assert_true(counts.value[i] < PAGES_BEHIND / 4);
	}
	fixture_release(&f);
}

/* Of a child that ended in time, everything is in its own run's counts. */
static void counts_are_complete(void **state)
{
	static const char *const texts[] = {"{ACT} exit 0", "sh -c '{ACT} alloc 64 &'", NULL};
	struct counts counts = {0};
	struct fixture f;

	(void)state;
	count_page_faults(&f, texts, 60000000000, &counts);
	assert_true(counts.value[0] < PAGES_BEHIND / 4);
	assert_true(counts.value[1] >= PAGES_BEHIND);
	assert_true(counts.value[2] < PAGES_BEHIND / 4);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(killed),
	    cmocka_unit_test(ended_in_time),
	    cmocka_unit_test(killed_is_not_counted),
	    cmocka_unit_test(orphans),
	    cmocka_unit_test(waited_for),
	    cmocka_unit_test(refused),
	    cmocka_unit_test(time_limit_kills_all),
	    cmocka_unit_test(output_does_not_leak),
	    cmocka_unit_test(counts_do_not_leak),
	    cmocka_unit_test(counts_are_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
