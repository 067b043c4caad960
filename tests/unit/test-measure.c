/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measuring end to end: real runs, from variants to a record, with every way in which it can end.
 */
#include <errno.h>
#include <math.h>
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

#include "analyse.h"
#include "command.h"
#include "measure.h"
#include "plan.h"

struct fixture {
	struct event_options event;
	struct plan_options plan;
	struct run_options run;
	struct judge_options judge;
	struct variant_list variants;
	struct record record;
	struct counting counting;
	struct stopper *stopper;
	struct measure_config config;
	char dir[64];
	char err[3000];
	/* What the callbacks saw. */
	size_t kept, planned, kept_at_plan, interrupt_after;
	bool keep_fails;
};

static int keep(void *context, const struct record *record, size_t run, char *err, size_t err_size)
{
	struct fixture *f = context;

	assert_int_equal(run, f->kept);
	assert_int_equal(record->n_runs, f->kept + 1);
	f->kept++;
	if (f->interrupt_after && f->kept == f->interrupt_after)
		kill(getpid(), SIGTERM);
	if (!f->keep_fails)
		return 0;
	snprintf(err, err_size, "the disk is full");
	return -ENOSPC;
}

static int planned(void *context, const struct record *record, char *err, size_t err_size)
{
	struct fixture *f = context;

	(void)err;
	(void)err_size;
	f->planned++;
	f->kept_at_plan = record->n_runs;
	return 0;
}

