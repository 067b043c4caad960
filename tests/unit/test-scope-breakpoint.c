/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Breakpoints as probes: what is refused, and where they are put.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "scope-breakpoint.h"
#include "scope-group.h"
#include "scope-mapping.h"
#include "scope-set.h"
#include "scope-target.h"

static volatile int sink;
static char s_name[] = "s", f_name[] = "f", g_name[] = "g", two_name[] = "two", region[] = "region";

/* Two ways lead out of it. */
static __attribute__((noinline, used)) int subject(int n)
{
	if (n < 0)
		return -1;
	sink = n;
	return n + 1;
}

static void kinds(void **state)
{
	struct scope_target t[2] = {{.kind = SCOPE_FUNCTION}, {.kind = SCOPE_RANGE}};

	(void)state;
	assert_true(scope_breakpoints_apply(t, 2));
	t[1].kind = SCOPE_REGION;
	assert_true(scope_breakpoints_apply(t, 2));
	t[1].kind = SCOPE_KERNEL;
	assert_false(scope_breakpoints_apply(t, 2));
	/* A marker that is off until somebody counts up its semaphore. */
	t[1].kind = SCOPE_MARKERS;
	assert_true(scope_breakpoints_apply(t, 2));
	assert_null(scope_breakpoints_guarded(t, 2));
	t[1].begin.semaphore = 1;
	assert_false(scope_breakpoints_apply(t, 2));
	assert_ptr_equal(scope_breakpoints_guarded(t, 2), &t[1]);
}

static void refuse(struct scope_target *t, size_t n, int wanted, const char *a, const char *b)
{
	struct scope_definitions d;
	char err[4096] = "";
	int rc = scope_define_breakpoints(&d, t, n, err, sizeof(err));

	/* Not even one can be had here. */
	if (wanted == -ENOSPC && rc != -ENOSPC && strstr(err, "cannot be had"))
		skip();
	if (rc != wanted || !strstr(err, a) || !strstr(err, b))
		fail_msg("%d: %s", rc, err);
}

static void endings(void **state)
{
	struct scope_site ends[65] = {0};
	struct scope_target t = {.name = s_name, .symbol = f_name, .at_return = true, .ends = ends};

	(void)state;
	refuse(&t, 1, -ENOTSUP, "scope 's'", "no return instruction of f");
	t.n_ends = 65;
	refuse(&t, 1, -ENOTSUP, "scope 's'", "f has 65 return instructions");
	t.n_ends = 1;
	t.tail_call = g_name;
	refuse(&t, 1, -ENOTSUP, "scope 's'", "f is left by a tail call, to g");
}

static void slots(void **state)
{
	enum { N = 20 };
	struct scope_site ends[2] = {0};
	struct scope_target t[N];

	(void)state;
	for (size_t i = 0; i < N; i++)
		t[i] = (struct scope_target){
		    .name = s_name, .symbol = f_name, .at_return = true, .ends = ends, .n_ends = 1};
	t[1] = (struct scope_target){.name = region, .kind = SCOPE_REGION};
	t[2].name = two_name;
	t[2].n_ends = 2;
	refuse(t, N, -ENOSPC, "the scopes take 39 execute breakpoints",
	       "('s' one at its begin and 1 at its end, 'two' one at its begin and 2 at its ends, "
	       "'s'");
}

static void defined(void **state)
{
	struct scope_site ends[2] = {{.offset = 8}, {.offset = 16}};
	struct scope_target t[2] = {
	    {.kind = SCOPE_REGION},
	    {.name = s_name, .symbol = f_name, .at_return = true, .ends = ends, .n_ends = 2}};
	struct scope_definitions d;
	char err[1024] = "";

	(void)state;
	if (scope_define_breakpoints(&d, t, 2, err, sizeof(err)))
		skip();
	assert_true(d.breakpoints);
	assert_int_equal(d.tracefs, -1);
	assert_int_equal(d.n_probes, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(d.probes[i].scope, 1);
		assert_int_equal(d.probes[i].end, i > 0);
		assert_int_equal(d.probes[i].attr.type, PERF_TYPE_BREAKPOINT);
		assert_true(d.probes[i].attr.exclude_kernel);
	}
	scope_undefine(&d);
}

static bool is_return(uint64_t address)
{
	const unsigned char *at = (const unsigned char *)(uintptr_t)address;

#if defined(__aarch64__)
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word == 0xd65f03c0;
#else
	return at[0] == 0xc3 || ((at[0] == 0xf2 || at[0] == 0xf3) && at[1] == 0xc3);
#endif
}

