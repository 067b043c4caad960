/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scopes of real runs: what is called, how often, and at what cost, by probes of the running
 * kernel.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "event.h"
#include "file-text.h"
#include "run-fixture.h"
#include "scope-set.h"
#include "scope-tracefs.h"

#define MAX_SCOPES 4

/* Probed runs of one command, and the last one's result. */
struct bed {
	struct fixture f;
	struct event_list list;
	const struct event *events[4];
	struct scope_target targets[MAX_SCOPES];
	struct scope_config config;
	struct scope_result result;
	void *memory;
	int slot_errors[4];
	unsigned runs;
	bool had_scopes;
	struct run_result run;
};

enum { CLOCK, FAULTS, TIME, COSTS }; /* of the events below, and time */

static void bed_init(struct bed *b, const char *command, const char *program, ...)
{
	const char *texts[] = {command, NULL}, *text;
	char err[2048] = "";
	va_list scopes;

	memset(b, 0, sizeof(*b));
	fixture_init(&b->f, texts);
	if (event_list_parse(&b->list, "task-clock,page-faults", &event_roots_default, err,
			     sizeof(err)))
		fail_msg("%s", err);
	for (size_t i = 0; i < b->list.n; i++)
		b->events[i] = &b->list.events[i];
	va_start(scopes, program);
	while ((text = va_arg(scopes, const char *))) {
		struct scope_spec spec = {0};
		struct scope_target *t = &b->targets[b->config.n_targets++];

		if (scope_spec_parse(&spec, text, err, sizeof(err)) ||
		    scope_target_find(t, &spec, program, err, sizeof(err)))
			fail_msg("%s", err);
		scope_spec_release(&spec);
	}
	va_end(scopes);
	b->config.targets = b->targets;
	b->config.events = b->events;
	b->config.n_events = b->list.n;
	b->memory = malloc(scope_result_size(&b->config));
	scope_result_place(&b->result, &b->config, b->memory);
}

static void bed_start(struct bed *b)
{
	char err[2048] = "";

	if (spawner_start_probed(&b->f.spawner, &b->f.config, &b->config, b->slot_errors, err,
				 sizeof(err)))
		fail_msg("%s", err);
	assert_int_equal(b->slot_errors[CLOCK], 0);
	assert_int_equal(b->slot_errors[FAULTS], 0);
}

static void bed_release(struct bed *b)
{
	fixture_release(&b->f);
	for (size_t i = 0; i < b->config.n_targets; i++)
		scope_target_release(&b->targets[i]);
	event_list_release(&b->list);
	free(b->memory);
}

static int take(void *context, const struct run_request *request, const struct run_result *result,
		const struct counter_value *values, const struct scope_result *scopes,
		const struct run_output *output)
{
	struct bed *b = context;
	size_t n = b->config.n_targets, costs = scope_costs(&b->config);

	(void)request;
	(void)values;
	(void)output;
	b->runs++;
	b->run = *result;
	b->had_scopes = scopes != NULL;
	if (!scopes)
		return 0;
	memcpy(b->result.calls, scopes->calls, n * sizeof(*scopes->calls));
	memcpy(b->result.costs, scopes->costs, n * costs * sizeof(*scopes->costs));
	memcpy(b->result.whole, scopes->whole, costs * sizeof(double));
	memcpy(b->result.outermost, scopes->outermost, costs * sizeof(double));
	memcpy(b->result.counted, scopes->counted, costs * sizeof(bool));
	b->result.followed = scopes->followed;
	b->result.throttled = scopes->throttled;
	return 0;
}

static void bed_run(struct bed *b)
{
	const struct run_request request = {.block_seed = 1};
	char err[2048] = "";

	if (spawner_run(b->f.spawner, &request, 1, false, take, b, err, sizeof(err)))
		fail_msg("%s", err);
}

static const struct scope_calls *calls(const struct bed *b, size_t scope)
{
	const struct scope_calls *c = &b->result.calls[scope];

	/* Always: every call is accounted for. */
	assert_int_equal(c->calls, c->measured + c->lost + c->not_counted + c->unfollowed +
				       c->unreturned + c->missed);
	return c;
}

static const struct scope_cost *cost(const struct bed *b, size_t scope, size_t which)
{
	return &b->result.costs[scope * COSTS + which];
}

