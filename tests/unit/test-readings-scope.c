/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a probed run gives: values, totals that are scaled, and reasons where there is no value. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "counting-scopes.h"
#include "event.h"
#include "readings-scope.h"
#include "record.h"
#include "scopes.h"

enum { EVENT, TIME, COSTS };

/* Two scopes, one event and time: 100 calls of 50, and 10 of 7; the whole is 10,000, of which
 * probing added 500. */
struct probed {
	struct scope_target targets[2];
	const struct event *events[1];
	struct scope_config config;
	struct scope_calls calls[2];
	struct scope_cost costs[2 * COSTS];
	double whole[COSTS], outermost[COSTS], overhead[COSTS];
	bool counted[COSTS];
	/* On CPU 2 ended 60 calls of the first scope, at 3,000, and on CPU 5 the others and those of the second. */
	int told[2];
	uint64_t cpu_calls[2 * 2];
	double cpu_totals[2 * 2 * COSTS];
	struct scope_result result;
	int slot_errors[1];
	struct probed_run run;
	struct metric metric;
};

static void probed_init(struct probed *p)
{
	*p = (struct probed){
	    .config = {.targets = p->targets, .n_targets = 2, .events = p->events, .n_events = 1},
	    .calls = {{.calls = 100, .measured = 100, .interrupted = 5},
		      {.calls = 10, .measured = 10}},
	    .costs = {{.total = 5000,
		       .self = 4930,
		       .p50 = 49,
		       .p99 = 60,
		       .overhead = 400,
		       .overhead_se = 20},
		      {.total = 9e6, .self = 9e6},
		      {.total = 70, .self = 70, .p50 = 7, .p99 = 7},
		      {.total = 1e6, .self = 1e6}},
	    .whole = {10000, 2e7},
	    .outermost = {5000, 1e7},
	    .overhead = {500, 1e6},
	    .counted = {true, true},
	    .told = {2, 5},
	    .cpu_calls = {60, 0, 40, 10},
	    .cpu_totals = {3000, 4e6, 0, 0, 2000, 5e6, 70, 1e6},
	};
	p->config.told = p->told;
	p->config.n_told = 2;
	p->result = (struct scope_result){.calls = p->calls,
					  .costs = p->costs,
					  .whole = p->whole,
					  .outermost = p->outermost,
					  .overhead = p->overhead,
					  .cpu_calls = p->cpu_calls,
					  .cpu_totals = p->cpu_totals,
					  .counted = p->counted,
					  .followed = true};
	p->run = (struct probed_run){&p->result, &p->config, p->slot_errors};
}

static struct reading read_part(struct probed *p, int scope, enum scope_part part, int cost)
{
	struct metric m = {
	    .source = METRIC_SCOPE, .part = part, .number = scope, .cpu = -1, .scale = 2};

	return reading_of_scope(&p->run, &m, cost);
}

static void assert_value(struct probed *p, int scope, enum scope_part part, double want)
{
	struct reading r = read_part(p, scope, part, EVENT);

	assert_int_equal(r.reason, NULL_NONE);
	assert_float_equal(r.value, want, 1e-9 * fabs(want));
}

static void assert_reason(struct probed *p, int scope, enum scope_part part, enum null_reason want)
{
	struct reading r = read_part(p, scope, part, EVENT);

	assert_true(isnan(r.value));
	assert_int_equal(r.reason, want);
}

