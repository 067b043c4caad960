/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From options to metrics and sets of counters, with what this machine has: software events at
 * least. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "command.h"
#include "counting.h"
#include "expr.h"
#include "options.h"
#include "record.h"
#include "scopes.h"

struct fixture {
	struct event_options event;
	struct judge_options judge;
	struct record record;
	struct counting counting;
	const struct scopes *scopes;
	char err[1000];
	int status;
};

static void init(struct fixture *f, const char *events)
{
	memset(f, 0, sizeof(*f));
	event_options_init(&f->event);
	judge_options_init(&f->judge);
	record_init(&f->record);
	machine_read(&f->record.machine, "/proc", "/sys");
	if (events)
		assert_int_equal(string_list_append(&f->event.events, events), 0);
}

static void count(struct fixture *f)
{
	f->status = counting_init(&f->counting, &f->event, &f->judge, f->scopes, &f->record, f->err,
				  sizeof(f->err));
}

static void release(struct fixture *f)
{
	counting_release(&f->counting);
	record_release(&f->record);
	event_options_release(&f->event);
	judge_options_release(&f->judge);
}

static const struct metric *get(const struct fixture *f, const char *name)
{
	long i = metric_find(&f->record.metrics, name);

	if (i < 0)
		fail_msg("'%s' is not measured", name);
	return &f->record.metrics.v[i];
}

/* What holds for every list of metrics. */
static void check(const struct fixture *f)
{
	const struct metric_list *list = &f->record.metrics;
	const struct counting *c = &f->counting;

	if (f->status)
		fail_msg("%s", f->err);
	for (size_t i = 0; i < list->n; i++) {
		const struct metric *m = &list->v[i];

		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(m->name, list->v[k].name);
		assert_true(m->event && m->unit);
		for (size_t k = 0; m->source == METRIC_EXPR && k < expr_n_names(m->expr); k++)
			assert_true(m->operands[k] >= 0 && (size_t)m->operands[k] < i);
		for (size_t g = 0; g < c->n_groups; g++) {
			int slot = c->groups[g].slot_of[i];

			assert_true(slot < (int)counter_slots(&c->groups[g].config));
			if (m->source != METRIC_COUNTER || m->reason)
				assert_int_equal(slot, -1);
			if (slot >= 0 && m->cpu < 0)
				assert_ptr_equal(c->groups[g].config.events[slot],
						 &c->events.events[m->slot]);
		}
	}
	assert_in_range(f->record.primary, 0, list->n - 1);
	assert_null(list->v[f->record.primary].reason);
	assert_true(c->n_groups >= 1);
	assert_int_equal(f->record.plan.groups, c->n_groups);
}

static const char *primary(const struct fixture *f)
{
	return f->record.metrics.v[f->record.primary].event;
}

static void test_default_list(void **state)
{
	static const char *const expected[] = {
	    "task-clock",   "context-switches", "cpu-migrations", "page-faults",  "cycles",
	    "instructions", "branches",         "branch-misses",  "cache-misses", "duration_time",
	    "user_time",    "system_time",      "max_rss"};
	struct fixture f;

	(void)state;
	init(&f, NULL);
	count(&f);
	check(&f);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_true(get(&f, expected[i])->shown);
	assert_string_equal(primary(&f), "duration_time");
	assert_string_equal(get(&f, "task-clock")->unit, "ns");
	assert_string_equal(get(&f, "max_rss")->unit, "bytes");
	get(&f, "cpus-utilized");
	release(&f);
}

static void test_null(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, NULL);
	f.event.null_run = true;
	count(&f);
	check(&f);
	assert_int_equal(f.record.metrics.n, 4);
	assert_int_equal(f.counting.n_groups, 1);
	assert_int_equal(f.counting.groups[0].config.n, 0);
	assert_string_equal(primary(&f), "duration_time");
	release(&f);
}

