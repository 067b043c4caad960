/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the stack begins: the same for all variants of a block, another one in another block.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "run-fixture.h"

static unsigned long stack_of(struct fixture *f, uint32_t variant, uint32_t offset)
{
	const struct run_request request = {
	    .variant = variant, .block_seed = 1, .stack_offset = offset};

	assert_int_equal(fixture_run_request(f, &request), 0);
	assert_int_equal(f->ran.result.outcome, RUN_OK);
	return strtoul(f->ran.out, NULL, 16);
}

static void same_within_a_block(void **state)
{
	static const char *const texts[] = {"{ACT} stack",
					    "./test-act-with-a-much-longer-name stack",
					    "{ACT} stack with more words than the others have",
					    "{ACT} stack one",
					    "VARIABLE=value {ACT} stack {block}",
					    "./test-a stack",
					    NULL};
	struct fixture f;
	unsigned long address;

	(void)state;
	unlink("test-act-with-a-much-longer-name");
	unlink("test-a");
	assert_int_equal(symlink(ACT_PATH, "test-act-with-a-much-longer-name"), 0);
	assert_int_equal(symlink(ACT_PATH, "test-a"), 0);
	fixture_init(&f, texts);
	f.config.layout_block = true;
	f.config.keep_output = true;
	address = stack_of(&f, 0, 0);
	assert_true(address != 0);
	for (uint32_t i = 0; texts[i]; i++)
		assert_int_equal(stack_of(&f, i, 0), address);
	/* An offset moves all of them by as much; back and forth. */
	for (uint32_t offset = 4096; offset > 0; offset /= 4)
		for (uint32_t i = 0; texts[i]; i++)
			assert_int_equal(stack_of(&f, i, offset & ~15u), address - (offset & ~15u));
	assert_int_equal(stack_of(&f, 0, 0), address);
	unlink("test-act-with-a-much-longer-name");
	unlink("test-a");
	fixture_release(&f);
}

static void random_otherwise(void **state)
{
	static const char *const texts[] = {"{ACT} stack", NULL};
	struct fixture f;
	unsigned long first;
	int differ = 0;
	FILE *file = fopen("/proc/sys/kernel/randomize_va_space", "r");
	int aslr = file ? fgetc(file) : '0';

	(void)state;
	if (file)
		fclose(file);
	if (aslr == '0')
		skip();
	fixture_init(&f, texts);
	f.config.keep_output = true;
	first = stack_of(&f, 0, 0);
	for (int i = 0; i < 5; i++)
		differ += stack_of(&f, 0, 0) != first;
	assert_true(differ > 0);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(same_within_a_block),
	    cmocka_unit_test(random_otherwise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