static void all_that_is_measured_has_a_value(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	/* Counts of calls are not scaled; costs are, into the event's unit. */
	assert_value(&p, 0, PART_CALLS, 100);
	assert_value(&p, 0, PART_LOST, 0);
	assert_value(&p, 0, PART_INTERRUPTED, 0.05);
	assert_value(&p, 0, PART_TOTAL, 2 * 5000);
	assert_value(&p, 0, PART_SELF, 2 * 4930);
	assert_value(&p, 0, PART_MEAN, 2 * 50);
	assert_value(&p, 0, PART_P50, 2 * 49);
	assert_value(&p, 0, PART_P99, 2 * 60);
	assert_value(&p, 0, PART_OVERHEAD, 2 * 4);
	assert_value(&p, 0, PART_OVERHEAD_SE, 2 * 0.2);
	assert_value(&p, 0, PART_SHARE, 5000.0 / 9500);
	assert_value(&p, 1, PART_TOTAL, 2 * 70);
	assert_value(&p, -1, PART_TOTAL, 2 * 4500);
	assert_value(&p, -1, PART_SHARE, 4500.0 / 9500);
	assert_value(&p, -1, PART_PROBED, 2 * 10000);
	assert_float_equal(read_part(&p, 1, PART_TOTAL, TIME).value, 2e6, 1e-3);
}

/* What probing adds was not measured: it is in the values, and that is not an overhead of 0. */
static void what_was_not_calibrated_is_no_zero(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	p.costs[0].overhead = p.costs[0].overhead_se = NAN;
	assert_reason(&p, 0, PART_OVERHEAD, NULL_NOT_CALIBRATED);
	assert_reason(&p, 0, PART_OVERHEAD_SE, NULL_NOT_CALIBRATED);
	assert_value(&p, 0, PART_MEAN, 2 * 50);
	p.costs[0].total = NAN;
	assert_reason(&p, 0, PART_OVERHEAD, NULL_NOT_COUNTED);
}

static void throttled_probes_are_noted_once(void **state)
{
	const struct scopes scopes = {0};
	struct scope_result result = {.engine = SCOPE_ENGINE_NONE};
	struct record record;

	(void)state;
	record_init(&record);
	assert_int_equal(scopes_note_engine(&scopes, &result, &record), 0);
	assert_int_equal(record.n_notes, 0);
	result.throttled = 3;
	for (int run = 0; run < 2; run++)
		assert_int_equal(scopes_note_engine(&scopes, &result, &record), 0);
	assert_int_equal(record.n_notes, 1);
	assert_non_null(strstr(record.notes[0], "throttled the scopes' probes, 3 times in"));
	record_release(&record);
}

/* One call of a hundred: the total is that of all calls, and the rest has not what was lost. */
static void few_lost_calls_are_scaled_up_for(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	p.calls[0].measured = 99;
	p.calls[0].lost = 1;
	assert_value(&p, 0, PART_TOTAL, 2 * 5000 * 100 / 99.0);
	assert_value(&p, 0, PART_MEAN, 2 * 5000 / 99.0);
	assert_value(&p, 0, PART_LOST, 1);
	assert_value(&p, -1, PART_TOTAL, 2 * (4500 - 4930 / 99.0));
}

static void many_lost_calls_leave_no_total(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	p.calls[0].measured = 98;
	p.calls[0].lost = 2;
	assert_reason(&p, 0, PART_TOTAL, NULL_CALLS_LOST);
	assert_reason(&p, 0, PART_SELF, NULL_CALLS_LOST);
	assert_reason(&p, 0, PART_SHARE, NULL_CALLS_LOST);
	assert_reason(&p, -1, PART_TOTAL, NULL_CALLS_LOST);
	assert_value(&p, 0, PART_MEAN, 2 * 5000 / 98.0);
	/* The other scope does not suffer. */
	assert_value(&p, 1, PART_TOTAL, 2 * 70);
}