static void test_detail(void **state)
{
	static const char *const expected[] = {"L1-dcache-loads", "iTLB-load-misses",
					       "L1-dcache-prefetches"};

	(void)state;
	for (int d = 0; d <= 4; d++) {
		struct fixture f;

		init(&f, NULL);
		f.event.detail = d;
		count(&f);
		check(&f);
		for (int i = 0; i < 3; i++)
			assert_int_equal(metric_find(&f.record.metrics, expected[i]) >= 0, i < d);
		release(&f);
	}
}

static void test_first_event_is_primary(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, "page-faults,task-clock");
	count(&f);
	check(&f);
	assert_string_equal(primary(&f), "page-faults");
	release(&f);
	init(&f, "max_rss");
	count(&f);
	check(&f);
	assert_string_equal(primary(&f), "max_rss");
	assert_int_equal(f.counting.groups[0].config.n, 0);
	release(&f);
}

/* A primary metric that was not asked for otherwise is counted, and shown. */
static void test_primary_is_added(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, "task-clock");
	f.judge.primary = "page-faults";
	count(&f);
	check(&f);
	assert_string_equal(primary(&f), "page-faults");
	assert_true(get(&f, "page-faults")->shown);
	release(&f);
	init(&f, "task-clock");
	f.judge.primary = "cpus-utilized";
	count(&f);
	check(&f);
	assert_string_equal(primary(&f), "cpus-utilized");
	release(&f);
	init(&f, NULL);
	f.judge.gate = true;
	f.judge.gate_metric = strdup("page-faults");
	count(&f);
	check(&f);
	assert_string_equal(primary(&f), "page-faults");
	release(&f);
}

static void refuse(struct fixture *f, int status, const char *message)
{
	count(f);
	assert_int_equal(f->status, status);
	assert_string_equal(f->err, message);
	release(f);
}

static void test_wrong_names(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, "task-clock");
	f.judge.primary = "nothing";
	refuse(&f, STATUS_USAGE,
	       "--primary: no metric 'nothing' is measured; 'abstat list' shows what can be");
	init(&f, "task-clock");
	f.judge.gate = true;
	f.judge.gate_metric = strdup("nothing");
	refuse(&f, STATUS_USAGE,
	       "--gate: no metric 'nothing' is measured; 'abstat list' shows what can be");
	init(&f, "task-clock,page-faults");
	f.judge.primary = "task-clock";
	f.judge.gate = true;
	f.judge.gate_metric = strdup("page-faults");
	refuse(&f, STATUS_USAGE,
	       "--gate asks about 'page-faults', but --primary is 'task-clock': the primary metric "
	       "decides, so "
	       "they must be the same");
	init(&f, "task-clock");
	string_list_append(&f.judge.lower, "nothing");
	refuse(&f, STATUS_USAGE, "--lower-is-better: no metric 'nothing' is measured");
	init(&f, "task-clock");
	f.judge.margins = calloc(1, sizeof(*f.judge.margins));
	f.judge.margins[0] = (struct metric_margin){strdup("nothing"), 0.1};
	f.judge.n_margins = 1;
	refuse(&f, STATUS_USAGE, "--margin: no metric 'nothing' is measured");
	init(&f, "task-clock");
	string_list_append(&f.event.metrics, "task-clock=page-faults*2");
	refuse(&f, STATUS_USAGE, "--metric: there is a metric 'task-clock' already");
	init(&f, "task-clock");
	string_list_append(&f.event.metrics, "x=x*2");
	count(&f);
	assert_int_equal(f.status, STATUS_USAGE);
	release(&f);
	init(&f, "no-such-event");
	count(&f);
	assert_int_equal(f.status, STATUS_USAGE);
	assert_non_null(strstr(f.err, "no-such-event"));
	release(&f);
}

