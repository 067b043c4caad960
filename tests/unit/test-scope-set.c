/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of scopes by itself: what is lost is known to the call, even where nothing drains the
 * rings.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "scope-drain.h"
#include "scope-set.h"
#include "scope-tracefs.h"

struct bed {
	struct scope_target target;
	struct scope_config config;
	struct scope_set *set;
	struct scope_result result;
	void *memory;
};

static void bed_init(struct bed *b, const char *scope)
{
	struct scope_spec spec = {0};
	char err[2048] = "";

	*b = (struct bed){0};
	if (scope_spec_parse(&spec, scope, err, sizeof(err)) ||
	    scope_target_find(&b->target, &spec, CALLS_PATH, err, sizeof(err)))
		fail_msg("%s", err);
	scope_spec_release(&spec);
	b->config = (struct scope_config){.targets = &b->target, .n_targets = 1};
	b->memory = malloc(scope_result_size(&b->config));
	if (scope_set_open(&b->set, &b->config, NULL, err, sizeof(err)))
		fail_msg("%s", err);
	if (scope_set_needs_pid(b->set))
		skip();
}

static void bed_release(struct bed *b)
{
	scope_set_free(b->set);
	scope_target_release(&b->target);
	free(b->memory);
}

static const struct scope_calls *run(struct bed *b, const char *verb, const char *n, bool drained)
{
	char err[512] = "";
	int status;
	pid_t pid;

	scope_result_place(&b->result, &b->config, b->memory);
	if (scope_set_begin(b->set, 0, err, sizeof(err)))
		fail_msg("%s", err);
	if (!drained)
		drain_hold(scope_set_drain(b->set));
	pid = fork();
	if (pid == 0) {
		execl(CALLS_PATH, CALLS_PATH, verb, n, NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	if (!drained)
		drain_resume(scope_set_drain(b->set));
	if (scope_set_end(b->set, &b->result, err, sizeof(err)))
		fail_msg("%s", err);
	return b->result.calls;
}

static void drained(void **state)
{
	const struct scope_calls *c;
	struct bed b;

	(void)state;
	bed_init(&b, "leaf");
	c = run(&b, "plain", "50000", true);
	assert_int_equal(c->calls, 50000);
	assert_int_equal(c->measured, 50000);
	bed_release(&b);
}

static void not_drained(void **state)
{
	const struct scope_calls *c;
	struct bed b;

	(void)state;
	bed_init(&b, "leaf");
	for (int i = 0; i < 2; i++) {
		c = run(&b, "plain", "50000", false);
		assert_int_equal(c->calls, 50000);
		assert_true(c->lost > 0 && c->measured > 0);
		assert_int_equal(c->measured + c->lost, 50000);
		assert_int_equal(c->unreturned + c->not_counted + c->unfollowed + c->missed, 0);
		/* And the next run is whole again. */
		c = run(&b, "plain", "1000", true);
		assert_int_equal(c->measured, 1000);
		assert_int_equal(c->calls, 1000);
	}
	bed_release(&b);
}

/* Calls that do not return are not taken for lost, nor those that are lost for these. */
static void not_drained_and_left(void **state)
{
	const struct scope_calls *c;
	struct bed b;

	(void)state;
	bed_init(&b, "jumper");
	c = run(&b, "longjmp", "50000", false);
	assert_int_equal(c->calls, 50000);
	assert_true(c->lost > 0);
	assert_int_equal(c->unreturned, 25000);
	assert_int_equal(c->measured + c->lost, 25000);
	bed_release(&b);
}

static void threads_not_drained(void **state)
{
	const struct scope_calls *c;
	struct bed b;

	(void)state;
	bed_init(&b, "leaf");
	c = run(&b, "threads", "5000", false);
	assert_int_equal(c->calls, 60000);
	assert_true(c->lost > 0 && c->measured > 0);
	assert_int_equal(c->measured + c->lost, 60000);
	bed_release(&b);
}

static bool may_probe(void)
{
	int tracefs = tracefs_open();

	if (tracefs >= 0)
		close(tracefs);
	return geteuid() == 0 && tracefs >= 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(drained),
	    cmocka_unit_test(not_drained),
	    cmocka_unit_test(not_drained_and_left),
	    cmocka_unit_test(threads_not_drained),
	};

	if (!may_probe())
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