/* A software event lacks no counter: what it did not count was where nothing counts. */
static void what_lacks_no_counter_was_elsewhere(void **state)
{
	const struct event software = {.software = true}, hardware = {0};
	struct probed p;

	(void)state;
	probed_init(&p);
	p.calls[0] = (struct scope_calls){.calls = 100, .not_counted = 100};
	p.counted[EVENT] = false;
	p.events[0] = &software;
	/* A group that goes where its thread goes is on every CPU. */
	assert_reason(&p, 0, PART_TOTAL, NULL_NOT_COUNTED);
	p.result.inherited = true;
	assert_reason(&p, 0, PART_TOTAL, NULL_OTHER_CPUS);
	assert_reason(&p, -1, PART_TOTAL, NULL_OTHER_CPUS);
	assert_int_equal(reading_of_whole(&p.run, EVENT, 1).reason, NULL_OTHER_CPUS);
	/* A region's programs may lack descriptors. */
	p.targets[0].kind = SCOPE_REGION;
	assert_reason(&p, 0, PART_MEAN, NULL_CALLS_LOST);
	assert_reason(&p, 0, PART_TOTAL, NULL_CALLS_LOST);
	p.result.engine = SCOPE_ENGINE_NONE;
	assert_int_equal(reading_of_whole(&p.run, EVENT, 1).reason, NULL_NOT_COUNTED);
	p.result.engine = SCOPE_ENGINE_TRACEFS;
	p.targets[0].kind = SCOPE_FUNCTION;
	p.events[0] = &hardware;
	assert_reason(&p, 0, PART_TOTAL, NULL_NOT_COUNTED);
	assert_reason(&p, -1, PART_TOTAL, NULL_NOT_COUNTED);
	assert_int_equal(reading_of_whole(&p.run, EVENT, 1).reason, NULL_NOT_COUNTED);
}

/* Of breakpoints nothing tells what ran in other processes: not even that it was nothing. */
static void what_was_not_followed_is_no_zero(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	p.result.engine = SCOPE_ENGINE_BREAKPOINTS;
	assert_value(&p, 0, PART_CALLS, 100);
	p.result.followed = false;
	/* That there was no counter for them, either, is not why. */
	p.counted[EVENT] = false;
	assert_reason(&p, 0, PART_CALLS, NULL_NOT_FOLLOWED);
	assert_reason(&p, 0, PART_UNFOLLOWED, NULL_NOT_FOLLOWED);
	assert_reason(&p, 0, PART_TOTAL, NULL_NOT_FOLLOWED);
	assert_reason(&p, 0, PART_SELF, NULL_NOT_FOLLOWED);
	assert_reason(&p, 0, PART_SHARE, NULL_NOT_FOLLOWED);
	assert_reason(&p, -1, PART_TOTAL, NULL_NOT_FOLLOWED);
	assert_reason(&p, -1, PART_PROBED, NULL_NOT_FOLLOWED);
	/* Of those that were. */
	assert_value(&p, 0, PART_MEAN, 2 * 50);
	assert_value(&p, 0, PART_LOST, 0);
	p.calls[0] = (struct scope_calls){0};
	assert_reason(&p, 0, PART_CALLS, NULL_NOT_FOLLOWED);
	assert_reason(&p, 0, PART_LOST, NULL_NOT_FOLLOWED);
	assert_reason(&p, 0, PART_MEAN, NULL_NOT_FOLLOWED);
	assert_reason(&p, 0, PART_P50, NULL_NOT_FOLLOWED);
	/* A region is counted by whoever runs it; and by the kernel's probes calls are known. */
	p.targets[0].kind = SCOPE_REGION;
	assert_value(&p, 0, PART_CALLS, 0);
	p.targets[0].kind = SCOPE_FUNCTION;
	p.result.engine = SCOPE_ENGINE_TRACEFS;
	assert_value(&p, 0, PART_CALLS, 0);
	assert_value(&p, 1, PART_TOTAL, 2 * 70);
}