static void test_directions_and_margins(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, "task-clock,page-faults");
	string_list_append(&f.judge.higher, "page-faults");
	f.judge.margins = calloc(1, sizeof(*f.judge.margins));
	f.judge.margins[0] = (struct metric_margin){strdup("page-faults"), 0.1};
	f.judge.n_margins = 1;
	count(&f);
	check(&f);
	assert_int_equal(get(&f, "page-faults")->direction, DIRECTION_HIGHER);
	assert_int_equal(get(&f, "task-clock")->direction, DIRECTION_LOWER);
	assert_true(get(&f, "page-faults")->margin == 0.1);
	assert_true(get(&f, "task-clock")->margin == 0.01);
	release(&f);
	init(&f, "task-clock");
	count(&f);
	assert_true(isnan(get(&f, "task-clock")->margin));
	release(&f);
}

static void test_hidden_operands(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, "page-faults");
	string_list_append(&f.event.metrics,
			   "per-ms[1/ms,higher]='minor-faults' * 1e6 / task-clock");
	count(&f);
	check(&f);
	assert_true(get(&f, "page-faults")->shown);
	assert_false(get(&f, "minor-faults")->shown);
	assert_false(get(&f, "task-clock")->shown);
	const struct metric *m = get(&f, "per-ms");

	assert_string_equal(m->unit, "1/ms");
	assert_int_equal(m->direction, DIRECTION_HIGHER);
	assert_string_equal(m->formula, "'minor-faults' * 1e6 / task-clock");
	assert_string_equal(primary(&f), "page-faults");
	release(&f);
}

/* The user's own metric takes the place of a built-in one of the same name. */
static void test_redefined(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, "task-clock");
	string_list_append(&f.event.metrics, "cpus-utilized=task-clock / duration_time * 100");
	count(&f);
	check(&f);
	assert_string_equal(get(&f, "cpus-utilized")->formula, "task-clock / duration_time * 100");
	assert_null(get(&f, "cpus-utilized")->note);
	release(&f);
}

static void test_asked_for_twice(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, "task-clock,page-faults,task-clock,{page-faults,minor-faults}");
	count(&f);
	check(&f);
	assert_int_equal(f.counting.events.n, 3);
	assert_int_equal(f.counting.groups[0].config.n, 3);
	assert_true(get(&f, "minor-faults")->shown);
	release(&f);
}

/* Only a software event can tell whether the kernel dropped the others. */
static void test_witness(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, "cycles");
	f.judge.primary = "duration_time";
	count(&f);
	check(&f);
	assert_false(get(&f, "task-clock")->shown);
	assert_true(get(&f, "cycles")->shown);
	assert_string_equal(primary(&f), "duration_time");
	release(&f);
	init(&f, "page-faults");
	count(&f);
	check(&f);
	assert_int_equal(metric_find(&f.record.metrics, "task-clock"), -1);
	release(&f);
}

/* Never another metric in its place. */
static void test_primary_not_countable(void **state)
{
	static const char *const names[] = {"cycles", "ipc", "twice"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct fixture f;

		init(&f, NULL);
		f.judge.primary = names[i];
		string_list_append(&f.event.metrics, "twice=cycles * 2");
		count(&f);
		if (f.status) {
			assert_int_equal(f.status, STATUS_CANNOT_MEASURE);
			assert_non_null(strstr(f.err, "the primary metric '"));
			assert_non_null(strstr(f.err, names[i]));
			assert_non_null(strstr(f.err, "cannot be counted here"));
		} else {
			check(&f);
			assert_string_equal(primary(&f), names[i]);
		}
		release(&f);
	}
}

static void test_cpus(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, "cpu-clock,page-faults,duration_time");
	f.event.system_wide = f.event.per_cpu = true;
	f.event.cpu_list = "0";
	count(&f);
	if (f.status != STATUS_CANNOT_MEASURE) {
		check(&f);
		assert_int_equal(f.counting.n_cpus, 1);
		assert_int_equal(get(&f, "CPU0/page-faults")->cpu, 0);
		assert_int_equal(f.counting.groups[0]
				     .slot_of[metric_find(&f.record.metrics, "CPU0/page-faults")],
				 1);
		assert_int_equal(get(&f, "duration_time")->cpu, -1);
	}
	release(&f);
	init(&f, "cpu-clock");
	f.event.system_wide = true;
	f.event.cpu_list = "0,x";
	refuse(&f, STATUS_USAGE, "'0,x' is not a list of CPUs: write 0-3,8");
	init(&f, "cpu-clock");
	f.event.system_wide = true;
	f.event.cpu_list = "99999";
	count(&f);
	assert_int_equal(f.status, STATUS_USAGE);
	assert_non_null(strstr(f.err, "there is no CPU 99999: this machine has CPUs 0-"));
	release(&f);
}

