/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The open-once engine, with the software events that every kernel has: this program spawns itself
 * as its own workload.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <spawn.h>
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

/* As in counter-workload.c. */
#define PAGES 300
#define THREADS 5

static struct event software_event(uint64_t config, char *name)
{
	return (struct event){
	    .asked = name,
	    .name = name,
	    .scale = 1,
	    .attr = {.type = PERF_TYPE_SOFTWARE, .config = config},
	    .group = -1,
	    .software = true,
	    .pmu = (char *)"software",
	};
}

enum { TASK_CLOCK, PAGE_FAULTS, SWITCHES, MIGRATIONS, MINOR, CPU_CLOCK, EVENTS };

struct fixture {
	struct event events[EVENTS];
	const struct event *pointers[EVENTS];
	struct counter_config config;
	int errors[EVENTS * 8];
	struct counter_value before[EVENTS * 8], after[EVENTS * 8];
	char err[256];
	struct counter_set *set;
};

static void fixture_init(struct fixture *f)
{
	*f = (struct fixture){0};
	f->events[TASK_CLOCK] = software_event(PERF_COUNT_SW_TASK_CLOCK, (char *)"task-clock");
	f->events[PAGE_FAULTS] = software_event(PERF_COUNT_SW_PAGE_FAULTS, (char *)"page-faults");
	f->events[SWITCHES] =
	    software_event(PERF_COUNT_SW_CONTEXT_SWITCHES, (char *)"context-switches");
	f->events[MIGRATIONS] = software_event(PERF_COUNT_SW_CPU_MIGRATIONS, (char *)"migrations");
	f->events[MINOR] = software_event(PERF_COUNT_SW_PAGE_FAULTS_MIN, (char *)"minor-faults");
	f->events[CPU_CLOCK] = software_event(PERF_COUNT_SW_CPU_CLOCK, (char *)"cpu-clock");
	for (size_t i = 0; i < EVENTS; i++)
		f->pointers[i] = &f->events[i];
	f->config = (struct counter_config){.events = f->pointers, .n = EVENTS};
}

static void fixture_open(struct fixture *f)
{
	assert_int_equal(counter_set_open(&f->set, &f->config, f->errors, f->err, sizeof(f->err)),
			 0);
	for (size_t i = 0; i < counter_slots(&f->config); i++)
		assert_int_equal(f->errors[i], 0);
}