/* N calls, and nothing else happened to any. */
static void assert_measured(const struct bed *b, size_t scope, uint64_t n)
{
	const struct scope_calls *c = calls(b, scope);

	if (c->measured != n)
		print_message("%s: %lu calls: measured %lu, lost %lu, not counted %lu, unfollowed "
			      "%lu, unreturned %lu, missed %lu\n",
			      b->targets[scope].name, (unsigned long)c->calls,
			      (unsigned long)c->measured, (unsigned long)c->lost,
			      (unsigned long)c->not_counted, (unsigned long)c->unfollowed,
			      (unsigned long)c->unreturned, (unsigned long)c->missed);
	assert_int_equal(c->measured, n);
	assert_int_equal(c->calls, n);
}

static void once(struct bed *b)
{
	bed_start(b);
	bed_run(b);
	assert_int_equal(b->run.outcome, RUN_OK);
	assert_true(b->had_scopes);
}

static void plain(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " plain 2000", CALLS_PATH, "leaf", NULL);
	bed_start(&b);
	for (unsigned i = 0; i < 5; i++) {
		bed_run(&b);
		assert_measured(&b, 0, 2000);
		assert_true(b.result.followed && b.result.counted[CLOCK]);
		assert_true(cost(&b, 0, CLOCK)->total > 0);
		assert_true(cost(&b, 0, CLOCK)->total < b.result.whole[CLOCK]);
		assert_true(cost(&b, 0, TIME)->total < b.result.whole[TIME]);
		assert_true(b.result.whole[TIME] == (double)b.run.duration_ns);
		assert_true(b.result.outermost[CLOCK] == cost(&b, 0, CLOCK)->total);
	}
	assert_int_equal(b.runs, 5);
	bed_release(&b);
}

static void nested(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " nested 500", CALLS_PATH, "leaf", "outer", NULL);
	once(&b);
	assert_measured(&b, 0, 1500);
	assert_measured(&b, 1, 500);
	assert_true(cost(&b, 0, CLOCK)->self == cost(&b, 0, CLOCK)->total);
	assert_true(fabs(cost(&b, 1, CLOCK)->self + cost(&b, 0, CLOCK)->total -
			 cost(&b, 1, CLOCK)->total) < 1);
	assert_true(b.result.outermost[CLOCK] == cost(&b, 1, CLOCK)->total);
	bed_release(&b);
}

/* More calls at once than uretprobes would see. */
static void recursive(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " recursive 500", CALLS_PATH, "recurse", NULL);
	once(&b);
	assert_measured(&b, 0, 500);
	/* What is recursive is counted once: no call costs more than all. */
	assert_true(cost(&b, 0, CLOCK)->p99 <= cost(&b, 0, CLOCK)->total * 1.001);
	bed_release(&b);
}

static void deep_returns(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " recursive 100", CALLS_PATH, "recurse", NULL);
	/* As if its return instructions were not known. */
	b.targets[0].n_ends = 0;
	once(&b);
	assert_int_equal(calls(&b, 0)->calls, 100);
	assert_int_equal(calls(&b, 0)->measured, 64);
	assert_int_equal(calls(&b, 0)->missed, 36);
	bed_release(&b);
}

static void left_by_longjmp(void **state)
{
	struct bed b;

	(void)state;
	for (int returns = 0; returns < 2; returns++) {
		bed_init(&b, CALLS_PATH " longjmp 400", CALLS_PATH, "jumper", "leaf", NULL);
		if (returns)
			b.targets[0].n_ends = 0;
		once(&b);
		assert_int_equal(calls(&b, 0)->measured, 200);
		assert_int_equal(calls(&b, 0)->unreturned, 200);
		assert_int_equal(calls(&b, 0)->calls, 400);
		assert_measured(&b, 1, 400);
		/* The rest is right: what was left was in nothing. */
		assert_true(b.result.outermost[CLOCK] > cost(&b, 0, CLOCK)->total);
		bed_release(&b);
	}
}

static void left_by_exception(void **state)
{
#ifdef THROWS_PATH
	struct bed b;

	(void)state;
	bed_init(&b, THROWS_PATH " 400", THROWS_PATH, "between", NULL);
	once(&b);
	assert_int_equal(calls(&b, 0)->measured, 200);
	assert_int_equal(calls(&b, 0)->unreturned, 200);
	bed_release(&b);
#else
	(void)state;
	skip();
#endif
}

static void tail_calls(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " tail 300", CALLS_PATH, "tailer", "leaf", NULL);
	once(&b);
	assert_measured(&b, 0, 300);
	assert_measured(&b, 1, 300);
	assert_true(cost(&b, 0, CLOCK)->total > cost(&b, 1, CLOCK)->total);
	bed_release(&b);
}

static void threads(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " threads 500", CALLS_PATH, "outer", "leaf", NULL);
	once(&b);
	if (b.result.followed) {
		assert_measured(&b, 0, 2000);
		assert_measured(&b, 1, 6000);
	} else {
		assert_int_equal(calls(&b, 0)->unfollowed, 2000);
		assert_true(isnan(b.result.whole[CLOCK]));
	}
	bed_release(&b);
}