/* TEXTS (NULL-terminated) are run by the shell, in a directory of their own. */
static void init(struct fixture *f, const char *const *texts)
{
	struct variant_spec spec = {.commands = texts, .shell = true};

	memset(f, 0, sizeof(*f));
	event_options_init(&f->event);
	plan_options_init(&f->plan);
	run_options_init(&f->run);
	judge_options_init(&f->judge);
	record_init(&f->record);
	f->event.null_run = true;
	snprintf(f->dir, sizeof(f->dir), "/tmp/abstat-measure-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	f->run.config.cwd = f->dir;
	while (texts[spec.n_commands])
		spec.n_commands++;
	if (variant_list_build(&f->variants, &spec, f->err, sizeof(f->err)))
		fail_msg("%s", f->err);
	for (size_t i = 0; i < f->variants.n; i++)
		assert_non_null(record_add_variant(&f->record, f->variants.v[i].name,
						   f->variants.v[i].command));
	f->record.plan.interleaved = true;
	f->record.plan.seed = 12;
}

static int run(struct fixture *f)
{
	bool compare = f->variants.n > 1;

	f->record.plan.warmup = f->plan.warmup;
	if (counting_init(&f->counting, &f->event, &f->judge, NULL, &f->record, f->err, sizeof(f->err)))
		fail_msg("%s", f->err);
	f->stopper =
	    compare ? stopper_by_evidence_new(&f->plan, &f->judge) : stopper_by_runs_new(&f->plan);
	f->config = (struct measure_config){
	    .record = &f->record,
	    .counting = &f->counting,
	    .variants = &f->variants,
	    .run = &f->run,
	    .max_time_ns = f->plan.max_time_ns,
	    .stopper = f->stopper,
	    .context = f,
	    .keep = f->config.keep,
	    .planned = planned,
	};
	*f->err = '\0';
	int status = measure(&f->config, f->err, sizeof(f->err));

	stopper_free(f->stopper);
	return status;
}

static void release(struct fixture *f)
{
	char command[200];

	counting_release(&f->counting);
	record_release(&f->record);
	variant_list_release(&f->variants);
	event_options_release(&f->event);
	run_options_release(&f->run);
	judge_options_release(&f->judge);
	snprintf(command, sizeof(command), "rm -rf '%s'", f->dir);
	assert_int_equal(system(command), 0);
}

/* The lines that commands and hooks wrote to the file "log", joined by blanks. */
static const char *log_of(const struct fixture *f)
{
	static char text[4000];
	char path[200];
	size_t n;

	snprintf(path, sizeof(path), "%s/log", f->dir);
	FILE *file = fopen(path, "re");

	if (!file)
		return "";
	n = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[n ? n - 1 : 0] = '\0';
	for (char *p = text; *p; p++)
		if (*p == '\n')
			*p = ' ';
	return text;
}

/* Every block is whole, in the order that the plan draws, with each run at its place. */
static void check_blocks(const struct fixture *f, uint32_t warmup, uint32_t measured)
{
	const struct record *r = &f->record;
	size_t n = f->variants.n;

	assert_int_equal(r->plan.blocks, measured);
	assert_int_equal(r->plan.first_block, warmup);
	assert_int_equal(r->n_runs, (warmup + measured) * n);
	for (size_t i = 0; i < r->n_runs; i++) {
		const struct record_run *run = &r->runs[i];
		uint16_t order[16];

		plan_order(r->plan.seed, (uint32_t)(i / n), order, n);
		assert_int_equal(run->block, i / n);
		assert_int_equal(run->position, i % n);
		assert_int_equal(run->variant, order[i % n]);
		assert_int_equal(run->warmup, i / n < warmup);
		assert_true(i == 0 || run->start_ns >= r->runs[i - 1].start_ns);
	}
}

static const char *const quick2[] = {"true", ":", NULL};
static const char *const quick3[] = {"true", ":", "exit 0", NULL};

static void test_exact_number(void **state)
{
	struct fixture f;

	(void)state;
	for (int kept = 0; kept < 2; kept++) {
		init(&f, quick3);
		f.plan.runs = 37;
		f.plan.warmup = 2;
		f.config.keep = kept ? keep : NULL;
		assert_int_equal(run(&f), 0);
		check_blocks(&f, 2, 37);
		assert_int_equal(f.record.plan.stopped, STOPPED_BLOCKS);
		assert_int_equal(f.planned, 1);
		assert_int_equal(f.kept_at_plan, 6);
		assert_int_equal(f.kept, kept ? 39 * 3 : 0);
		assert_string_equal(f.err, "");
		release(&f);
	}
}

static void test_no_warmup(void **state)
{
	static const char *const one[] = {"true", NULL};
	struct fixture f;

	(void)state;
	init(&f, one);
	f.plan.runs = 1;
	f.plan.warmup = 0;
	assert_int_equal(run(&f), 0);
	check_blocks(&f, 0, 1);
	release(&f);
}

/* Batches of many short blocks come to the planned looks exactly, and stop at the first that
 * decides. */
static void test_stops_at_a_look(void **state)
{
	static const char *const texts[] = {"true", "sleep 0.03", NULL};
	struct report report;
	struct fixture f;

	(void)state;
	init(&f, texts);
	f.plan.max_runs = 50;
	assert_int_equal(run(&f), 0);
	assert_int_equal(f.record.plan.stopped, STOPPED_VERDICT);
	check_blocks(&f, 1, 10);
	assert_int_equal(
	    analyse_record(&report, &f.record, &f.judge, true, ANALYSE_ALL, f.err, sizeof(f.err)),
	    0);
	assert_int_equal(report.comparisons[0].verdict, VERDICT_WORSE);
	assert_true(fabs(report.comparisons[0].changes[0].alpha - .00447) < 6e-6);
	report_release(&report);
	release(&f);
}

static void test_max_time(void **state)
{
	static const char *const texts[] = {"sleep 0.02", "sleep 0.02;", NULL};
	struct fixture f;

	(void)state;
	init(&f, texts);
	f.plan.max_runs = 1000;
	f.judge.margin = 0.000001;
	f.plan.max_time_ns = 300000000;
	assert_int_equal(run(&f), 0);
	assert_int_equal(f.record.plan.stopped, STOPPED_TIME);
	assert_in_range(f.record.plan.blocks, 1, 8);
	check_blocks(&f, 1, f.record.plan.blocks);
	release(&f);
}

static void test_failure(void **state)
{
	/* The fourth run of the second command fails: that is the third measured one. */
	static const char *const texts[] = {
	    "true", "echo x >> n; test $(wc -l < n) -ne 4 || { echo broken >&2; exit 3; }", NULL};
	struct fixture f;

	(void)state;
	init(&f, texts);
	f.plan.runs = 20;
	assert_int_equal(run(&f), STATUS_NO_VERDICT);
	assert_int_equal(f.record.plan.stopped, STOPPED_FAILED);
	assert_int_equal(f.record.plan.blocks, 2);
	assert_non_null(strstr(f.err, "exited with status 3"));
	assert_non_null(strstr(f.err, "run 3"));
	assert_non_null(strstr(f.err, "broken"));
	assert_int_equal(f.record.runs[f.record.n_runs - 1].outcome, RUN_EXIT);
	assert_int_equal(f.record.runs[f.record.n_runs - 1].status, 3);
	release(&f);
}

static void test_failure_in_warmup(void **state)
{
	static const char *const texts[] = {"true", "exit 7", NULL};
	struct fixture f;

	(void)state;
	init(&f, texts);
	f.plan.runs = 20;
	assert_int_equal(run(&f), STATUS_NO_VERDICT);
	assert_int_equal(f.planned, 0);
	assert_int_equal(f.record.plan.blocks, 0);
	assert_non_null(strstr(f.err, "exited with status 7"));
	assert_non_null(strstr(f.err, "warm-up"));
	release(&f);
}

static void test_ignored_failures(void **state)
{
	/* Every second run of the second command fails. */
	static const char *const texts[] = {"true", "echo x >> n; test $(($(wc -l < n) % 2)) -eq 0",
					    NULL};
	static const char *const never[] = {"true", "false", NULL};
	struct report report;
	struct fixture f;

	(void)state;
	init(&f, texts);
	f.plan.runs = 16;
	f.run.ignore_failure = true;
	assert_int_equal(run(&f), 0);
	check_blocks(&f, 1, 16);
	assert_int_equal(
	    analyse_record(&report, &f.record, &f.judge, true, ANALYSE_ALL, f.err, sizeof(f.err)),
	    0);
	assert_int_equal(report.variants[1].failed, 8);
	assert_int_equal(report.variants[0].cells[0].n, 8);
	assert_int_equal(report.comparisons[0].changes[0].n, 8);
	report_release(&report);
	release(&f);
	init(&f, never);
	f.plan.max_runs = 20;
	f.run.ignore_failure = true;
	assert_int_equal(run(&f), STATUS_NO_VERDICT);
	check_blocks(&f, 1, 20);
	assert_non_null(strstr(f.err, "in every block a run failed"));
	assert_non_null(strstr(f.err, "exited with status 1"));
	release(&f);
}

static void test_not_started(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, quick2);
	free(f.variants.v[1].argv[0]);
	f.variants.v[1].argv[0] = strdup("/nonexistent/command");
	f.plan.runs = 5;
	assert_int_equal(run(&f), STATUS_CANNOT_MEASURE);
	assert_non_null(strstr(f.err, "/nonexistent/command"));
	assert_int_equal(f.record.plan.blocks, 0);
	release(&f);
}