/* Of a scope what every CPU has, beside the scope's own; no more of them than a record holds. */
static void test_cpus_of_scopes(void **state)
{
	static const char *const of_cpu[] = {"f/CPU11/calls", "f/CPU11/task-clock",
					     "f/CPU11/task-clock.total", "f/CPU11/duration_time",
					     "f/CPU11/duration_time.total"};
	static const enum scope_part parts[] = {PART_CALLS, PART_MEAN, PART_TOTAL, PART_MEAN,
						PART_TOTAL};
	struct scope_spec spec = {.name = (char[]){"f"}};
	int cpus[2000];
	struct scopes scopes = {.specs = &spec, .n = 1};
	struct fixture f;
	size_t without;

	(void)state;
	for (int i = 0; i < 2000; i++)
		cpus[i] = 3 + 2 * i;
	init(&f, "task-clock");
	f.scopes = &scopes;
	count(&f);
	assert_int_equal(f.status, 0);
	without = f.record.metrics.n;
	release(&f);

	scopes.cpus = cpus;
	scopes.n_cpus = 6;
	init(&f, "task-clock");
	f.event.per_cpu = true;
	f.scopes = &scopes;
	assert_int_equal(string_list_append(&f.event.metrics, "x=f/CPU11/page-faults.total"), 0);
	count(&f);
	assert_int_equal(f.status, 0);
	for (size_t i = 0; i < sizeof(of_cpu) / sizeof(of_cpu[0]); i++) {
		const struct metric *m = get(&f, of_cpu[i]);

		assert_int_equal(m->cpu, 11);
		assert_string_equal(m->scope, "f");
		assert_true(m->probed);
		assert_int_equal(m->part, parts[i]);
	}
	assert_int_equal(get(&f, "f/calls")->cpu, -1);
	assert_int_equal(get(&f, "f/task-clock.total")->cpu, -1);
	assert_int_equal(metric_find(&f.record.metrics, "rest/CPU11/task-clock.total"), -1);
	/* An event that only an expression needs is not shown of the CPUs either. */
	assert_false(get(&f, "f/CPU11/page-faults.total")->shown);
	assert_true(get(&f, "f/CPU11/task-clock.total")->shown);
	release(&f);

	scopes.n_cpus = 2000;
	init(&f, "task-clock");
	f.event.per_cpu = true;
	f.scopes = &scopes;
	count(&f);
	assert_int_equal(f.status, STATUS_USAGE);
	assert_int_equal(f.record.metrics.n, without + 2000 * 5);
	assert_non_null(strstr(f.err, "metrics are more than a record holds (10000)"));
	assert_non_null(strstr(f.err, "let runs use fewer CPUs (--cpus), or leave out -A"));
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_default_list),
	    cmocka_unit_test(test_null),
	    cmocka_unit_test(test_detail),
	    cmocka_unit_test(test_first_event_is_primary),
	    cmocka_unit_test(test_primary_is_added),
	    cmocka_unit_test(test_wrong_names),
	    cmocka_unit_test(test_directions_and_margins),
	    cmocka_unit_test(test_hidden_operands),
	    cmocka_unit_test(test_redefined),
	    cmocka_unit_test(test_asked_for_twice),
	    cmocka_unit_test(test_witness),
	    cmocka_unit_test(test_primary_not_countable),
	    cmocka_unit_test(test_cpus),
	    cmocka_unit_test(test_cpus_of_scopes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
