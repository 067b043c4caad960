/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readings: every run's number is a value or null with the right reason, and never 0 for what was
 * not counted. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "expr.h"
#include "readings.h"
#include "record-fixture.h"

enum { EVENTS = 4, METRICS = 16 };
enum { CYCLES, INSTRUCTIONS, MISSES, CLOCK };

/* Three hardware events and task-clock, in one rotation group or with the misses in a second one;
 * then expressions. */
struct fixture {
	struct record record;
	struct event events[EVENTS];
	struct counting counting;
	struct counting_group groups[2];
	int slot_of[2][METRICS];
	int errors[2][EVENTS];
	struct counter_value values[EVENTS];
	struct run_result result;
	struct reading readings[METRICS];
	double scratch[METRICS];
};

static void init(struct fixture *f)
{
	static const char *const names[EVENTS] = {"cycles", "instructions", "cache-misses",
						  "task-clock"};

	*f = (struct fixture){0};
	made_init(&f->record, 1);
	for (int i = 0; i < EVENTS; i++) {
		made_metric(&f->record, names[i], NULL, i == CLOCK ? "ns" : "", DIRECTION_LOWER)
		    ->slot = i;
		f->events[i].software = i == CLOCK;
		f->events[i].reason = EVENT_OK;
		f->values[i] = (struct counter_value){100u * (unsigned)(i + 1), 5000000, 5000000};
	}
	f->counting.events = (struct event_list){f->events, EVENTS, 0};
	f->counting.groups = f->groups;
	f->counting.n_groups = 1;
	for (int g = 0; g < 2; g++) {
		for (int i = 0; i < METRICS; i++)
			f->slot_of[g][i] = i < EVENTS ? i : -1;
		f->groups[g] = (struct counting_group){
		    .slot_of = f->slot_of[g],
		    .slot_errors = f->errors[g],
		};
	}
	f->result.usage.user_ns = 5000000;
	f->result.duration_ns = 7000000;
}

static bool any(void *context, const char *name, size_t len)
{
	(void)context;
	(void)name;
	return len > 0;
}

static void add_expr(struct fixture *f, const char *name, const char *text)
{
	const char *missing;
	char err[200];

	assert_int_equal(metric_append_expr(&f->record.metrics, name,
					    expr_parse(text, any, NULL, err, sizeof(err)), NULL,
					    &missing),
			 0);
}

static void compute(struct fixture *f, size_t group)
{
	for (size_t i = 0; i < METRICS; i++) {
		f->readings[i] = (struct reading){.value = -77, .reason = NULL_UNKNOWN};
		f->scratch[i] = -77;
	}
	readings_compute(&f->counting, &f->record, group, &f->result, f->values, NULL,
			 &(struct run_output){0}, f->scratch, f->readings);
	for (size_t i = 0; i < f->record.metrics.n; i++)
		assert_int_equal(isnan(f->readings[i].value), f->readings[i].reason != NULL_NONE);
}

static void lacks(const struct fixture *f, size_t metric, enum null_reason reason)
{
	if (f->readings[metric].reason != reason || !isnan(f->readings[metric].value))
		fail_msg("metric %zu: %g, %s", metric, f->readings[metric].value,
			 null_reason_token((enum null_reason)f->readings[metric].reason));
}

static void reads(const struct fixture *f, size_t metric, double value)
{
	if (f->readings[metric].value != value)
		fail_msg("metric %zu: %.17g is not %.17g (%s)", metric, f->readings[metric].value,
			 value, null_reason_token((enum null_reason)f->readings[metric].reason));
}

static void release(struct fixture *f)
{
	record_release(&f->record);
}

static void test_values(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	f.values[CYCLES].value = 0;
	f.record.metrics.v[CLOCK].scale = 0.5;
	compute(&f, 0);
	reads(&f, CYCLES, 0); /* counted all the time, and there was none: 0 is right */
	reads(&f, INSTRUCTIONS, 200);
	reads(&f, CLOCK, 200);
	assert_int_equal(f.readings[CYCLES].enabled, 5000000);
	assert_int_equal(f.readings[CYCLES].running, 5000000);
	release(&f);
}