static void find_subject(struct scope_target *t)
{
	struct scope_spec spec = {0};
	char path[4096], err[2048] = "";
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	assert_true(n > 0);
	path[n] = '\0';
	if (scope_spec_parse(&spec, "subject", err, sizeof(err)) ||
	    scope_target_find(t, &spec, path, err, sizeof(err)))
		fail_msg("%s", err);
	scope_spec_release(&spec);
}

/* In this process, wherever it was loaded; and not in a file that it has not mapped. */
static void placed(void **state)
{
	struct scope_definitions d = {.n_targets = 1};
	struct group_plan plan = {.first_probe = 1};
	struct scope_target t;
	char err[2048] = "", *file;

	(void)state;
	find_subject(&t);
	d.targets = &t;
	d.n_probes = 1 + t.n_ends;
	d.probes = calloc(d.n_probes, sizeof(*d.probes));
	plan.n = 1 + d.n_probes;
	plan.members = calloc(plan.n, sizeof(*plan.members));
	assert_true(t.n_ends > 0 && d.probes && plan.members);
	if (scope_place_breakpoints(&d, &plan, getpid(), err, sizeof(err)))
		fail_msg("%s", err);
	assert_int_equal(plan.members[1].attr.bp_addr, (uintptr_t)subject);
	for (size_t i = 2; i < plan.n; i++) {
		assert_true(plan.members[i].attr.bp_addr > (uintptr_t)subject);
		assert_true(is_return(plan.members[i].attr.bp_addr));
		assert_false(plan.members[i].attr.disabled);
	}
	file = t.file;
	t.file = strdup("/proc/self/status");
	assert_int_equal(scope_place_breakpoints(&d, &plan, getpid(), err, sizeof(err)), -ENOENT);
	assert_non_null(strstr(err, "scope 'subject': /proc/self/status is neither"));
	for (size_t i = 1; i < plan.n; i++)
		assert_true(plan.members[i].attr.disabled);
	free(t.file);
	t.file = file;
	free(d.probes);
	free(plan.members);
	scope_target_release(&t);
}

static void mappings(void **state)
{
	char here[] = "/tmp/scope-mapping.XXXXXX", there[] = "/tmp/scope-mapping.XXXXXX",
	     maps[2048];
	int a = mkstemp(here), b = mkstemp(there);
	struct stat file, other, is;

	(void)state;
	assert_true(a >= 0 && b >= 0 && !fstat(a, &file) && !fstat(b, &other));
	snprintf(maps, sizeof(maps),
		 "555555554000-555555555000 r--p 00000000 08:01 7      %s\n"
		 "555555555000-555555557000 r-xp 00001000 08:01 7      %s\n"
		 "555555557000-555555558000 rw-p 00003000 08:01 7      %s\n"
		 "7f0000000000-7f0000004000 r-xp 00000000 08:01 8      %s\n"
		 "7f0000004000-7f0000005000 rwxp 00000000 00:00 0 \n"
		 "7ffff7fc1000-7ffff7fc3000 r-xp 00000000 00:00 0      [vdso]\n",
		 here, here, here, there);
	assert_int_equal(mapping_address(maps, &file, 0x1000), 0x555555555000);
	assert_int_equal(mapping_address(maps, &file, 0x2fff), 0x555555556fff);
	/* What cannot be executed. */
	assert_int_equal(mapping_address(maps, &file, 0xfff), 0);
	assert_int_equal(mapping_address(maps, &file, 0x3000), 0);
	assert_int_equal(mapping_address(maps, &other, 0x1000), 0x7f0000001000);
	assert_int_equal(mapping_address("", &other, 0), 0);
	assert_true(mapping_is_of(maps, 0x555555556fff, &file));
	assert_false(mapping_is_of(maps, 0x555555557000, &file));
	assert_false(mapping_is_of(maps, 0x7f0000000000, &file));
	assert_true(mapping_file(maps, 0x7f0000000000, &is));
	assert_int_equal(is.st_ino, other.st_ino);
	assert_false(mapping_file(maps, 0x7f0000004000, &is));
	assert_false(mapping_file(maps, 0x7ffff7fc1000, &is));
	close(a);
	close(b);
	unlink(here);
	/* Was removed: nobody knows what is there. */
	assert_int_equal(mapping_address(maps, &file, 0x1000), 0);
	unlink(there);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(kinds),   cmocka_unit_test(endings), cmocka_unit_test(slots),
	    cmocka_unit_test(defined), cmocka_unit_test(placed),  cmocka_unit_test(mappings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
