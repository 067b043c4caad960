/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marked regions where counters are read in user space: what they cost is exact, whatever happens to
 * the counters, and what a pair of markers takes is little.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "region-fixture.h"

enum { CALLS = 12, THIRD = CALLS / 3 };
enum {
	FLAT,
	READ,
	OUTER,
	INNER,
	DEEP,
	THREAD,
	AT_BEGIN,
	AT_END,
	TAKEN,
	IN_BEGIN,
	IN_END,
	HIT,
	HANDLER,
	ENTER,
	COST,
	N_NAMES
};

/* A program that was run. */
struct run {
	const char *program;
	size_t n;      /* events */
	bool assembly; /* see region-fast.h; a library's markers are compiled */
	struct region_fixture f;
	double length; /* instructions of a piece of work */
};

static struct run runs[] = {{.program = REGION_STEPPED, .n = 1, .assembly = true},
			    {.program = REGION_STEPPED, .n = 2, .assembly = true},
			    {.program = REGION_STEPPED_LIBRARY, .n = 2}};
enum { RUNS = sizeof(runs) / sizeof(runs[0]) };

static int run_all(void **state)
{
	static const char *const names[N_NAMES] = {
	    [FLAT] = "flat",
	    [READ] = "by_read",
	    [OUTER] = "outer",
	    [INNER] = "inner",
	    [DEEP] = "deep",
	    [THREAD] = "in_thread",
	    [AT_BEGIN] = "moved_at_begin",
	    [AT_END] = "moved_at_end",
	    [TAKEN] = "taken",
	    [IN_BEGIN] = "taken_in_begin",
	    [IN_END] = "taken_in_end",
	    [HIT] = "hit",
	    [HANDLER] = "handler",
	    [ENTER] = "enter",
	    [COST] = "cost",
	};

	(void)state;
	for (size_t i = 0; i < RUNS; i++) {
		struct region_fixture *f = &runs[i].f;
		int n = 1 + (int)(((unsigned long)time(NULL) * 7919 + i * 104729) % 40);
		int errors[EVENTS];
		char text[16];

		for (size_t k = 0; k < runs[i].n; k++)
			f->events[k] = region_fixture_event(PERF_COUNT_SW_DUMMY, "dummy");
		if (region_fixture_open(f, names, N_NAMES, runs[i].n, errors)) {
			print_error("%s\n", f->err);
			return -1;
		}
		runs[i].length = 2 * n + 1;
		snprintf(text, sizeof(text), "%d", n);
		region_fixture_run(f, runs[i].program, "all", text);
	}
	return 0;
}

static int release_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < RUNS; i++)
		region_set_free(runs[i].f.set);
	return 0;
}

/* A region's costs in each event and in time, where a call is a piece of work. */
static void check_costs(const struct run *r, size_t region, double calls)
{
	const struct scope_cost *costs = costs_of(&r->f, region);

	check_calls(&r->f.calls[region], (uint64_t)calls, (uint64_t)calls);
	assert_int_equal(r->f.calls[region].interrupted, 0);
	for (size_t i = 0; i <= r->n; i++) {
		double value = r->length * (i == r->n ? 5 : i ? 3 : 1);

		assert_true(costs[i].p50 == value);
		assert_true(costs[i].p99 == value);
		assert_true(costs[i].total == calls * value);
		assert_true(costs[i].self == costs[i].total);
	}
}

static void test_calls(void **state)
{
	(void)state;
	for (const struct run *r = runs; r < runs + RUNS; r++) {
		check_costs(r, FLAT, CALLS);
		check_costs(r, READ, CALLS);
		check_costs(r, THREAD, 3 * CALLS);
	}
}

