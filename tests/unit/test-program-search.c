/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where in PATH a program is: as execvp(3) finds it, which is asked, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program-search.h"

/* In the directory of the test; a program exits with the number that it has here. */
static const struct {
	const char *path;
	int number; /* 0: a file that may not be executed */
} files[] = {
    {"one/both", 1},  {"two/both", 2},   {"two/second", 3}, {"one/plain", 0},
    {"two/plain", 4}, {"one/hidden", 0}, {"here", 5},       {"deep/one/both", 6},
};

static const char *const directories[] = {"one", "two", "deep", "deep/one", "one/folder"};

enum {
	FILES = sizeof(files) / sizeof(*files),
	DIRECTORIES = sizeof(directories) / sizeof(*directories)
};

static void make_file(const char *path, int number)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fprintf(f, "#!/bin/sh\nexit %d\n", number);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, number ? 0755 : 0644), 0);
}

static int set_up(void **state)
{
	static char directory[] = "/tmp/program-search-XXXXXX";

	*state = directory;
	if (!mkdtemp(directory) || chdir(directory))
		return -1;
	for (size_t i = 0; i < DIRECTORIES; i++)
		if (mkdir(directories[i], 0755))
			return -1;
	for (size_t i = 0; i < FILES; i++)
		make_file(files[i].path, files[i].number);
	return 0;
}

static int tear_down(void **state)
{
	for (size_t i = 0; i < FILES; i++)
		unlink(files[i].path);
	for (size_t i = DIRECTORIES; i-- > 0;)
		rmdir(directories[i]);
	return chdir("/") || rmdir(*state);
}

/* The number of the program that execvp(3) starts, or -errno. */
static int executed(const char *name, const char *cwd, const char *search_path)
{
	int status, error[2];
	int failure = 0;

	assert_int_equal(pipe2(error, O_CLOEXEC), 0);
	pid_t child = fork();

	if (!child) {
		if ((!cwd || !chdir(cwd)) && !setenv("PATH", search_path, 1))
			execlp(name, name, NULL);
		failure = errno;
		_exit(write(error[1], &failure, sizeof(failure)) < 0);
	}
	assert_true(child > 0);
	close(error[1]);
	ssize_t n = read(error[0], &failure, sizeof(failure));

	close(error[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return n > 0 ? -failure : WEXITSTATUS(status);
}

/* NUMBER: of the program that is found at PATH, or -errno. */
static void check(const char *name, const char *cwd, const char *search_path, const char *path,
		  int number)
{
	char *found = NULL;
	int r = program_search(name, cwd, search_path, &found);

	assert_int_equal(r, number < 0 ? number : 0);
	if (number >= 0) {
		assert_string_equal(found, path);
		free(found);
	}
	assert_int_equal(executed(name, cwd, search_path), number);
}

static void test_order(void **state)
{
	(void)state;
	check("both", NULL, "one:two", "one/both", 1);
	check("both", NULL, "two:one", "two/both", 2);
	check("second", NULL, "one:two", "two/second", 3);
	check("second", NULL, "none:two", "two/second", 3);
	check("none", NULL, "one:two", NULL, -ENOENT);
}

/* An empty entry is the current directory, wherever it stands. */
static void test_empty_entries(void **state)
{
	(void)state;
	check("here", NULL, ":one", "./here", 5);
	check("here", NULL, "one:", "./here", 5);
	check("here", NULL, "one::two", "./here", 5);
	check("here", NULL, "one:two", NULL, -ENOENT);
}

static void test_what_may_not_be_executed(void **state)
{
	(void)state;
	check("plain", NULL, "one:two", "two/plain", 4);
	check("hidden", NULL, "one:two", NULL, -EACCES);
	check("hidden", NULL, "two:one:none", NULL, -EACCES);
	check("folder", NULL, "one:two", NULL, -EACCES);
}

static void test_paths(void **state)
{
	(void)state;
	check("one/both", NULL, "two", "one/both", 1);
	check("./here", NULL, "two", "./here", 5);
	check("one/none", NULL, "one:two", NULL, -ENOENT);
	check("one/hidden", NULL, "two", NULL, -EACCES);
	check("", NULL, "one:two", NULL, -ENOENT);
}

static void test_other_directory(void **state)
{
	char whole[100];

	check("both", "deep", "one:two", "one/both", 6);
	check("./one/both", "deep", "one", "./one/both", 6);
	check("here", "deep", "one::two", NULL, -ENOENT);
	snprintf(whole, sizeof(whole), "%s/two", (const char *)*state);
	char *path;

	assert_int_equal(program_search("both", "deep", whole, &path), 0);
	assert_memory_equal(path, whole, strlen(whole));
	free(path);
	assert_int_equal(program_search("both", "no-such-directory", "one", &path), -ENOENT);
}

static void test_usual_path(void **state)
{
	char *path;

	(void)state;
	assert_int_equal(program_search("sh", NULL, NULL, &path), 0);
	assert_int_equal(path[0], '/');
	assert_string_equal(strrchr(path, '/'), "/sh");
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_order),
	    cmocka_unit_test(test_empty_entries),
	    cmocka_unit_test(test_what_may_not_be_executed),
	    cmocka_unit_test(test_paths),
	    cmocka_unit_test(test_other_directory),
	    cmocka_unit_test(test_usual_path),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