/* Never a zero: not counted is no value, and neither is a call that did not return. */
static void what_was_not_counted_is_no_zero(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	p.calls[0] = (struct scope_calls){.calls = 100, .not_counted = 100};
	assert_value(&p, 0, PART_CALLS, 100);
	assert_reason(&p, 0, PART_TOTAL, NULL_NOT_COUNTED);
	assert_reason(&p, 0, PART_MEAN, NULL_NOT_COUNTED);
	assert_reason(&p, -1, PART_TOTAL, NULL_NOT_COUNTED);
	p.calls[0] = (struct scope_calls){.calls = 1, .unreturned = 1};
	assert_reason(&p, 0, PART_TOTAL, NULL_NOT_RETURNED);
	assert_reason(&p, 0, PART_MEAN, NULL_NOT_RETURNED);
	assert_value(&p, -1, PART_TOTAL, 2 * 4500);
	/* That it was never called is known: then it cost nothing, and a call has no cost. */
	p.calls[0] = (struct scope_calls){0};
	p.costs[EVENT] = (struct scope_cost){0};
	assert_value(&p, 0, PART_TOTAL, 0);
	assert_reason(&p, 0, PART_MEAN, NULL_NO_CALLS);
	assert_reason(&p, 0, PART_INTERRUPTED, NULL_NO_CALLS);
}

static void the_whole_needs_its_counter(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	p.counted[EVENT] = false;
	assert_reason(&p, -1, PART_TOTAL, NULL_NOT_COUNTED);
	assert_reason(&p, -1, PART_PROBED, NULL_NOT_COUNTED);
	assert_reason(&p, 0, PART_SHARE, NULL_NOT_COUNTED);
	assert_value(&p, 0, PART_TOTAL, 2 * 5000);
	p.counted[EVENT] = true;
	p.result.followed = false;
	assert_reason(&p, -1, PART_TOTAL, NULL_NOT_FOLLOWED);
	assert_int_equal(reading_of_whole(&p.run, EVENT, 1).reason, NULL_NOT_FOLLOWED);
}

/* A share of less than nothing is none, and nobody divided by zero. */
static void what_probing_eats_has_no_share(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	p.overhead[EVENT] = p.whole[EVENT] + 1;
	assert_reason(&p, 0, PART_SHARE, NULL_NOTHING_LEFT);
	assert_reason(&p, -1, PART_SHARE, NULL_NOTHING_LEFT);
	assert_value(&p, 0, PART_TOTAL, 2 * 5000);
	assert_string_equal(null_reason_token(NULL_NOTHING_LEFT), "nothing-left");
}

/* 30 ms of calls in a run of 20 ms, and what was cut off. */
static void what_does_not_add_up_is_no_value(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	p.outermost[TIME] = 3e7;
	assert_int_equal(read_part(&p, -1, PART_TOTAL, TIME).reason, NULL_OVERLAP);
	assert_int_equal(read_part(&p, -1, PART_SHARE, TIME).reason, NULL_OVERLAP);
	assert_int_equal(read_part(&p, 0, PART_TOTAL, TIME).reason, NULL_NONE);
	/* A counter's may be below nothing, by what probing adds and how well that is known. */
	p.outermost[TIME] = 1.91e7;
	assert_int_equal(read_part(&p, -1, PART_TOTAL, TIME).reason, NULL_NONE);
	p.run.killed = true;
	assert_reason(&p, 0, PART_CALLS, NULL_KILLED);
	assert_reason(&p, 0, PART_TOTAL, NULL_KILLED);
	assert_reason(&p, -1, PART_TOTAL, NULL_KILLED);
	assert_reason(&p, -1, PART_PROBED, NULL_KILLED);
}

static void other_groups_and_refused_events_say_so(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	assert_int_equal(read_part(&p, 0, PART_TOTAL, -1).reason, NULL_OTHER_GROUP);
	assert_int_equal(read_part(&p, 0, PART_CALLS, -1).reason, NULL_NONE);
	p.slot_errors[0] = EACCES;
	assert_reason(&p, 0, PART_TOTAL, NULL_NOT_PERMITTED);
	p.slot_errors[0] = EINVAL;
	assert_reason(&p, 0, PART_TOTAL, NULL_NOT_SUPPORTED);
	assert_int_equal(read_part(&p, 0, PART_TOTAL, TIME).reason, NULL_NONE);
	p.run.result = NULL;
	assert_reason(&p, 0, PART_TOTAL, NULL_RUN_FAILED);
	assert_reason(&p, 0, PART_CALLS, NULL_RUN_FAILED);
}