static void test_nested(void **state)
{
	(void)state;
	for (const struct run *r = runs; r < runs + RUNS; r++) {
		const struct scope_cost *outer = costs_of(&r->f, OUTER);
		const struct scope_cost *inner = costs_of(&r->f, INNER);
		double pieces = CALLS * r->length;

		check_costs(r, DEEP, CALLS);
		check_calls(&r->f.calls[OUTER], CALLS, CALLS);
		check_calls(&r->f.calls[INNER], 2UL * CALLS, 2UL * CALLS);
		assert_true(outer->total == 5 * pieces && outer->self == 2 * pieces);
		assert_true(inner->total == 3 * pieces && inner->self == 2 * pieces);
	}
}

/* A reading that did not hold is no part of a begin, whose last are what counts. */
static void test_moved_at_begin(void **state)
{
	(void)state;
	for (const struct run *r = runs; r < runs + RUNS; r++) {
		const struct scope_cost *cost = costs_of(&r->f, AT_BEGIN);

		check_calls(&r->f.calls[AT_BEGIN], CALLS, CALLS);
		assert_true(cost->p50 == r->length && cost->p99 == r->length);
		assert_true(cost->total == CALLS * r->length);
	}
}

/* Of an end it is: it is instructions that were executed. */
static void test_moved_at_end(void **state)
{
	(void)state;
	for (const struct run *r = runs; r < runs + RUNS; r++) {
		const struct scope_cost *cost = costs_of(&r->f, AT_END);
		double more = cost->total - CALLS * r->length;

		check_calls(&r->f.calls[AT_END], CALLS, CALLS);
		assert_int_equal(r->f.calls[AT_END].interrupted, THIRD);
		assert_true(cost->p50 == r->length);
		assert_true(more >= 0 && more <= THIRD * 20);
	}
}

/*
 * From then on it is read(2). One call may have begun in the one way and ended in the other. What an
 * end has read before cannot be had back: then that has no cost.
 */
static void test_taken(void **state)
{
	(void)state;
	for (const struct run *r = runs; r < runs + RUNS; r++)
		for (size_t region = TAKEN; region <= IN_END; region++) {
			const struct scope_cost *cost = costs_of(&r->f, region);
			const struct scope_calls *calls = &r->f.calls[region];
			bool lost = region == IN_END && r->assembly && r->n > 1;

			check_calls(calls, CALLS, CALLS - lost);
			assert_int_equal(calls->not_counted, lost);
			assert_true(cost->p50 == r->length);
			assert_true(fabs(cost->total - (CALLS - lost) * r->length) < 500);
		}
}

/* A signal handler's regions are lost, and known to be, where it comes amid a marker. */
static void test_signals(void **state)
{
	(void)state;
	for (const struct run *r = runs; r < runs + RUNS; r++) {
		const struct scope_calls *handler = &r->f.calls[HANDLER];
		uint64_t signals = strtoul(strchr(r->f.out, '\n'), NULL, 10);

		check_calls(&r->f.calls[HIT], signals + 1, signals + 1);
		check_calls(handler, signals, signals - handler->lost);
		assert_int_equal(handler->measured + handler->lost, signals);
		assert_true(handler->measured > 0 && handler->lost > 50);
	}
}

/* Instructions of a begin and an end. */
static void test_cost(void **state)
{
	long one = strtol(runs[0].f.out, NULL, 10), two = strtol(runs[1].f.out, NULL, 10);
	char text[16];

	(void)state;
	print_message("a pair: %ld instructions, each further counter: %ld\n", one, two - one);
	assert_in_range(one, 100, 150);
	assert_in_range(two - one, 30, 80);
	region_fixture_start(REGION_STEPPED, "all", "1", NULL, text, sizeof(text));
	assert_string_equal(text, "4\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_calls),
	    cmocka_unit_test(test_nested),
	    cmocka_unit_test(test_moved_at_begin),
	    cmocka_unit_test(test_moved_at_end),
	    cmocka_unit_test(test_taken),
	    cmocka_unit_test(test_signals),
	    cmocka_unit_test(test_cost),
	};

	return cmocka_run_group_tests(tests, run_all, release_all);
}
