/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From command lines to variants: parameters, names, hooks, assignments, and every refusal.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "variant.h"

#define N_MAX 4

/* An invocation, and what it gives: names of the variants, or a message. */
struct case_ {
	const char *commands[N_MAX];
	const char *parameters[N_MAX];
	const char *names[N_MAX];
	const char *prepares[N_MAX];
	bool shell;
	const char *expected[8];
	const char *message;
};

static size_t count(const char *const *texts)
{
	size_t n = 0;

	while (n < N_MAX && texts[n])
		n++;
	return n;
}

static int build(const struct case_ *c, struct variant_list *list, char *err, size_t size)
{
	struct parameter parameters[N_MAX] = {0};
	struct variant_spec spec = {.commands = c->commands,
				    .n_commands = count(c->commands),
				    .parameters = parameters,
				    .n_parameters = count(c->parameters),
				    .names = c->names,
				    .n_names = count(c->names),
				    .prepares = c->prepares,
				    .n_prepares = count(c->prepares),
				    .shell = c->shell};
	int rc;

	for (size_t i = 0; i < spec.n_parameters; i++)
		assert_int_equal(parameter_parse(&parameters[i], c->parameters[i], err, size), 0);
	rc = variant_list_build(list, &spec, err, size);
	for (size_t i = 0; i < spec.n_parameters; i++)
		parameter_release(&parameters[i]);
	return rc;
}