static struct reading read_on_cpu(struct probed *p, int cpu, int scope, enum scope_part part, int cost)
{
	struct metric m = {
	    .source = METRIC_SCOPE, .part = part, .number = scope, .cpu = cpu, .scale = 2};

	return reading_of_scope(&p->run, &m, cost);
}

static void assert_on_cpu(struct probed *p, int cpu, int scope, enum scope_part part, double want)
{
	struct reading r = read_on_cpu(p, cpu, scope, part, EVENT);

	assert_int_equal(r.reason, NULL_NONE);
	assert_float_equal(r.value, want, 1e-9 * fabs(want));
}

static void cpus_have_their_own_calls(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	assert_on_cpu(&p, 2, 0, PART_CALLS, 60);
	assert_on_cpu(&p, 2, 0, PART_TOTAL, 2 * 3000);
	assert_on_cpu(&p, 2, 0, PART_MEAN, 2 * 50);
	assert_on_cpu(&p, 5, 0, PART_CALLS, 40);
	assert_on_cpu(&p, 5, 0, PART_TOTAL, 2 * 2000);
	assert_on_cpu(&p, 5, 1, PART_MEAN, 2 * 7);
	assert_float_equal(read_on_cpu(&p, 5, 0, PART_TOTAL, TIME).value, 2 * 5e6, 1e-3);
	/* No call is 0 calls that cost 0; what one costs is no number. */
	assert_on_cpu(&p, 2, 1, PART_CALLS, 0);
	assert_on_cpu(&p, 2, 1, PART_TOTAL, 0);
	assert_int_equal(read_on_cpu(&p, 2, 1, PART_MEAN, EVENT).reason, NULL_NO_CALLS_HERE);
	/* The same as for the scope: another group, a refused event, a run that came to nothing. */
	assert_int_equal(read_on_cpu(&p, 2, 0, PART_TOTAL, -1).reason, NULL_OTHER_GROUP);
	assert_int_equal(read_on_cpu(&p, 2, 0, PART_CALLS, -1).reason, NULL_NONE);
	p.slot_errors[0] = EACCES;
	assert_int_equal(read_on_cpu(&p, 2, 0, PART_MEAN, EVENT).reason, NULL_NOT_PERMITTED);
	p.run.killed = true;
	assert_int_equal(read_on_cpu(&p, 2, 0, PART_CALLS, -1).reason, NULL_KILLED);
	p.run.result = NULL;
	assert_int_equal(read_on_cpu(&p, 2, 0, PART_CALLS, -1).reason, NULL_RUN_FAILED);
}

/* Which CPU a lost call ended on is not known: totals are scaled as the scope's is, counts are not. */
static void lost_calls_are_of_no_cpu(void **state)
{
	struct probed p;

	(void)state;
	probed_init(&p);
	p.calls[0].calls = 101;
	p.calls[0].lost = 1;
	assert_on_cpu(&p, 2, 0, PART_CALLS, 60);
	assert_on_cpu(&p, 2, 0, PART_MEAN, 2 * 50);
	assert_on_cpu(&p, 2, 0, PART_TOTAL, 2 * 3000 * 1.01);
	p.calls[0].calls = 110;
	p.calls[0].lost = 10;
	assert_on_cpu(&p, 2, 0, PART_CALLS, 60);
	assert_on_cpu(&p, 2, 0, PART_MEAN, 2 * 50);
	assert_int_equal(read_on_cpu(&p, 2, 0, PART_TOTAL, EVENT).reason, NULL_CALLS_LOST);
	/* Where none was measured, 0 of them on this CPU would be a lie. */
	p.calls[0] = (struct scope_calls){.calls = 100, .not_counted = 100};
	p.cpu_calls[0] = 0;
	assert_int_equal(read_on_cpu(&p, 2, 0, PART_CALLS, EVENT).reason, NULL_NOT_COUNTED);
	assert_int_equal(read_on_cpu(&p, 2, 0, PART_TOTAL, EVENT).reason, NULL_NOT_COUNTED);
	assert_int_equal(read_on_cpu(&p, 2, 0, PART_MEAN, EVENT).reason, NULL_NOT_COUNTED);
}

