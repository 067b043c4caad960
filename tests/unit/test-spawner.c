/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs as the commands see them: outcomes, streams, environment, and batches.
 */
#include <errno.h>
#include <fcntl.h>
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

struct bad_program {
	const char *text;
	int error;
	const char *message;
};

static void write_file(const char *path, const char *contents, mode_t mode)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(contents, file);
	fclose(file);
	chmod(path, mode);
}

static void not_started(void **state)
{
	static const struct bad_program cases[] = {
	    {"no-such-program-here x", ENOENT, "command not found: 'no-such-program-here'"},
	    {"cd /tmp", ENOENT, "command not found: 'cd' (a word of the shell: use --shell)"},
	    {"./no/such/file", ENOENT, "no such file: './no/such/file'"},
	    {"/etc", EACCES, "'/etc' is a directory"},
	    {"./test-plain-text", ENOEXEC,
	     "'./test-plain-text' is neither a program nor a script that begins with #!: name its "
	     "interpreter"},
	    {"./test-bad-interpreter", ENOENT,
	     "the interpreter of './test-bad-interpreter' does not exist: '/no/such/sh'"},
	    {"./test-dos-script", ENOENT,
	     "the interpreter of './test-dos-script' does not exist: '/bin/sh' (the file has DOS "
	     "line "
	     "ends)"},
	    {"./test-not-executable", EACCES,
	     "'./test-not-executable' may not be executed: is it chmod +x, and the file system not "
	     "noexec?"},
	    {"./test-empty", ENOEXEC, "'./test-empty' is empty"},
	};

	(void)state;
	write_file("test-plain-text", "exit 0\n", 0755);
	write_file("test-bad-interpreter", "#!/no/such/sh -x\n", 0755);
	write_file("test-dos-script", "#!/bin/sh\r\nexit 0\r\n", 0755);
	write_file("test-not-executable", "#!/bin/sh\n", 0644);
	write_file("test-empty", "", 0755);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;
		char text[512];

		fixture_once(&f, cases[i].text);
		assert_int_equal(f.ran.result.outcome, RUN_NOT_STARTED);
		assert_int_equal(f.ran.result.error, cases[i].error);
		assert_int_equal(f.ran.result.duration_ns, 0);
		run_failure_text(&f.ran.result, &f.list.v[0], &f.config, text, sizeof(text));
		assert_string_equal(text, cases[i].message);
		fixture_release(&f);
	}
	unlink("test-plain-text");
	unlink("test-bad-interpreter");
	unlink("test-dos-script");
	unlink("test-not-executable");
	unlink("test-empty");
}

/* A program that comes into being after the first failure is found. */
static void found_later(void **state)
{
	static const char *const texts[] = {"./test-comes-later", NULL};
	struct fixture f;

	(void)state;
	unlink("test-comes-later");
	fixture_init(&f, texts);
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_NOT_STARTED);
	write_file("test-comes-later", "#!/bin/sh\nexit 0\n", 0755);
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	unlink("test-comes-later");
	fixture_release(&f);
}

/* PATH is the run's own; its directories may be relative to the run's. */
static void looked_up(void **state)
{
	static const char *const texts[] = {"PATH=/nowhere:test-bin act exit 0", "act exit 0",
					    "PATH=/etc:/tmp passwd", NULL};
	struct fixture f;
	char cwd[4096];

	(void)state;
	assert_non_null(getcwd(cwd, sizeof(cwd)));
	mkdir("test-bin", 0755);
	unlink("test-bin/act");
	assert_int_equal(symlink(ACT_PATH, "test-bin/act"), 0);
	for (int i = 0; i < 2; i++) {
		fixture_init(&f, texts);
		f.config.cwd = i ? cwd : NULL;
		assert_int_equal(fixture_run(&f, 0), 0);
		assert_int_equal(f.ran.result.outcome, RUN_OK);
		assert_int_equal(fixture_run(&f, 1), 0);
		assert_int_equal(f.ran.result.outcome, RUN_NOT_STARTED);
		assert_int_equal(f.ran.result.error, ENOENT);
		/* It is there, but no program. */
		assert_int_equal(fixture_run(&f, 2), 0);
		assert_int_equal(f.ran.result.outcome, RUN_NOT_STARTED);
		assert_int_equal(f.ran.result.error, EACCES);
		fixture_release(&f);
	}
	unlink("test-bin/act");
	rmdir("test-bin");
}

/*
 * Three descriptors, no blocked and no ignored signal, whatever abstat itself has; its own group.
 */