static void processes(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " processes 300", CALLS_PATH, "outer", "forever", "leaf", NULL);
	once(&b);
	if (b.result.followed) {
		assert_measured(&b, 0, 1200);
		assert_int_equal(calls(&b, 1)->calls, 2);
		assert_int_equal(calls(&b, 1)->unreturned, 2);
		assert_measured(&b, 2, 3602);
	} else {
		assert_int_equal(calls(&b, 0)->unfollowed, 1200);
	}
	bed_release(&b);
}

static void forked_in_a_call(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " fork 300", CALLS_PATH, "forker", "leaf", "outer", NULL);
	once(&b);
	assert_measured(&b, 0, 1);
	if (b.result.followed) {
		assert_measured(&b, 1, 1200);
		assert_measured(&b, 2, 300);
	} else {
		assert_int_equal(calls(&b, 1)->measured, 300);
		assert_int_equal(calls(&b, 1)->unfollowed, 900);
	}
	bed_release(&b);
}

static void never_returns(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " forever 1", CALLS_PATH, "forever", "leaf", NULL);
	once(&b);
	assert_int_equal(calls(&b, 0)->calls, 1);
	assert_int_equal(calls(&b, 0)->unreturned, 1);
	assert_true(isnan(cost(&b, 0, CLOCK)->p50));
	assert_measured(&b, 1, 1);
	assert_true(b.result.outermost[CLOCK] == cost(&b, 1, CLOCK)->total);
	bed_release(&b);
}

static void executed_again(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " exec 100 nested 100", CALLS_PATH, "outer", "leaf", NULL);
	once(&b);
	assert_measured(&b, 0, 100);
	assert_measured(&b, 1, 400);
	bed_release(&b);
}

static void opened_library(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " library 700 " CALLED_PATH, CALLS_PATH, CALLED_PATH ":in_library",
		 NULL);
	once(&b);
	assert_measured(&b, 0, 700);
	bed_release(&b);
}

/* A call that moves to another CPU costs what it cost on both. */
static void migrates(void **state)
{
	struct bed b;

	(void)state;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip();
	bed_init(&b, CALLS_PATH " wander 20", CALLS_PATH, "wanderer", NULL);
	once(&b);
	assert_measured(&b, 0, 20);
	assert_int_equal(calls(&b, 0)->interrupted, 20);
	/* On a busy machine it gets to run less than the time that it burns. */
	assert_true(cost(&b, 0, TIME)->total >= 20 * 4e6);
	assert_true(cost(&b, 0, CLOCK)->total > b.result.whole[CLOCK] * 0.9);
	bed_release(&b);
}

static void sleeps(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " sleep 20", CALLS_PATH, "sleeper", NULL);
	once(&b);
	assert_measured(&b, 0, 20);
	assert_int_equal(calls(&b, 0)->interrupted, 20);
	assert_true(cost(&b, 0, TIME)->p50 >= 2e6);
	assert_true(cost(&b, 0, CLOCK)->total < cost(&b, 0, TIME)->total / 2);
	bed_release(&b);
}

/* A counter that is exact here as well. */
static void page_faults(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " touch 100", CALLS_PATH, "toucher", NULL);
	once(&b);
	assert_measured(&b, 0, 100);
	/* 0 + 1 + ... + 99, and what the first call touches for the first time. */
	assert_true(cost(&b, 0, FAULTS)->total >= 4950 && cost(&b, 0, FAULTS)->total < 4960);
	assert_true(fabs(cost(&b, 0, FAULTS)->p50 - 50) <= 1);
	assert_true(fabs(cost(&b, 0, FAULTS)->p99 - 98) <= 1);
	bed_release(&b);
}

/* The spawner's ways to end a run are the same. */
static void fails_and_times_out(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " nothing", CALLS_PATH, "leaf", NULL);
	bed_start(&b);
	bed_run(&b);
	assert_int_equal(b.run.outcome, RUN_EXIT);
	assert_int_equal(b.run.status, 2);
	assert_measured(&b, 0, 0);
	bed_release(&b);
	bed_init(&b, CALLS_PATH " sleep 100000", CALLS_PATH, "sleeper", NULL);
	b.f.config.timeout_ns = 2000000000;
	bed_start(&b);
	bed_run(&b);
	assert_int_equal(b.run.outcome, RUN_TIMEOUT);
	assert_true(b.had_scopes);
	assert_int_equal(calls(&b, 0)->unreturned, 1);
	bed_release(&b);
	bed_init(&b, "/nonexistent", CALLS_PATH, "leaf", NULL);
	bed_start(&b);
	bed_run(&b);
	assert_int_equal(b.run.outcome, RUN_NOT_STARTED);
	assert_int_equal(b.run.error, ENOENT);
	assert_false(b.had_scopes);
	bed_run(&b);
	assert_int_equal(b.run.outcome, RUN_NOT_STARTED);
	bed_release(&b);
}