static void test_large_counts(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	f.values[CYCLES].value = (1ull << 53) - 1;
	f.values[INSTRUCTIONS].value = UINT64_MAX;
	f.values[MISSES].value = 1ull << 32;
	compute(&f, 0);
	reads(&f, CYCLES, 9007199254740991.0);
	reads(&f, INSTRUCTIONS, 18446744073709551616.0);
	reads(&f, MISSES, 4294967296.0);
	release(&f);
}

static void test_not_counted(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	/* A pinned event without a counter, an event that never ran, one that ran for a part. */
	f.values[CYCLES] = (struct counter_value){0, 0, 0};
	f.values[INSTRUCTIONS] = (struct counter_value){0, 5000000, 0};
	f.values[MISSES] = (struct counter_value){70, 5000000, 4999999};
	add_expr(&f, "ipc", "instructions / cycles");
	compute(&f, 0);
	lacks(&f, CYCLES, NULL_NOT_COUNTED);
	lacks(&f, INSTRUCTIONS, NULL_NOT_COUNTED);
	lacks(&f, MISSES, NULL_PARTLY_COUNTED);
	lacks(&f, EVENTS, NULL_OPERAND);
	reads(&f, CLOCK, 400);
	release(&f);
}

static void test_multiplexed(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	f.record.plan.multiplexed = true;
	f.values[CYCLES] = (struct counter_value){1000, 4000000, 1000000};
	f.values[INSTRUCTIONS] = (struct counter_value){0, 5000000, 0};
	/* The product does not fit in 64 bits, nor the count in 53. */
	f.values[MISSES] = (struct counter_value){1ull << 62, 3ull << 40, 1ull << 40};
	compute(&f, 0);
	reads(&f, CYCLES, 4000);
	assert_int_equal(f.readings[CYCLES].running, 1000000);
	lacks(&f, INSTRUCTIONS, NULL_NOT_COUNTED);
	reads(&f, MISSES, 3 * 4611686018427387904.0);
	release(&f);
}

static void test_not_opened(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	f.record.metrics.v[CYCLES].reason = strdup("no counters here");
	f.events[CYCLES].reason = EVENT_NO_PMU;
	f.slot_of[0][CYCLES] = -1;
	f.record.metrics.v[INSTRUCTIONS].reason = strdup("not permitted");
	f.events[INSTRUCTIONS].reason = EVENT_NOT_PERMITTED;
	f.slot_of[0][INSTRUCTIONS] = -1;
	f.errors[0][MISSES] = ENOENT;
	f.values[MISSES] = (struct counter_value){0, 0, 0};
	add_expr(&f, "x", "cycles * 2");
	add_expr(&f, "y", "instructions * 2");
	add_expr(&f, "z", "'cache-misses' * 2");
	f.record.metrics.v[EVENTS].reason = strdup("no counters here");
	f.record.metrics.v[EVENTS + 1].reason = strdup("not permitted");
	compute(&f, 0);
	lacks(&f, CYCLES, NULL_NOT_SUPPORTED);
	lacks(&f, INSTRUCTIONS, NULL_NOT_PERMITTED);
	lacks(&f, MISSES, NULL_NOT_SUPPORTED);
	lacks(&f, EVENTS, NULL_NOT_SUPPORTED);
	lacks(&f, EVENTS + 1, NULL_NOT_PERMITTED);
	lacks(&f, EVENTS + 2, NULL_OPERAND);
	f.errors[0][MISSES] = EACCES;
	compute(&f, 0);
	lacks(&f, MISSES, NULL_NOT_PERMITTED);
	release(&f);
}

static void test_other_group(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	f.counting.n_groups = 2;
	f.slot_of[0][MISSES] = -1;
	f.slot_of[1][INSTRUCTIONS] = -1;
	add_expr(&f, "rate", "'cache-misses' / instructions");
	add_expr(&f, "twice", "rate * 2");
	compute(&f, 0);
	lacks(&f, MISSES, NULL_OTHER_GROUP);
	reads(&f, INSTRUCTIONS, 200);
	lacks(&f, EVENTS, NULL_OTHER_GROUP);
	lacks(&f, EVENTS + 1, NULL_OTHER_GROUP);
	compute(&f, 1);
	reads(&f, MISSES, 300);
	lacks(&f, INSTRUCTIONS, NULL_OTHER_GROUP);
	release(&f);
}

