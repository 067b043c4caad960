/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which variants are compared with which: --baseline, --pairs, names that hold the separators,
 * letters, errors. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyse-pairs.h"

enum { MOST = 8 };

/* The pairs of NAMES (NULL-terminated), as "0:1 0:2"; or the error. */
static const char *pairs_of(const char *const *names, const char *baseline, const char *pairs)
{
	static char text[1000];
	struct analyse_side sides[MOST];
	struct judge_options options = {.baseline = baseline, .pairs = pairs};
	size_t n_sides = 0, *list = NULL, n = 0, used = 0;
	char err[400] = "";

	for (; names[n_sides]; n_sides++)
		sides[n_sides] = (struct analyse_side){.name = names[n_sides], .n_sources = 1};
	int r = analyse_pairs(sides, n_sides, &options, &list, &n, err, sizeof(err));

	*text = '\0';
	if (r) {
		assert_int_equal(r, -EINVAL);
		assert_null(list);
		snprintf(text, sizeof(text), "%s", err);
		return text;
	}
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%zu:%zu",
					 i ? " " : "", list[2 * i], list[2 * i + 1]);
	free(list);
	return text;
}

static const char *const two[] = {"old", "new", NULL};
static const char *const four[] = {"old", "new", "newer", "newest", NULL};

static void test_each_with_the_first(void **state)
{
	static const char *const one[] = {"old", NULL};

	(void)state;
	assert_string_equal(pairs_of(two, NULL, NULL), "0:1");
	assert_string_equal(pairs_of(four, NULL, NULL), "0:1 0:2 0:3");
	assert_string_equal(pairs_of(one, NULL, NULL), "");
}

static void test_baseline(void **state)
{
	(void)state;
	assert_string_equal(pairs_of(four, "newer", NULL), "2:0 2:1 2:3");
	assert_string_equal(pairs_of(four, "old", NULL), "0:1 0:2 0:3");
	assert_string_equal(pairs_of(four, "D", NULL), "3:0 3:1 3:2");
	assert_string_equal(pairs_of(two, "older", NULL),
			    "--baseline: 'older' names no variant; there are: 'old', 'new'");
	assert_string_equal(pairs_of(two, "C", NULL),
			    "--baseline: 'C' names no variant; there are: 'old', 'new'");
	assert_string_equal(pairs_of(two, "", NULL),
			    "--baseline: '' names no variant; there are: 'old', 'new'");
}

static void test_pairs(void **state)
{
	(void)state;
	assert_string_equal(pairs_of(four, NULL, "new:newest"), "1:3");
	assert_string_equal(pairs_of(four, NULL, "new:newest,newer:old"), "1:3 2:0");
	assert_string_equal(pairs_of(four, NULL, "A:B,C:D"), "0:1 2:3");
	assert_string_equal(pairs_of(four, NULL, "all"), "0:1 0:2 0:3 1:2 1:3 2:3");
	assert_string_equal(pairs_of(two, NULL, "all"), "0:1");
}

static void test_wrong_pairs(void **state)
{
	(void)state;
	assert_string_equal(pairs_of(two, NULL, "old:old"),
			    "--pairs: 'old' is compared with itself");
	assert_string_equal(pairs_of(two, NULL, "old:A"), "--pairs: 'old' is compared with itself");
	assert_string_equal(pairs_of(two, NULL, "old"),
			    "--pairs: 'old' names no variant; there are: 'old', 'new'");
	assert_string_equal(pairs_of(two, NULL, "old:new,"),
			    "--pairs: '' names no variant; there are: 'old', 'new'");
	assert_string_equal(pairs_of(two, NULL, ""),
			    "--pairs: '' names no variant; there are: 'old', 'new'");
	assert_string_equal(pairs_of(two, NULL, "old:wrong"),
			    "--pairs: 'old:wrong' names no variant; there are: 'old', 'new'");
	assert_string_equal(pairs_of(two, NULL, ":new"),
			    "--pairs: ':new' names no variant; there are: 'old', 'new'");
	assert_string_equal(pairs_of(two, NULL, "old:new:old"),
			    "--pairs: 'old:new:old' names no variant; there are: 'old', 'new'");
}

/* A pair given twice would be two members of one family, and every p value adjusted for nothing. */
static void test_pair_given_twice(void **state)
{
	(void)state;
	assert_string_equal(pairs_of(two, NULL, "old:new,old:new"),
			    "--pairs: 'old' and 'new' are compared twice");
	assert_string_equal(pairs_of(two, NULL, "old:new,new:old"),
			    "--pairs: 'new' and 'old' are compared twice");
}

static void test_separators_in_names(void **state)
{
	static const char *const commands[] = {"./a -x 1,2", "b:c", "b", "c,./a -x 1", "2:b", NULL};

	(void)state;
	assert_string_equal(pairs_of(commands, NULL, "./a -x 1,2:b:c"), "0:1");
	assert_string_equal(pairs_of(commands, NULL, "b:c:./a -x 1,2"), "1:0");
	assert_string_equal(pairs_of(commands, NULL, "./a -x 1,2:b:c,b:2:b"), "0:1 2:4");
	assert_string_equal(pairs_of(commands, "./a -x 1,2", NULL), "0:1 0:2 0:3 0:4");
}

static void test_name_before_letter(void **state)
{
	static const char *const swapped[] = {"B", "A", NULL};

	(void)state;
	assert_string_equal(pairs_of(swapped, "A", NULL), "1:0");
	assert_string_equal(pairs_of(swapped, NULL, "A:B"), "1:0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_each_with_the_first),
	    cmocka_unit_test(test_baseline),
	    cmocka_unit_test(test_pairs),
	    cmocka_unit_test(test_wrong_pairs),
	    cmocka_unit_test(test_pair_given_twice),
	    cmocka_unit_test(test_separators_in_names),
	    cmocka_unit_test(test_name_before_letter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
