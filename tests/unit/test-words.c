/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splitting, against what a POSIX shell does, and every refusal with its message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "variant.h"

#define MAX_WORDS 8

struct split_case {
	const char *text;
	const char *words[MAX_WORDS];
};

static const struct split_case good[] = {
    {"a b c", {"a", "b", "c"}},
    {"  a\t b  ", {"a", "b"}},
    {"", {NULL}},
    {"a\n", {"a"}},
    {"\n\n a \n", {"a"}},
    {"'a b' \"c d\"", {"a b", "c d"}},
    {"'' \"\"", {"", ""}},
    {"a'b'\"c\"d", {"abcd"}},
    {"a\\ b", {"a b"}},
    {"a\\\nb", {"ab"}},
    {"a \\\n b", {"a", "b"}},
    {"'a\\b'", {"a\\b"}},
    {"\"a\\b\"", {"a\\b"}},
    {"\"a\\\"b\"", {"a\"b"}},
    {"\"a\\\\b\"", {"a\\b"}},
    {"\"a\\$b\\`\"", {"a$b`"}},
    {"\"a\\\nb\"", {"ab"}},
    {"'$HOME' '*' '|'", {"$HOME", "*", "|"}},
    {"\"* | > < & ; ? ~ #\"", {"* | > < & ; ? ~ #"}},
    {"\\$HOME \\* \\|", {"$HOME", "*", "|"}},
    {"a#b", {"a#b"}},
    {"a~b b~", {"a~b", "b~"}},
    {"\\~ '~'", {"~", "~"}},
    {"[ 1 = 1 ]", {"[", "1", "=", "1", "]"}},
    {"a[b", {"a[b"}},
    {"'a[b]'", {"a[b]"}},
    {"{a} {b,c} a=b %d !x ^y", {"{a}", "{b,c}", "a=b", "%d", "!x", "^y"}},
    {"A=1 ./x", {"A=1", "./x"}},
    {"\xc3\xa4 '\xe2\x82\xac'", {"\xc3\xa4", "\xe2\x82\xac"}},
};

static void splits(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		char err[256] = "";
		char **words = words_split(good[i].text, err, sizeof(err));
		size_t n = 0;

		assert_string_equal(err, "");
		assert_non_null(words);
		for (; good[i].words[n]; n++) {
			assert_non_null(words[n]);
			assert_string_equal(words[n], good[i].words[n]);
		}
		assert_null(words[n]);
		words_free(words);
	}
}

static int shell_agrees(const struct split_case *c)
{
	char command[512], line[512];
	FILE *shell;
	int same = 1;

	snprintf(command, sizeof(command), "printf '%%s\\037' %s", c->text);
	shell = popen(command, "r");
	assert_non_null(shell);
	for (size_t n = 0; c->words[n]; n++) {
		size_t len = 0;
		int ch;

		while ((ch = fgetc(shell)) != EOF && ch != '\037' && len < sizeof(line) - 1)
			line[len++] = (char)ch;
		line[len] = '\0';
		same &= !strcmp(line, c->words[n]);
	}
	same &= fgetc(shell) == EOF;
	pclose(shell);
	return same;
}

/* The table above is not our opinion. */
static void as_the_shell(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		/* A leading newline would end the printf. */
		if (good[i].text[0] == '\n' || !good[i].words[0])
			continue;
		if (!shell_agrees(&good[i]))
			fail_msg("sh splits this in another way: %s", good[i].text);
	}
}

struct bad_case {
	const char *text;
	const char *message;
};

#define SHELL "quote it, or use --shell to have the command run by sh"

static void refuses(void **state)
{
	static const struct bad_case bad[] = {
	    {"a | b", "unquoted '|' in 'a | b': " SHELL},
	    {"a > f", "unquoted '>' in 'a > f': " SHELL},
	    {"a 2>f", "unquoted '>' in 'a 2>f': " SHELL},
	    {"a < f", "unquoted '<' in 'a < f': " SHELL},
	    {"a &", "unquoted '&' in 'a &': " SHELL},
	    {"a; b", "unquoted ';' in 'a; b': " SHELL},
	    {"a *.c", "unquoted '*' in 'a *.c': " SHELL},
	    {"a f?", "unquoted '?' in 'a f?': " SHELL},
	    {"a $HOME", "unquoted '$' in 'a $HOME': " SHELL},
	    {"a `b`", "unquoted '`' in 'a `b`': " SHELL},
	    {"(a)", "unquoted '(' in '(a)': " SHELL},
	    {"a ~/f", "unquoted '~' in 'a ~/f': " SHELL},
	    {"A=~/f b", "unquoted '~' in 'A=~/f b': " SHELL},
	    {"P=/a:~/b c", "unquoted '~' in 'P=/a:~/b c': " SHELL},
	    {"a f[12]", "unquoted '[' in 'a f[12]': " SHELL},
	    {"a # b", "unquoted '#' in 'a # b': " SHELL},
	    {"a \"$HOME\"", "double-quoted '$' in 'a \"$HOME\"': " SHELL},
	    {"a \"`b`\"", "double-quoted '`' in 'a \"`b`\"': " SHELL},
	    {"a 'b", "unbalanced ' in 'a 'b': a single quote is not closed"},
	    {"a \"b", "unbalanced \" in 'a \"b': a double quote is not closed"},
	    {"a \"b\\\"", "unbalanced \" in 'a \"b\\\"': a double quote is not closed"},
	    {"a \\", "a backslash at the end in 'a \\': nothing follows that it could quote"},
	    {"a\nb", "unquoted newline in 'a\nb': use --shell for more than one command"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char err[256] = "";

		assert_null(words_split(bad[i].text, err, sizeof(err)));
		assert_string_equal(err, bad[i].message);
	}
}

/* What is joined splits into the same words. */
static void joins(void **state)
{
	static char *const words[][5] = {
	    {(char *)"a", (char *)"b c", NULL},
	    {(char *)"", (char *)"'", (char *)"\"$x\"", (char *)"\\", NULL},
	    {(char *)"*", (char *)"~", (char *)"a\nb", (char *)"it's", NULL},
	    {(char *)"./x", (char *)"--y=1", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *line = words_join(words[i]);
		char err[256] = "";
		char **again = words_split(line, err, sizeof(err));
		size_t n = 0;

		assert_string_equal(err, "");
		for (; words[i][n]; n++)
			assert_string_equal(again[n], words[i][n]);
		assert_null(again[n]);
		words_free(again);
		free(line);
	}
	char *line = words_join(words[3]);
	assert_string_equal(line, "./x --y=1");
	free(line);
}

static void expands_block(void **state)
{
	static const char *const cases[][2] = {
	    {"a {block} b", "a 42 b"},
	    {"{block}{block}", "4242"},
	    {"${block}", "${block}"},
	    {"{blocks}", "{blocks}"},
	    {"", ""},
	    {"{{block}}", "{42}"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = block_expand(cases[i][0], 42);

		assert_string_equal(text, cases[i][1]);
		free(text);
	}
	char *text = block_expand("{block}", UINT64_MAX);
	assert_string_equal(text, "18446744073709551615");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(splits), cmocka_unit_test(as_the_shell),  cmocka_unit_test(refuses),
	    cmocka_unit_test(joins),  cmocka_unit_test(expands_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