static void clean_state(void **state)
{
	static const char *const texts[] = {"{ACT} state", NULL};
	sigset_t blocked, old;
	char expected[2048] = "fds 0 1 2";
	struct fixture f;

	(void)state;
	/* What the caller left open for its children is theirs. */
	for (int fd = 3; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) == 0)
			snprintf(expected + strlen(expected), 8, " %d", fd);
	snprintf(expected + strlen(expected), 64, "\nblocked\nignored\nleader 1\n");
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	sigprocmask(SIG_BLOCK, &blocked, &old);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	fixture_init(&f, texts);
	f.config.keep_output = true;
	assert_int_equal(fixture_run(&f, 0), 0);
	signal(SIGHUP, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &old, NULL);
	assert_string_equal(f.ran.out, expected);
	fixture_release(&f);
}

static bool has_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (const char *p = text; (p = strstr(p, line)); p++)
		if ((p == text || p[-1] == '\n') && p[len] == '\n')
			return true;
	return false;
}

static void environment(void **state)
{
	static const char *const texts[] = {"TEST_B=variant TEST_C='a b' {ACT} environment", NULL};
	static const char *const changes[] = {"TEST_A=option", "TEST_B=option", "TEST_GONE", NULL};
	struct fixture f;

	(void)state;
	setenv("TEST_GONE", "here", 1);
	setenv("TEST_KEPT", "kept", 1);
	fixture_init(&f, texts);
	f.config.env = changes;
	f.config.keep_output = true;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_true(has_line(f.ran.out, "TEST_A=option"));
	assert_true(has_line(f.ran.out, "TEST_B=variant"));
	assert_true(has_line(f.ran.out, "TEST_C=a b"));
	assert_true(has_line(f.ran.out, "TEST_KEPT=kept"));
	assert_null(strstr(f.ran.out, "TEST_GONE"));
	assert_null(strstr(f.ran.out, "TEST_B=option"));
	fixture_release(&f);
}

static void directory(void **state)
{
	static const char *const texts[] = {"{ACT} directory", NULL};
	struct fixture f;
	char text[256];

	(void)state;
	fixture_init(&f, texts);
	f.config.cwd = "/usr";
	f.config.keep_output = true;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_string_equal(f.ran.out, "/usr\n");
	fixture_release(&f);
	fixture_init(&f, texts);
	f.config.cwd = "/no/such/directory";
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_NOT_STARTED);
	run_failure_text(&f.ran.result, &f.list.v[0], &f.config, text, sizeof(text));
	assert_string_equal(
	    text, "cannot enter the directory '/no/such/directory': No such file or directory");
	fixture_release(&f);
}

static void cpus(void **state)
{
	static const char *const texts[] = {"{ACT} cpus", NULL};
	static const int cpu[] = {0};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.cpus = cpu;
	f.config.n_cpus = 1;
	f.config.observe_cpu = true;
	f.config.keep_output = true;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_string_equal(f.ran.out, "0\n");
	assert_int_equal(f.ran.result.cpu, 0);
	assert_true(f.ran.result.migrations >= -1);
	fixture_release(&f);
}

static void block_number(void **state)
{
	static const char *const texts[] = {"{ACT} say 1 '<{block}>${block}'",
					    "X=n{block} sh -c 'echo $X'", NULL};
	struct run_request request = {.block_seed = 123456789012345};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.keep_output = true;
	assert_int_equal(fixture_run_request(&f, &request), 0);
	assert_string_equal(f.ran.out, "<123456789012345>${block}\n");
	request.block_seed = 7;
	assert_int_equal(fixture_run_request(&f, &request), 0);
	assert_string_equal(f.ran.out, "<7>${block}\n");
	request.variant = 1;
	assert_int_equal(fixture_run_request(&f, &request), 0);
	assert_string_equal(f.ran.out, "n7\n");
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
		     const struct run_output *output)
{
	struct tally *t = context;

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
			const struct run_output *output)
{
	struct enabled *e = context;

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
	    cmocka_unit_test(not_started),
	    cmocka_unit_test(found_later),
	    cmocka_unit_test(looked_up),
	    cmocka_unit_test(clean_state),
	    cmocka_unit_test(environment),
	    cmocka_unit_test(directory),
	    cmocka_unit_test(cpus),
	    cmocka_unit_test(block_number),
	    cmocka_unit_test(batches),
	    cmocka_unit_test(one_at_a_time),
	    cmocka_unit_test(system_wide),
	    cmocka_unit_test(usage),
	    cmocka_unit_test(small_peak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