static void lists(void **state)
{
	static const struct case_ cases[] = {
	    {.commands = {"./a", "./b"}, .expected = {"./a", "./b"}},
	    {.commands = {"{bin} -x in"},
	     .parameters = {"bin=./old,./new"},
	     .expected = {"./old -x in", "./new -x in"}},
	    /* The first parameter turns slowest. */
	    {.commands = {"x {a} {b}"},
	     .parameters = {"a=1,2", "b=p,q"},
	     .expected = {"x 1 p", "x 1 q", "x 2 p", "x 2 q"}},
	    {.commands = {"x {a}", "y {a}"},
	     .parameters = {"a=1,2"},
	     .expected = {"x 1", "y 1", "x 2", "y 2"}},
	    /* A command without the parameter is there once. */
	    {.commands = {"x", "y {a}"}, .parameters = {"a=1,2"}, .expected = {"x", "y 1", "y 2"}},
	    {.commands = {"x", "x"}, .expected = {"x (1)", "x (2)"}},
	    {.commands = {"x"}, .names = {"name"}, .expected = {"name"}},
	    {.commands = {"x", "y"}, .names = {"A", "B"}, .expected = {"A", "B"}},
	    {.commands = {"x {a}"},
	     .parameters = {"a=1,2"},
	     .names = {"size {a}"},
	     .expected = {"size 1", "size 2"}},
	    {.commands = {"x {a}"},
	     .parameters = {"a=1,2"},
	     .names = {"A", "B"},
	     .expected = {"A", "B"}},
	    {.commands = {"x {a}"}, .parameters = {"a=,2"}, .expected = {"x ", "x 2"}},
	    /* A value may be words, and empty. */
	    {.commands = {"x {a} y"}, .parameters = {"a=-O2 -g"}, .expected = {"x -O2 -g y"}},
	    /* A parameter that the hooks use is used. */
	    {.commands = {"x"},
	     .parameters = {"a=1,2"},
	     .prepares = {"p {a}"},
	     .expected = {"x (1)", "x (2)"}},
	    /* What is quoted may be meant for others. */
	    {.commands = {"awk '{print}' {f}"},
	     .parameters = {"f=in"},
	     .expected = {"awk '{print}' in"}},
	    {.commands = {"find -exec x {} +"}, .expected = {"find -exec x {} +"}},
	    {.commands = {"x {block}"}, .expected = {"x {block}"}},
	    {.commands = {"x '${f}{f}'"}, .parameters = {"f=in"}, .expected = {"x '${f}in'"}},
	    {.commands = {"x | y"}, .shell = true, .expected = {"x | y"}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct variant_list list;
		char err[512] = "";
		size_t n = 0;

		if (build(&cases[i], &list, err, sizeof(err)))
			fail_msg("%s: %s", cases[i].commands[0], err);
		for (; cases[i].expected[n]; n++) {
			assert_true(n < list.n);
			assert_string_equal(list.v[n].name, cases[i].expected[n]);
		}
		assert_int_equal(list.n, n);
		variant_list_release(&list);
	}
}

static void refuses(void **state)
{
	static const struct case_ cases[] = {
	    {.commands = {NULL}, .message = "no command is given"},
	    {.commands = {""}, .message = "'' is no command: there is no program in it"},
	    {.commands = {"  "}, .message = "'  ' is no command: there is no program in it"},
	    {.commands = {"''"}, .message = "'''' is no command: there is no program in it"},
	    {.commands = {"A=1"}, .message = "'A=1' is no command: there is no program in it"},
	    {.commands = {" "},
	     .shell = true,
	     .message = "' ' is no command: there is no program in it"},
	    {.commands = {"x | y"},
	     .message =
		 "unquoted '|' in 'x | y': quote it, or use --shell to have the command run by sh"},
	    {.commands = {"{bin} x"},
	     .message = "no -L gives a value for {bin} in '{bin} x'; quote it if it is not meant "
			"for abstat"},
	    {.commands = {"x {bni}"},
	     .parameters = {"bin=a"},
	     .message = "no -L gives a value for {bni} in 'x {bni}'; quote it if it is not meant "
			"for abstat"},
	    {.commands = {"x"}, .parameters = {"bin=a"}, .message = "-L bin: nothing uses {bin}"},
	    {.commands = {"x {a}"}, .parameters = {"a=1", "a=2"}, .message = "-L a is given twice"},
	    {.commands = {"x", "y"},
	     .names = {"A", "A"},
	     .message = "two variants have the name 'A'"},
	    {.commands = {"x", "y"}, .names = {"A"}, .message = "two variants have the name 'A'"},
	    {.commands = {"x"}, .names = {""}, .message = "--name: a name is empty"},
	    {.commands = {"x", "y", "z"},
	     .names = {"A", "B"},
	     .message = "--name is given 2 times for 3 variants: give one name each, or none"},
	    {.commands = {"x", "y", "z"},
	     .prepares = {"A", "B"},
	     .message = "--prepare is given 2 times for 3 commands: give it once for all, or once "
			"a command"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct variant_list list;
		char err[512] = "";

		assert_int_equal(build(&cases[i], &list, err, sizeof(err)), -EINVAL);
		assert_string_equal(err, cases[i].message);
		assert_int_equal(list.n, 0);
	}
}

static void parts(void **state)
{
	const struct case_ c = {.commands = {"A=1 B='x y' {bin} C=3", "y"},
				.parameters = {"bin=./old"},
				.prepares = {"make {bin} A=${bin}", "true"}};
	struct variant_list list;
	char err[512] = "";

	(void)state;
	assert_int_equal(build(&c, &list, err, sizeof(err)), 0);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.v[0].assignments[0], "A=1");
	assert_string_equal(list.v[0].assignments[1], "B=x y");
	assert_null(list.v[0].assignments[2]);
	assert_string_equal(list.v[0].argv[0], "./old");
	assert_string_equal(list.v[0].argv[1], "C=3");
	assert_null(list.v[0].argv[2]);
	assert_string_equal(list.v[0].command, "A=1 B='x y' ./old C=3");
	assert_string_equal(list.v[0].hooks.prepare, "make ./old A=${bin}");
	assert_string_equal(list.v[1].hooks.prepare, "true");
	assert_null(list.v[1].hooks.setup);
	variant_list_release(&list);
}

static void shell(void **state)
{
	const struct case_ c = {.commands = {"A=1 x | y"}, .shell = true};
	struct variant_list list;
	char err[512] = "";

	(void)state;
	assert_int_equal(build(&c, &list, err, sizeof(err)), 0);
	assert_string_equal(list.v[0].argv[0], "/bin/sh");
	assert_string_equal(list.v[0].argv[1], "-c");
	assert_string_equal(list.v[0].argv[2], "A=1 x | y");
	assert_null(list.v[0].argv[3]);
	assert_null(list.v[0].assignments[0]);
	variant_list_release(&list);
}

/* stat's words were split by the user's shell and stay as they are. */
static void given_words(void **state)
{
	char *words[] = {(char *)"./x", (char *)"a | b", (char *)"$c", (char *)"{print}", NULL};
	char *lone[] = {(char *)"x | y", NULL};
	struct variant_spec spec = {.argv = words};
	struct variant_list list;
	char err[512] = "";

	(void)state;
	assert_int_equal(variant_list_build(&list, &spec, err, sizeof(err)), 0);
	assert_int_equal(list.n, 1);
	for (size_t i = 0; words[i]; i++)
		assert_string_equal(list.v[0].argv[i], words[i]);
	assert_null(list.v[0].argv[4]);
	assert_string_equal(list.v[0].name, "./x 'a | b' '$c' {print}");
	variant_list_release(&list);
	spec.shell = true;
	assert_int_equal(variant_list_build(&list, &spec, err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "--shell takes the command as one word: quote it as a whole");
	spec.argv = lone;
	assert_int_equal(variant_list_build(&list, &spec, err, sizeof(err)), 0);
	assert_string_equal(list.v[0].argv[2], "x | y");
	variant_list_release(&list);
}

static void parameters(void **state)
{
	static const char *const bad[][2] = {
	    {"bin", "-L 'bin': expected NAME=VALUE,VALUE,..."},
	    {"=a", "-L '=a': a name begins with a letter"},
	    {"1=a", "-L '1=a': a name begins with a letter"},
	    {"a b=c", "-L 'a b=c': a name has letters, digits, '_', '-' and '.' only"},
	    {"a=", "-L 'a=': it has no values"},
	    {"block=1", "-L 'block=1': {block} is the number that abstat draws for each block"},
	};
	struct parameter p;
	char err[256];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parameter_parse(&p, bad[i][0], err, sizeof(err)), -EINVAL);
		assert_string_equal(err, bad[i][1]);
	}
	assert_int_equal(parameter_parse(&p, "a-b=1,,x=y", err, sizeof(err)), 0);
	assert_string_equal(p.name, "a-b");
	assert_int_equal(p.n, 3);
	assert_string_equal(p.values[0], "1");
	assert_string_equal(p.values[1], "");
	assert_string_equal(p.values[2], "x=y");
	parameter_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lists), cmocka_unit_test(refuses),     cmocka_unit_test(parts),
	    cmocka_unit_test(shell), cmocka_unit_test(given_words), cmocka_unit_test(parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
