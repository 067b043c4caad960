/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a report goes: files are replaced whole or not at all, and what cannot be written is said.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
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

#include "analyse.h"
#include "output.h"
#include "record-fixture.h"

struct fixture {
	struct record record;
	struct judge_options judge;
	struct report report;
	struct output_options options;
	char dir[64], path[128], err[500];
};

static void init(struct fixture *f)
{
	static const double same[] = {1, 1};

	memset(f, 0, sizeof(*f));
	judge_options_init(&f->judge);
	output_options_init(&f->options);
	made_init(&f->record, 2);
	made_metric(&f->record, "cycles", NULL, "", DIRECTION_LOWER);
	made_blocks(&f->record, 10, 0.01, same, 1);
	assert_int_equal(analyse_record(&f->report, &f->record, &f->judge, true, ANALYSE_ALL,
					f->err, sizeof(f->err)),
			 0);
	snprintf(f->dir, sizeof(f->dir), "/tmp/abstat-output-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->path, sizeof(f->path), "%s/report", f->dir);
	f->options.path = f->path;
}

static void release(struct fixture *f)
{
	char command[200];

	report_release(&f->report);
	record_release(&f->record);
	snprintf(command, sizeof(command), "rm -rf '%s'", f->dir);
	assert_int_equal(system(command), 0);
}

static const char *contents(const char *path)
{
	static char text[100000];
	FILE *in = fopen(path, "re");

	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	return text;
}

/* Nothing but the report, and what is named, is in the directory. */
static void check_alone(const struct fixture *f, const char *others)
{
	char command[300];

	snprintf(command, sizeof(command), "test \"$(cd '%s' && ls -A | tr '\\n' ' ')\" = '%s'",
		 f->dir, others);
	assert_int_equal(system(command), 0);
}

static void test_new_file(void **state)
{
	mode_t mask = umask(027);
	struct fixture f;
	struct stat st;

	(void)state;
	init(&f);
	assert_int_equal(output_report(&f.report, &f.options, f.err, sizeof(f.err)), 0);
	assert_non_null(strstr(contents(f.path), "cycles"));
	assert_int_equal(stat(f.path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(umask(mask), 027);
	check_alone(&f, "report ");
	release(&f);
}

static void test_replaced(void **state)
{
	struct fixture f;
	struct stat st;

	(void)state;
	init(&f);
	FILE *old = fopen(f.path, "we");

	fputs("old", old);
	fclose(old);
	assert_int_equal(chmod(f.path, 0604), 0);
	f.options.format = "json";
	assert_int_equal(output_report(&f.report, &f.options, f.err, sizeof(f.err)), 0);
	assert_null(strstr(contents(f.path), "old"));
	assert_int_equal(*contents(f.path), '{');
	assert_int_equal(stat(f.path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0604);
	check_alone(&f, "report ");
	release(&f);
}

/* A link stays one; what it points to is replaced. */
static void test_through_a_link(void **state)
{
	struct fixture f;
	struct stat st;
	char target[160];

	(void)state;
	init(&f);
	snprintf(target, sizeof(target), "%s/target", f.dir);
	FILE *old = fopen(target, "we");

	fputs("old", old);
	fclose(old);
	assert_int_equal(symlink("target", f.path), 0);
	assert_int_equal(output_report(&f.report, &f.options, f.err, sizeof(f.err)), 0);
	assert_int_equal(lstat(f.path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_non_null(strstr(contents(target), "cycles"));
	check_alone(&f, "report target ");
	release(&f);
}

static void test_impossible(void **state)
{
	struct fixture f;
	char expected[400], inside[160];

	(void)state;
	init(&f);
	snprintf(inside, sizeof(inside), "%s/no/such", f.dir);
	f.options.path = inside;
	assert_int_equal(output_report(&f.report, &f.options, f.err, sizeof(f.err)), -ENOENT);
	snprintf(expected, sizeof(expected),
		 "cannot write the report to %s: No such file or directory", inside);
	assert_string_equal(f.err, expected);
	f.options.path = f.dir;
	assert_int_equal(output_report(&f.report, &f.options, f.err, sizeof(f.err)), -EISDIR);
	f.options.path = "/dev/full";
	assert_int_equal(output_report(&f.report, &f.options, f.err, sizeof(f.err)), -ENOSPC);
	assert_string_equal(f.err, "cannot write the report to /dev/full: No space left on device");
	check_alone(&f, "");
	release(&f);
}

/* A device or pipe is written to, not replaced. */
static void test_pipe(void **state)
{
	struct fixture f;
	struct stat st;
	char text[20] = "";

	(void)state;
	init(&f);
	assert_int_equal(mkfifo(f.path, 0600), 0);
	int in = open(f.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	assert_true(in >= 0);
	f.options.format = "json";
	assert_int_equal(output_report(&f.report, &f.options, f.err, sizeof(f.err)), 0);
	assert_true(read(in, text, sizeof(text) - 1) > 0);
	assert_int_equal(*text, '{');
	close(in);
	assert_int_equal(lstat(f.path, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	release(&f);
}

static void test_full_stdout(void **state)
{
	struct fixture f;
	int status;

	(void)state;
	init(&f);
	f.options.path = NULL;
	fflush(NULL);
	pid_t pid = fork();

	if (pid == 0) {
		int full = open("/dev/full", O_WRONLY);

		dup2(full, STDOUT_FILENO);
		int r = output_report(&f.report, &f.options, f.err, sizeof(f.err));

		_exit(r == -ENOSPC &&
			      !strcmp(f.err, "cannot write the report to the standard output: No "
					     "space left on device")
			  ? 0
			  : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	release(&f);
}

static void test_message(void **state)
{
	int fd[2], saved = dup(STDERR_FILENO);
	char text[200] = "";

	(void)state;
	assert_int_equal(pipe(fd), 0);
	dup2(fd[1], STDERR_FILENO);
	output_message("bad \033[31m thing\nnext line");
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(fd[1]);
	assert_true(read(fd[0], text, sizeof(text) - 1) > 0);
	close(fd[0]);
	assert_string_equal(text, "abstat: bad \\x1b[31m thing\nnext line\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_new_file),       cmocka_unit_test(test_replaced),
	    cmocka_unit_test(test_through_a_link), cmocka_unit_test(test_impossible),
	    cmocka_unit_test(test_pipe),           cmocka_unit_test(test_full_stdout),
	    cmocka_unit_test(test_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