/* What outlives the command is killed in a call, and the next run is none the worse. */
static void stragglers(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " killed 50", CALLS_PATH, "leaf", "sleeper", NULL);
	b.f.config.grace_ns = 20000000;
	bed_start(&b);
	for (int i = 0; i < 3; i++) {
		bed_run(&b);
		assert_int_equal(b.run.stragglers_killed, 1);
		assert_measured(&b, 0, 50);
	}
	bed_release(&b);
}

static char *all_definitions(void)
{
	int tracefs = tracefs_open();
	char *text = tracefs < 0 ? NULL : tracefs_read(tracefs, "uprobe_events");

	if (tracefs >= 0)
		close(tracefs);
	return text;
}

static pid_t parent_of(pid_t pid)
{
	char *text = file_text("/proc/%d/stat", (int)pid), *name = text ? strrchr(text, ')') : NULL;
	pid_t parent = name ? (pid_t)atoi(name + 4) : -1;

	free(text);
	return parent;
}

/* The group of definitions that is named after the spawner that PARENT started; "": none. */
static void find_group(pid_t parent, char *group, size_t size)
{
	char *text = all_definitions();

	*group = '\0';
	for (char *p = text; p && (p = strstr(p, ":abstat_")); p++)
		if (parent_of((pid_t)atoi(p + strlen(":abstat_"))) == parent)
			snprintf(group, size, "%.*s", (int)strcspn(p, "/"), p);
	free(text);
}

static unsigned defined(const char *group)
{
	char *text = all_definitions();
	unsigned n = 0;

	for (char *p = text; p && (p = strstr(p, group)); p++)
		n++;
	free(text);
	return n;
}

static void definitions_are_removed(void **state)
{
	char group[64];
	struct bed b;

	(void)state;
	bed_init(&b, CALLS_PATH " plain 1", CALLS_PATH, "leaf", "outer", NULL);
	once(&b);
	find_group(getpid(), group, sizeof(group));
	assert_string_not_equal(group, "");
	assert_true(defined(group) >= 4);
	bed_release(&b);
	assert_int_equal(defined(group), 0);
}

/* A killed abstat leaves its definitions, and the next one removes them. */
static void killed(void **state)
{
	char group[64] = "";
	struct bed b;
	pid_t pid;

	(void)state;
	pid = fork();
	if (pid == 0) {
		bed_init(&b, CALLS_PATH " plain 1", CALLS_PATH, "leaf", NULL);
		once(&b);
		for (;;)
			pause();
	}
	for (int i = 0; i < 1000 && !*group; i++) {
		usleep(10000);
		find_group(pid, group, sizeof(group));
	}
	assert_string_not_equal(group, "");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(defined(group) > 0);
	/* Its spawner ends when it sees that; until then they are in use. */
	for (int i = 0; i < 1000 && defined(group); i++) {
		usleep(10000);
		bed_init(&b, CALLS_PATH " plain 1", CALLS_PATH, "leaf", NULL);
		once(&b);
		bed_release(&b);
	}
	assert_int_equal(defined(group), 0);
}

static bool may_probe(void)
{
	int tracefs = tracefs_open();

	if (tracefs >= 0)
		close(tracefs);
	return geteuid() == 0 && tracefs >= 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain),
	    cmocka_unit_test(nested),
	    cmocka_unit_test(recursive),
	    cmocka_unit_test(deep_returns),
	    cmocka_unit_test(left_by_longjmp),
	    cmocka_unit_test(left_by_exception),
	    cmocka_unit_test(tail_calls),
	    cmocka_unit_test(threads),
	    cmocka_unit_test(processes),
	    cmocka_unit_test(forked_in_a_call),
	    cmocka_unit_test(never_returns),
	    cmocka_unit_test(executed_again),
	    cmocka_unit_test(opened_library),
	    cmocka_unit_test(migrates),
	    cmocka_unit_test(sleeps),
	    cmocka_unit_test(page_faults),
	    cmocka_unit_test(fails_and_times_out),
	    cmocka_unit_test(stragglers),
	    cmocka_unit_test(definitions_are_removed),
	    cmocka_unit_test(killed),
	};

	/* Of the kernel here, or of the user, there is nothing to test. */
	if (!may_probe())
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