static void test_expressions(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	f.values[CYCLES].value = 0;
	add_expr(&f, "ipc", "instructions / cycles");
	add_expr(&f, "of-null", "ipc + 1");
	add_expr(&f, "zero", "cycles / instructions");
	add_expr(&f, "difference", "cycles - instructions");
	compute(&f, 0);
	lacks(&f, EVENTS, NULL_DIVISION);
	lacks(&f, EVENTS + 1, NULL_OPERAND);
	reads(&f, EVENTS + 2, 0);
	reads(&f, EVENTS + 3, -200);
	release(&f);
}

/* What the clock and wait4(2) say. */
static void test_tools(void **state)
{
	static const enum tool_event tools[] = {
	    TOOL_DURATION_TIME, TOOL_USER_TIME,          TOOL_SYSTEM_TIME,
	    TOOL_MAX_RSS,       TOOL_MINOR_FAULTS,       TOOL_MAJOR_FAULTS,
	    TOOL_SWITCHES,      TOOL_VOLUNTARY_SWITCHES, TOOL_INVOLUNTARY_SWITCHES,
	    TOOL_BLOCK_READS,   TOOL_BLOCK_WRITES,
	};
	static const double expected[] = {7000000, 1, 2, 3, 4, 5, 13, 6, 7, 8, 9};
	struct fixture f;

	(void)state;
	init(&f);
	f.result.usage = (struct run_usage){1, 2, 3, 4, 5, 6, 7, 8, 9};
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		struct metric *m =
		    made_metric(&f.record, tool_events[tools[i]].name, NULL, "", DIRECTION_LOWER);

		m->source = METRIC_TOOL;
		m->slot = (int)tools[i];
	}
	compute(&f, 0);
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		reads(&f, EVENTS + i, expected[i]);
		assert_int_equal(f.readings[EVENTS + i].enabled, 0);
	}
	release(&f);
}

static void set_times(struct fixture *f, uint64_t cpu_ns, uint64_t enabled_ns)
{
	f->result.usage.user_ns = cpu_ns / 2;
	f->result.usage.system_ns = cpu_ns - cpu_ns / 2;
	for (int i = 0; i < EVENTS; i++)
		f->values[i].enabled = f->values[i].running = enabled_ns;
	compute(f, 0);
}

/* A setuid program's events read something small, as if they had run all the time. */
static void test_dropped(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	add_expr(&f, "ipc", "instructions / cycles");
	set_times(&f, 500000000, 400000);
	lacks(&f, CYCLES, NULL_DROPPED);
	lacks(&f, CLOCK, NULL_DROPPED);
	lacks(&f, EVENTS, NULL_OPERAND);
	set_times(&f, 500000000, 239000000);
	lacks(&f, CYCLES, NULL_DROPPED);
	set_times(&f, 3000000, 0);
	lacks(&f, CYCLES, NULL_DROPPED);
	/* Freed memory after the counters stopped: 179 ms of 249. */
	set_times(&f, 249000000, 179000000);
	reads(&f, CYCLES, 100);
	/* Of a program of a few instructions the events see a third. */
	set_times(&f, 900000, 300000);
	reads(&f, CYCLES, 100);
	set_times(&f, 0, 1);
	reads(&f, CYCLES, 100);
	/* Threads: the events' time is longer than the command's. */
	set_times(&f, 500000000, 4000000000);
	reads(&f, CYCLES, 100);
	release(&f);
}

static void test_dropped_cannot_be_told(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	/* Of processes left behind, wait4(2) says nothing of the time. */
	f.result.stragglers = 1;
	set_times(&f, 500000000, 400000);
	reads(&f, CYCLES, 100);
	f.result.stragglers = 0;
	/* CPUs are counted, whatever runs there. */
	f.groups[0].config.system_wide = true;
	set_times(&f, 500000000, 400000);
	reads(&f, CYCLES, 100);
	f.groups[0].config.system_wide = false;
	/* The software event could not be opened: a hardware event's time is no witness. */
	f.errors[0][CLOCK] = EACCES;
	set_times(&f, 500000000, 400000);
	reads(&f, CYCLES, 100);
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values),      cmocka_unit_test(test_large_counts),
	    cmocka_unit_test(test_not_counted), cmocka_unit_test(test_multiplexed),
	    cmocka_unit_test(test_not_opened),  cmocka_unit_test(test_other_group),
	    cmocka_unit_test(test_expressions), cmocka_unit_test(test_tools),
	    cmocka_unit_test(test_dropped),     cmocka_unit_test(test_dropped_cannot_be_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
