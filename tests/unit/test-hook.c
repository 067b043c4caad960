/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hooks: their status, their streams, their surroundings, and interrupts.
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
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "spawner.h"

static volatile sig_atomic_t caught;

static void on_signal(int sig)
{
	caught = sig;
}

static int hook(const char *command)
{
	const struct run_config config = {0};
	char err[256];

	return hook_run(command, &config, 17, err, sizeof(err));
}

static void statuses(void **state)
{
	(void)state;
	assert_int_equal(hook("true"), 0);
	assert_int_equal(hook("exit 3"), 3);
	assert_int_equal(hook("kill -SEGV $$"), 128 + SIGSEGV);
	assert_int_equal(hook("no-such-command-here 2>/dev/null"), 127);
	assert_int_equal(hook("test {block} = 17"), 0);
	assert_int_equal(hook("a=1; block=2; test ${block} = 2"), 0);
}

static void surroundings(void **state)
{
	static const char *const env[] = {"TEST_HOOK=set", "TEST_GONE", NULL};
	const struct run_config config = {.cwd = "/usr", .env = env};
	char err[256];

	(void)state;
	setenv("TEST_GONE", "here", 1);
	assert_int_equal(
	    hook_run("test $PWD = /usr && test $TEST_HOOK = set && test -z \"$TEST_GONE\"", &config,
		     0, err, sizeof(err)),
	    0);
	/* Nothing to read, and no signal that abstat blocks or ignores. */
	assert_int_equal(hook("test -z \"$(cat)\""), 0);
	assert_int_equal(hook("test \"$(ps -o pgid= -p $$)\" -eq $$"), 0);
}

/* What it prints goes to abstat's stderr, never into its report. */
static void output(void **state)
{
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
	int to_out = open("test-hook-out", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int to_err = open("test-hook-err", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char buf[64] = "";
	int rc;

	(void)state;
	fflush(stdout);
	dup2(to_out, STDOUT_FILENO);
	dup2(to_err, STDERR_FILENO);
	rc = hook("echo one; echo two >&2");
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	assert_int_equal(rc, 0);
	assert_int_equal(lseek(to_out, 0, SEEK_END), 0);
	assert_true(pread(to_err, buf, sizeof(buf) - 1, 0) > 0);
	assert_string_equal(buf, "one\ntwo\n");
	close(out);
	close(err);
	close(to_out);
	close(to_err);
	unlink("test-hook-out");
	unlink("test-hook-err");
}

/* The signal reaches the hook's whole group, and abstat's own handler after it. */
static void interrupt(void **state)
{
	time_t start = time(NULL);
	pid_t self = getpid();

	(void)state;
	signal(SIGINT, on_signal);
	caught = 0;
	if (fork() == 0) {
		usleep(200000);
		kill(self, SIGINT);
		_exit(0);
	}
	assert_int_equal(hook("sleep 60 | sleep 60"), 128 + SIGINT);
	assert_int_equal(caught, SIGINT);
	assert_true(time(NULL) - start < 10);
	/* Who does not listen is killed. */
	if (fork() == 0) {
		usleep(200000);
		kill(self, SIGINT);
		_exit(0);
	}
	assert_int_equal(hook("trap '' INT; while :; do sleep 1; done"), 128 + SIGKILL);
	assert_true(time(NULL) - start < 20);
	signal(SIGINT, SIG_DFL);
}

static void stops_itself(void **state)
{
	const struct run_config config = {0};
	char err[256];

	(void)state;
	assert_int_equal(hook_run("kill -STOP $$", &config, 0, err, sizeof(err)), 128 + SIGSTOP);
	assert_string_equal(
	    err,
	    "'kill -STOP $$' was stopped by SIGSTOP and killed: hooks cannot use the terminal");
}

static void ignored_children(void **state)
{
	(void)state;
	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(hook("exit 3"), 3);
	assert_ptr_equal(signal(SIGCHLD, SIG_DFL), SIG_IGN);
}

/* A server that a hook starts goes on. */
static void leaves_a_server(void **state)
{
	(void)state;
	assert_int_equal(hook("sleep 60 & echo $! >test-hook-pid"), 0);
	assert_int_equal(hook("kill -0 $(cat test-hook-pid)"), 0);
	assert_int_equal(hook("kill $(cat test-hook-pid)"), 0);
	unlink("test-hook-pid");
}

static void bad_directory(void **state)
{
	const struct run_config config = {.cwd = "/no/such/directory"};
	char err[256];

	(void)state;
	assert_int_equal(hook_run("true", &config, 0, err, sizeof(err)), -ENOENT);
	assert_string_equal(err,
			    "cannot run 'true' in '/no/such/directory': No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(statuses),         cmocka_unit_test(surroundings),
	    cmocka_unit_test(output),           cmocka_unit_test(interrupt),
	    cmocka_unit_test(stops_itself),     cmocka_unit_test(leaves_a_server),
	    cmocka_unit_test(ignored_children), cmocka_unit_test(bad_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
