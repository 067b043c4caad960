/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run is started with, and why one is not: look-up, environment, directory, descriptors.
 */
#include <errno.h>
#include <fcntl.h>
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

#include "run-failure.h"
#include "run-fixture.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(not_started), cmocka_unit_test(found_later),
	    cmocka_unit_test(looked_up),   cmocka_unit_test(clean_state),
	    cmocka_unit_test(environment), cmocka_unit_test(directory),
	    cmocka_unit_test(cpus),        cmocka_unit_test(block_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