/* --- names --- */

static void assert_event(const struct scopes *s, const char *name, const char *want)
{
	const char *event = NULL;
	size_t len = 0;
	bool found = counting_scope_name(s, name, strlen(name), &event, &len);

	assert_int_equal(found, want != NULL);
	if (want) {
		assert_int_equal(len, strlen(want));
		assert_memory_equal(event, want, len);
	}
}

static void names_are_taken_apart(void **state)
{
	struct scope_spec spec = {.name = (char[]){"alloc"}};
	struct scopes s = {.specs = &spec, .n = 1};

	(void)state;
	assert_event(&s, "alloc/cycles", "cycles");
	assert_event(&s, "alloc/cycles.total", "cycles");
	assert_event(&s, "alloc/cycles:u.p99", "cycles:u");
	assert_event(&s, "alloc/cpu/event=0x3c,umask=0/.self", "cpu/event=0x3c,umask=0/");
	assert_event(&s, "alloc/L1-dcache-load-misses", "L1-dcache-load-misses");
	assert_event(&s, "alloc/calls", "");
	assert_event(&s, "alloc/not-counted", "");
	assert_event(&s, "rest/duration_time.share", "duration_time");
	assert_event(&s, "probed/cycles", "cycles");
	assert_event(&s, "alloc/x.y", "x.y");
	assert_event(&s, "alloc/", NULL);
	assert_event(&s, "alloc", NULL);
	assert_event(&s, "allocate/cycles", NULL);
	assert_event(&s, "free/cycles", NULL);
	assert_event(NULL, "rest/cycles", NULL);
}

static void names_of_cpus_are_taken_apart(void **state)
{
	struct scope_spec spec = {.name = (char[]){"alloc"}};
	int cpus[] = {1, 10};
	struct scopes s = {.specs = &spec, .n = 1};

	(void)state;
	/* Without a row a CPU that is no CPU, but what is called so. */
	assert_event(&s, "alloc/CPU1/cycles", "CPU1/cycles");
	s.cpus = cpus;
	s.n_cpus = 2;
	assert_event(&s, "alloc/CPU1/cycles", "cycles");
	assert_event(&s, "alloc/CPU10/cycles:u.total", "cycles:u");
	assert_event(&s, "alloc/CPU1/calls", "");
	assert_event(&s, "alloc/CPU2/cycles", "CPU2/cycles");
	assert_event(&s, "alloc/CPU1/", "CPU1/");
	assert_event(&s, "alloc/cycles.total", "cycles");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_that_is_measured_has_a_value),
	    cmocka_unit_test(what_was_not_calibrated_is_no_zero),
	    cmocka_unit_test(throttled_probes_are_noted_once),
	    cmocka_unit_test(few_lost_calls_are_scaled_up_for),
	    cmocka_unit_test(many_lost_calls_leave_no_total),
	    cmocka_unit_test(what_was_not_counted_is_no_zero),
	    cmocka_unit_test(what_was_not_followed_is_no_zero),
	    cmocka_unit_test(what_lacks_no_counter_was_elsewhere),
	    cmocka_unit_test(the_whole_needs_its_counter),
	    cmocka_unit_test(what_probing_eats_has_no_share),
	    cmocka_unit_test(other_groups_and_refused_events_say_so),
	    cmocka_unit_test(what_does_not_add_up_is_no_value),
	    cmocka_unit_test(cpus_have_their_own_calls),
	    cmocka_unit_test(lost_calls_are_of_no_cpu),
	    cmocka_unit_test(names_are_taken_apart),
	    cmocka_unit_test(names_of_cpus_are_taken_apart),
	};

	return cmocka_run_group_tests_name("readings-scope", tests, NULL, NULL);
}