static void set_hooks(struct fixture *f, size_t variant, const char *setup, const char *prepare,
		      const char *conclude, const char *cleanup)
{
	f->variants.v[variant].hooks = (struct hooks){
	    .setup = setup ? strdup(setup) : NULL,
	    .prepare = prepare ? strdup(prepare) : NULL,
	    .conclude = conclude ? strdup(conclude) : NULL,
	    .cleanup = cleanup ? strdup(cleanup) : NULL,
	};
}

static void test_hooks(void **state)
{
	static const char *const one[] = {"echo run >> log", NULL};
	struct fixture f;

	(void)state;
	init(&f, one);
	set_hooks(&f, 0, "echo setup >> log", "echo prepare >> log", "echo conclude >> log",
		  "echo cleanup >> log");
	f.plan.runs = 2;
	assert_int_equal(run(&f), 0);
	assert_string_equal(log_of(&f),
			    "setup prepare run conclude prepare run conclude prepare run conclude "
			    "cleanup");
	release(&f);
}

/* The seed of a block is the same for its hooks and all of its runs. */
static void test_block_seed(void **state)
{
	static const char *const texts[] = {"echo {block} >> log", "echo {block}  >> log", NULL};
	char expected[200];
	struct fixture f;

	(void)state;
	init(&f, texts);
	set_hooks(&f, 0, NULL, "echo {block} >> log", NULL, NULL);
	f.plan.runs = 1;
	f.plan.warmup = 0;
	assert_int_equal(run(&f), 0);
	unsigned long seed = plan_block_seed(12, 0);

	snprintf(expected, sizeof(expected), "%lu %lu %lu", seed, seed, seed);
	assert_string_equal(log_of(&f), expected);
	release(&f);
}

