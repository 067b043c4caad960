/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs that are ended from outside: by the user, and by the death of abstat or of the spawner.
 */
#include <dirent.h>
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
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "run-fixture.h"

static struct spawner *in_handler;

static void on_alarm(int sig)
{
	(void)sig;
	spawner_interrupt(in_handler, SIGINT);
}

static void interrupt_after(struct fixture *f, long us)
{
	struct itimerval timer = {.it_value = {.tv_usec = us}};

	in_handler = f->spawner;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void sleep_ms(long ms)
{
	struct timespec ts = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&ts, NULL);
}

static void interrupted(void **state)
{
	static const char *const texts[] = {"{ACT} exit 0", "{ACT} sleep 60000", NULL};
	struct fixture f;
	long start;

	(void)state;
	fixture_init(&f, texts);
	assert_int_equal(fixture_run(&f, 0), 0);
	start = fixture_now_ms();
	interrupt_after(&f, 100000);
	assert_int_equal(fixture_run(&f, 1), 0);
	assert_int_equal(f.ran.result.outcome, RUN_INTERRUPTED);
	assert_in_range(fixture_now_ms() - start, 90, 1500);
	/* And nothing starts any more. */
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_INTERRUPTED);
	fixture_release(&f);
}

/* What does not listen is killed two seconds later; so is what it left in another session. */
static void stubborn(void **state)
{
	static const char *const texts[] = {
	    "{ACT} exit 0", "sh -c 'trap \"\" INT; setsid sleep 61 & while :; do sleep 1; done'",
	    NULL};
	struct fixture f;
	long start;

	(void)state;
	fixture_init(&f, texts);
	assert_int_equal(fixture_run(&f, 0), 0);
	start = fixture_now_ms();
	interrupt_after(&f, 200000);
	assert_int_equal(fixture_run(&f, 1), 0);
	assert_int_equal(f.ran.result.outcome, RUN_INTERRUPTED);
	assert_in_range(fixture_now_ms() - start, 2000, 5000);
	fixture_release(&f);
}

static int ignore_run(void *context, const struct run_request *request,
		      const struct run_result *result, const struct counter_value *values,
		      const struct scope_result *scopes, const struct run_output *output)
{
	enum run_outcome *last = context;

	(void)scopes;
	(void)request;
	(void)values;
	(void)output;
	*last = result->outcome;
	return 0;
}

/*
 * At whatever moment of the loop it comes: between two runs, in the middle of a spawn, at an exit.
 * /
 */
static void no_moment_is_missed(void **state)
{
	static const char *const texts[] = {NOP_PATH, NULL};
	static struct run_request requests[100000];

	(void)state;
	for (long us = 3000; us < 9000; us += 137) {
		const struct counter_config none = {0};
		enum run_outcome last = RUN_OK;
		struct fixture f;
		long start = fixture_now_ms();
		char err[256];

		fixture_init(&f, texts);
		assert_int_equal(
		    spawner_start(&f.spawner, &f.config, &none, NULL, err, sizeof(err)), 0);
		interrupt_after(&f, us);
		assert_int_equal(spawner_run(f.spawner, requests, 100000, false, ignore_run, &last,
					     err, sizeof(err)),
				 0);
		assert_int_equal(last, RUN_INTERRUPTED);
		assert_in_range(fixture_now_ms() - start, 0, 1500);
		fixture_release(&f);
	}
}

/* Does a process with this word in its command line exist? */
static int alive(const char *word)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;
	int n = 0;

	while ((d = readdir(proc))) {
		char path[300], buf[4096];
		ssize_t len;
		int fd;

		snprintf(path, sizeof(path), "/proc/%s/cmdline", d->d_name);
		fd = open(path, O_RDONLY);
		if (fd < 0)
			continue;
		len = read(fd, buf, sizeof(buf));
		close(fd);
		if (len > 0 && memmem(buf, (size_t)len, word, strlen(word)) &&
		    atoi(d->d_name) != getpid())
			n++;
	}
	closedir(proc);
	return n;
}

static void wait_until_gone(const char *word)
{
	for (int i = 0; i < 300 && alive(word); i++)
		sleep_ms(10);
	assert_int_equal(alive(word), 0);
}

/* In a child: starts TEXT and never returns. */
static pid_t fork_run(const char *text)
{
	const char *texts[] = {text, NULL};
	pid_t pid = fork();

	if (pid == 0) {
		struct fixture f;

		fixture_init(&f, texts);
		fixture_run(&f, 0);
		_exit(0);
	}
	return pid;
}

/* kill -9 of abstat: the run, and its daemons of other sessions, end. */
static void abstat_killed(void **state)
{
	pid_t pid;

	(void)state;
	/* The numbers are the marks that the processes are found by. */
	pid = fork_run("sh -c 'setsid sleep 61.5372 & sleep 61.5372'");
	for (int i = 0; i < 300 && alive("61.5372") < 3; i++)
		sleep_ms(10);
	assert_true(alive("61.5372") >= 2);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	wait_until_gone("61.5372");
}

static pid_t child_of(pid_t parent)
{
	char path[64], buf[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent, (int)parent);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (!fgets(buf, sizeof(buf), file))
		buf[0] = '\0';
	fclose(file);
	return atoi(buf);
}

static void on_alarm_kill(int sig)
{
	pid_t spawner = child_of(getpid());

	(void)sig;
	kill(spawner, SIGKILL);
}

static void spawner_killed(void **state)
{
	static const char *const texts[] = {"sleep 61.7719", NULL};
	struct itimerval timer = {.it_value = {.tv_usec = 200000}};
	const struct counter_config none = {0};
	const struct run_request request = {0};
	enum run_outcome last;
	struct fixture f;
	char err[256];

	(void)state;
	fixture_init(&f, texts);
	assert_int_equal(spawner_start(&f.spawner, &f.config, &none, NULL, err, sizeof(err)), 0);
	signal(SIGALRM, on_alarm_kill);
	setitimer(ITIMER_REAL, &timer, NULL);
	assert_int_equal(
	    spawner_run(f.spawner, &request, 1, false, ignore_run, &last, err, sizeof(err)),
	    -EPIPE);
	assert_string_equal(
	    err, "the process that starts the runs was killed by signal 9 (Killed); was the "
		 "system out of memory?");
	wait_until_gone("61.7719");
	/* Once gone, it stays gone, and asking again is no crash. */
	assert_int_equal(
	    spawner_run(f.spawner, &request, 1, false, ignore_run, &last, err, sizeof(err)),
	    -EPIPE);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(interrupted),         cmocka_unit_test(stubborn),
	    cmocka_unit_test(no_moment_is_missed), cmocka_unit_test(abstat_killed),
	    cmocka_unit_test(spawner_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
