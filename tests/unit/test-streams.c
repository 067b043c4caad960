/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the workload reads and writes, and what is kept of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "run-fixture.h"

static char *read_file(const char *path)
{
	static char buf[65536];
	FILE *file = fopen(path, "r");
	size_t n;

	assert_non_null(file);
	n = fread(buf, 1, sizeof(buf) - 1, file);
	buf[n] = '\0';
	fclose(file);
	return buf;
}

/* The last lines are kept, however much there was, and belong to their run. */
static void stderr_tail(void **state)
{
	static const char *const texts[] = {"{ACT} say 2 'what went wrong'", "{ACT} exit 0",
					    "{ACT} write 2 300000", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(fixture_run(&f, 0), 0);
		assert_string_equal(f.ran.err, "what went wrong\n");
		assert_int_equal(fixture_run(&f, 1), 0);
		assert_int_equal(f.ran.err_len, 0);
		assert_int_equal(fixture_run(&f, 2), 0);
		assert_int_equal(f.ran.result.outcome, RUN_OK);
		assert_int_equal(f.ran.err_len, 4096);
		assert_string_equal(f.ran.err + 4080, "000000000299984\n");
	}
	fixture_release(&f);
}

static void nothing_to_read(void **state)
{
	static const char *const texts[] = {"{ACT} copy", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.keep_output = true;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	assert_int_equal(f.ran.out_len, 0);
	fixture_release(&f);
}

/* From its beginning in every run; a new file of the same name is seen. */
static void input_file(void **state)
{
	static const char *const texts[] = {"{ACT} copy", NULL};
	struct fixture f;
	FILE *file = fopen("test-input", "w");

	(void)state;
	fputs("line\n", file);
	fclose(file);
	fixture_init(&f, texts);
	f.config.stdin_path = "test-input";
	f.config.keep_output = true;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(fixture_run(&f, 0), 0);
		assert_string_equal(f.ran.out, "line\n");
	}
	file = fopen("test-input.new", "w");
	fputs("other\n", file);
	fclose(file);
	rename("test-input.new", "test-input");
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_string_equal(f.ran.out, "other\n");
	unlink("test-input");
	fixture_release(&f);
}

static void bad_input(void **state)
{
	static const char *const texts[] = {"{ACT} copy", NULL};
	const struct counter_config none = {0};
	struct fixture f;
	char err[256];

	(void)state;
	fixture_init(&f, texts);
	f.config.stdin_path = "test-no-such-input";
	assert_int_equal(spawner_start(&f.spawner, &f.config, &none, NULL, err, sizeof(err)),
			 -ENOENT);
	assert_string_equal(err, "test-no-such-input: No such file or directory");
	f.config.stdin_path = "/tmp";
	assert_int_equal(spawner_start(&f.spawner, &f.config, &none, NULL, err, sizeof(err)),
			 -EINVAL);
	assert_string_equal(
	    err, "/tmp: is a directory: every run reads its input anew, which takes a file");
	mkfifo("test-fifo", 0600);
	f.config.stdin_path = "test-fifo";
	assert_int_equal(spawner_start(&f.spawner, &f.config, &none, NULL, err, sizeof(err)),
			 -EINVAL);
	unlink("test-fifo");
	fixture_release(&f);
}

/*
 * The terminal belongs to abstat's own process group: who reads from it is stopped, which is no
 * reason to wait for ever.
 */