static void test_failing_hooks(void **state)
{
	static const struct {
		const char *setup, *prepare, *conclude, *cleanup;
		const char *message, *log;
	} cases[] = {
	    {"exit 3", NULL, NULL, NULL, "the --setup hook of 'true' (exit 3) exited with status 3",
	     "c2"},
	    {NULL, "exit 4", NULL, NULL,
	     "the --prepare hook of 'true' (exit 4) exited with status 4", "s2 c2"},
	    {NULL, NULL, "exit 5", NULL,
	     "the --conclude hook of 'true' (exit 5) exited with status 5", "s2 c2"},
	    {NULL, NULL, NULL, "exit 6",
	     "the --cleanup hook of 'true' (exit 6) exited with status 6", "s2 c2"},
	    /* The first failure is the one that is told. */
	    {NULL, "exit 4", NULL, "exit 6",
	     "the --prepare hook of 'true' (exit 4) exited with status 4", "s2 c2"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;

		init(&f, quick2);
		set_hooks(&f, 0, cases[i].setup, cases[i].prepare, cases[i].conclude,
			  cases[i].cleanup);
		set_hooks(&f, 1, "echo s2 >> log", NULL, NULL, "echo c2 >> log");
		f.plan.runs = 3;
		assert_int_equal(run(&f), STATUS_NO_VERDICT);
		assert_string_equal(f.err, cases[i].message);
		assert_string_equal(log_of(&f), cases[i].log);
		release(&f);
	}
}

/* What was measured before an interrupt is there, and every variant is cleaned up. */
static void test_interrupted(void **state)
{
	struct report report;
	struct fixture f;

	(void)state;
	init(&f, quick2);
	set_hooks(&f, 0, NULL, NULL, NULL, "echo c1 >> log");
	set_hooks(&f, 1, NULL, NULL, NULL, "echo c2 >> log");
	f.plan.max_runs = 1000;
	f.config.keep = keep;
	f.interrupt_after = 2 + 2 * 8;
	assert_int_equal(run(&f), STATUS_INTERRUPTED);
	assert_int_equal(f.record.plan.stopped, STOPPED_INTERRUPT);
	assert_string_equal(f.err, "interrupted by SIGTERM");
	assert_int_equal(f.record.plan.blocks, 8);
	assert_int_equal(f.kept, f.interrupt_after);
	assert_string_equal(log_of(&f), "c1 c2");
	assert_int_equal(
	    analyse_record(&report, &f.record, &f.judge, true, ANALYSE_ALL, f.err, sizeof(f.err)),
	    0);
	assert_int_equal(report.comparisons[0].verdict, VERDICT_UNCLEAR);
	assert_int_equal(report.comparisons[0].changes[0].n, 8);
	report_release(&report);
	release(&f);
}

static void test_cannot_keep(void **state)
{
	struct fixture f;

	(void)state;
	init(&f, quick2);
	f.plan.runs = 10;
	f.config.keep = keep;
	f.keep_fails = true;
	assert_int_equal(run(&f), STATUS_CANNOT_MEASURE);
	assert_string_equal(f.err, "the disk is full");
	assert_int_equal(f.kept, 1);
	release(&f);
}

/* Software events of every run, through a spawner. */
static void test_counters(void **state)
{
	static const char *const one[] = {"true", NULL};
	struct fixture f;

	(void)state;
	init(&f, one);
	f.event.null_run = false;
	string_list_append(&f.event.events, "page-faults,task-clock");
	f.plan.runs = 20;
	assert_int_equal(run(&f), 0);
	for (size_t i = 0; i < f.record.n_runs; i++) {
		const struct reading *faults = record_reading(&f.record, i, 0);

		assert_int_equal(faults->reason, NULL_NONE);
		assert_in_range((uintmax_t)faults->value, 20, 2000);
		assert_true(record_reading(&f.record, i, 1)->value > 10000);
	}
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_exact_number),
	    cmocka_unit_test(test_no_warmup),
	    cmocka_unit_test(test_stops_at_a_look),
	    cmocka_unit_test(test_max_time),
	    cmocka_unit_test(test_failure),
	    cmocka_unit_test(test_failure_in_warmup),
	    cmocka_unit_test(test_ignored_failures),
	    cmocka_unit_test(test_not_started),
	    cmocka_unit_test(test_hooks),
	    cmocka_unit_test(test_block_seed),
	    cmocka_unit_test(test_failing_hooks),
	    cmocka_unit_test(test_interrupted),
	    cmocka_unit_test(test_cannot_keep),
	    cmocka_unit_test(test_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