static void run(char *const argv[])
{
	int status;
	pid_t pid;

	assert_int_equal(posix_spawn(&pid, argv[0], NULL, NULL, argv, environ), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* Runs one WORKLOAD; the difference of the counts is left in f->after. */
static void measure(struct fixture *f, const char *workload)
{
	char *argv[] = {(char *)WORKLOAD, (char *)workload, NULL};

	assert_int_equal(counter_set_read(f->set, f->before), 0);
	run(argv);
	assert_int_equal(counter_set_read(f->set, f->after), 0);
	for (size_t i = 0; i < counter_slots(&f->config); i++) {
		f->after[i].value -= f->before[i].value;
		f->after[i].enabled -= f->before[i].enabled;
		f->after[i].running -= f->before[i].running;
	}
}

static void check_running(const struct fixture *f)
{
	for (size_t i = 0; i < f->config.n; i++) {
		assert_int_not_equal(f->after[i].enabled, 0);
		assert_int_equal(f->after[i].running, f->after[i].enabled);
	}
}

static void test_counts_are_those_of_the_run(void **state)
{
	struct fixture f;
	uint64_t nothing, pages;

	(void)state;
	fixture_init(&f);
	fixture_open(&f);
	measure(&f, "nothing");
	check_running(&f);
	nothing = f.after[PAGE_FAULTS].value;
	measure(&f, "pages");
	check_running(&f);
	pages = f.after[PAGE_FAULTS].value;
	assert_in_range(pages, nothing + PAGES - 20, nothing + PAGES + 20);
	assert_true(f.after[MINOR].value <= pages);
	measure(&f, "spin");
	assert_in_range(f.after[TASK_CLOCK].value, 29000000, 60000000);
	measure(&f, "sleep");
	assert_true(f.after[SWITCHES].value >= 3);
	counter_set_free(f.set);
}

static void test_threads_children_and_exec_chains_count_once(void **state)
{
	static const struct {
		const char *workload;
		unsigned times;
	} cases[] = {{"threads", THREADS}, {"children", THREADS}, {"chain", 2}};
	struct fixture f;

	(void)state;
	fixture_init(&f);
	fixture_open(&f);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t expected = cases[i].times * PAGES;

		measure(&f, cases[i].workload);
		check_running(&f);
		assert_in_range(f.after[PAGE_FAULTS].value, expected, expected + PAGES - 1);
	}
	counter_set_free(f.set);
}

/* Without companions every count is 0 from the third run on that switches contexts. */
static void test_no_run_of_many_reads_zero(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	fixture_open(&f);
	for (int i = 0; i < 600; i++) {
		measure(&f, "sleep");
		check_running(&f);
		assert_true(f.after[SWITCHES].value >= 3);
		assert_true(f.after[PAGE_FAULTS].value > 10);
		assert_true(f.after[TASK_CLOCK].value > 10000);
	}
	counter_set_free(f.set);
}

static void test_what_the_parent_does_is_not_counted(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	fixture_open(&f);
	measure(&f, "sleep");
	assert_int_equal(counter_set_read(f.set, f.before), 0);
	for (int i = 0; i < 3; i++) {
		struct timespec moment = {.tv_nsec = 500000};

		nanosleep(&moment, NULL);
		free(malloc((size_t)1 << 20));
	}
	assert_int_equal(counter_set_read(f.set, f.after), 0);
	assert_memory_equal(f.before, f.after, EVENTS * sizeof(f.before[0]));
	counter_set_free(f.set);
}

static void test_groups_count_as_their_members(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	f.events[PAGE_FAULTS].group = f.events[SWITCHES].group = f.events[MIGRATIONS].group = 0;
	f.events[MINOR].group = f.events[CPU_CLOCK].group = 1;
	f.config.pinned = true;
	fixture_open(&f);
	for (int i = 0; i < 20; i++) {
		measure(&f, "threads");
		check_running(&f);
		assert_in_range(f.after[PAGE_FAULTS].value, THREADS * PAGES, (THREADS + 1) * PAGES);
		assert_true(f.after[MINOR].value + 50 > f.after[PAGE_FAULTS].value);
	}
	counter_set_free(f.set);
}

static void test_an_event_that_cannot_be_opened_is_its_slots_error(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	f.events[SWITCHES].attr.config = 9999;
	assert_int_equal(counter_set_open(&f.set, &f.config, f.errors, f.err, sizeof(f.err)), 0);
	for (size_t i = 0; i < EVENTS; i++)
		assert_int_equal(f.errors[i] != 0, i == SWITCHES);
	measure(&f, "pages");
	assert_int_equal(f.after[SWITCHES].value, 0);
	assert_int_equal(f.after[SWITCHES].enabled, 0);
	assert_true(f.after[PAGE_FAULTS].value > PAGES);
	counter_set_free(f.set);
}

static unsigned open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void test_no_descriptor_is_left_or_inherited(void **state)
{
	unsigned before = open_files();
	char *argv[] = {(char *)"/bin/sh", (char *)"-c",
			(char *)"for f in /proc/self/fd/*; do case $(readlink $f) in "
				"*perf_event*) exit 1;; esac; done",
			NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f);
	fixture_open(&f);
	assert_true(open_files() > before);
	run(argv);
	counter_set_free(f.set);
	assert_int_equal(open_files(), before);
}

static void test_too_few_descriptors_is_an_error_that_says_so(void **state)
{
	unsigned before = open_files();
	struct rlimit old, few;
	struct fixture f;
	int lowest = dup(STDIN_FILENO), e;

	(void)state;
	assert_true(lowest >= 0);
	close(lowest);
	fixture_init(&f);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	few.rlim_cur = (rlim_t)lowest + 3;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	e = counter_set_open(&f.set, &f.config, f.errors, f.err, sizeof(f.err));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(e, -EMFILE);
	assert_null(f.set);
	assert_non_null(strstr(f.err, "ulimit -n"));
	assert_int_equal(open_files(), before);
}

static bool may_count_system_wide(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level = 2;

	if (file) {
		if (fscanf(file, "%d", &level) != 1)
			level = 2;
		fclose(file);
	}
	return geteuid() == 0 || level <= 0;
}

static void test_system_wide_counts_between_start_and_stop(void **state)
{
	const int cpu = sched_getcpu();
	struct timespec wait = {.tv_nsec = 30000000};
	struct fixture f;

	(void)state;
	if (!may_count_system_wide())
		skip();
	for (int per_cpu = 0; per_cpu < 2; per_cpu++) {
		fixture_init(&f);
		f.config.system_wide = true;
		f.config.cpus = &cpu;
		f.config.n_cpus = 1;
		f.config.per_cpu = per_cpu;
		f.events[SWITCHES].group = f.events[MIGRATIONS].group = 0;
		fixture_open(&f);
		assert_int_equal(counter_set_read(f.set, f.before), 0);
		assert_int_equal(counter_set_enable(f.set), 0);
		nanosleep(&wait, NULL);
		assert_int_equal(counter_set_disable(f.set), 0);
		assert_int_equal(counter_set_read(f.set, f.after), 0);
		/* On a CPU the clock is the time that passed. */
		assert_in_range(f.after[CPU_CLOCK].value - f.before[CPU_CLOCK].value, 29000000,
				300000000);
		for (size_t i = 0; i < EVENTS; i++)
			assert_true(f.after[i].enabled - f.before[i].enabled >= 29000000);
		nanosleep(&wait, NULL);
		assert_int_equal(counter_set_read(f.set, f.before), 0);
		assert_memory_equal(f.before, f.after, EVENTS * sizeof(f.before[0]));
		counter_set_free(f.set);
	}
}

static void test_slots_are_event_major(void **state)
{
	struct event with_mask;
	int *mask = (int[]){-1};
	struct fixture f;
	int cpu = sched_getcpu();

	(void)state;
	if (!may_count_system_wide())
		skip();
	fixture_init(&f);
	with_mask = f.events[0];
	with_mask.cpus = mask;
	with_mask.n_cpus = 1;
	f.pointers[1] = &with_mask;
	f.config.n = 2;
	f.config.system_wide = f.config.per_cpu = true;
	f.config.cpus = &cpu;
	f.config.n_cpus = 1;
	assert_int_equal(counter_slots(&f.config), 2);
	assert_int_equal(counter_set_open(&f.set, &f.config, f.errors, f.err, sizeof(f.err)), 0);
	assert_int_equal(f.errors[0], 0);
	assert_int_equal(f.errors[1], ENODEV);
	counter_set_free(f.set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_counts_are_those_of_the_run),
	    cmocka_unit_test(test_threads_children_and_exec_chains_count_once),
	    cmocka_unit_test(test_no_run_of_many_reads_zero),
	    cmocka_unit_test(test_what_the_parent_does_is_not_counted),
	    cmocka_unit_test(test_groups_count_as_their_members),
	    cmocka_unit_test(test_an_event_that_cannot_be_opened_is_its_slots_error),
	    cmocka_unit_test(test_no_descriptor_is_left_or_inherited),
	    cmocka_unit_test(test_too_few_descriptors_is_an_error_that_says_so),
	    cmocka_unit_test(test_system_wide_counts_between_start_and_stop),
	    cmocka_unit_test(test_slots_are_event_major),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