static void terminal(void **state)
{
	static const char *const texts[] = {"{ACT} copy", NULL};
	int master, status;
	pid_t pid = forkpty(&master, NULL, NULL, NULL);

	(void)state;
	if (pid == 0) {
		struct fixture f;
		int rc;

		fixture_init(&f, texts);
		f.config.stdin_path = "/dev/tty";
		rc = fixture_run(&f, 0);
		_exit(rc || f.ran.result.outcome != RUN_SIGNAL || f.ran.result.status != SIGTTIN);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(master);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* The last run's output is in the file, and nothing of those before. */
static void output_file(void **state)
{
	static const char *const texts[] = {"{ACT} write 1 3200", "{ACT} say 1 end", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.stdout_mode = STREAM_FILE;
	f.config.stdout_path = "test-output";
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(strlen(read_file("test-output")), 3200);
	assert_int_equal(fixture_run(&f, 1), 0);
	assert_string_equal(read_file("test-output"), "end\n");
	unlink("test-output");
	fixture_release(&f);
	fixture_init(&f, texts);
	f.config.stdout_mode = STREAM_FILE;
	f.config.stdout_path = "/no/such/directory/file";
	assert_int_equal(fixture_run(&f, 0), -ENOENT);
	fixture_release(&f);
}

/* A pipe that nobody drained would stop the writer at 64 KiB. */
static void drained_pipe(void **state)
{
	static const char *const texts[] = {"{ACT} fill 1 100000000", "sh -c 'test -p /dev/stdout'",
					    NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.stdout_mode = STREAM_PIPE;
	f.config.timeout_ns = 20000000000;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	assert_int_equal(f.ran.out_len, 0);
	assert_int_equal(fixture_run(&f, 1), 0);
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	fixture_release(&f);
}

static void null_output(void **state)
{
	struct fixture f;

	(void)state;
	fixture_once(&f, "sh -c 'test -c /dev/stdout && test ! -t 1'");
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	assert_int_equal(f.ran.out_len, 0);
	fixture_release(&f);
}

static void inherited_output(void **state)
{
	static const char *const texts[] = {"{ACT} say 1 here", NULL};
	int file = open("test-inherited", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int saved = dup(STDOUT_FILENO);
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.stdout_mode = STREAM_INHERIT;
	fflush(stdout);
	dup2(file, STDOUT_FILENO);
	int rc = fixture_run(&f, 0);
	dup2(saved, STDOUT_FILENO);
	close(file);
	close(saved);
	assert_int_equal(rc, 0);
	assert_string_equal(read_file("test-inherited"), "here\n");
	unlink("test-inherited");
	fixture_release(&f);
}

/* Everything, in order, both streams apart; what is too much is said to be. */
static void whole_output(void **state)
{
	static const char *const texts[] = {"sh -c '{ACT} write 1 160000; {ACT} write 2 320000'",
					    "{ACT} fill 1 17000000", "{ACT} exit 0", NULL};
	struct fixture f;

	(void)state;
	fixture_init(&f, texts);
	f.config.keep_output = true;
	assert_int_equal(fixture_run(&f, 0), 0);
	assert_int_equal(f.ran.out_len, 160000);
	assert_int_equal(f.ran.err_len, 320000);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(atol(f.ran.out + (size_t)i * 16), i * 16);
	assert_false(f.ran.truncated);
	assert_int_equal(fixture_run(&f, 1), 0);
	assert_int_equal(f.ran.result.outcome, RUN_OK);
	assert_int_equal(f.ran.out_len, 16 << 20);
	assert_true(f.ran.truncated);
	assert_int_equal(fixture_run(&f, 2), 0);
	assert_int_equal(f.ran.out_len, 0);
	assert_false(f.ran.truncated);
	fixture_release(&f);
}

struct lengths {
	size_t n;
};

static int check_length(void *context, const struct run_request *request,
			const struct run_result *result, const struct counter_value *values,
			const struct scope_result *scopes, const struct run_output *output)
{
	struct lengths *l = context;

	(void)scopes;
	(void)values;
	assert_int_equal(result->outcome, RUN_OK);
	assert_int_equal(output->stdout_len, request->variant ? 48 : 32);
	assert_int_equal(output->stderr_len, 0);
	l->n++;
	return 0;
}

/* In a batch each run's output is its own. */
static void batch_output(void **state)
{
	static const char *const texts[] = {"{ACT} write 1 32", "{ACT} write 1 48", NULL};
	struct run_request requests[100] = {0};
	const struct counter_config none = {0};
	struct lengths l = {0};
	struct fixture f;
	char err[256];

	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		requests[i].variant = i % 3 == 0;
	fixture_init(&f, texts);
	f.config.keep_output = true;
	assert_int_equal(spawner_start(&f.spawner, &f.config, &none, NULL, err, sizeof(err)), 0);
	assert_int_equal(
	    spawner_run(f.spawner, requests, 100, false, check_length, &l, err, sizeof(err)), 0);
	assert_int_equal(l.n, 100);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(stderr_tail),      cmocka_unit_test(nothing_to_read),
	    cmocka_unit_test(input_file),       cmocka_unit_test(bad_input),
	    cmocka_unit_test(terminal),         cmocka_unit_test(output_file),
	    cmocka_unit_test(drained_pipe),     cmocka_unit_test(null_output),
	    cmocka_unit_test(inherited_output), cmocka_unit_test(whole_output),
	    cmocka_unit_test(batch_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
