/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What probing adds, as it is measured here, and as it is applied to kinds of targets.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "event.h"
#include "scope-calibrate.h"
#include "scope-stubs.h"
#include "scope-tracefs.h"

/* What is not seen of a target is added to it, by what an instruction costs. */
static void applied(void **state)
{
	struct scope_constant constants[1] = {{3, 0.3, 5, 0.5, true}}, out[1];
	double one[1] = {2}, one_se[1] = {0.4};
	struct scope_calibration c = {.n_costs = 1};
	struct scope_target t = {.kind = SCOPE_FUNCTION, .at_return = true, .n_ends = 1};
	struct scope_way *way = &c.ways[SCOPE_CLASS_NOP * SCOPE_ENDINGS + SCOPE_ENDING_SITES];

	(void)state;
	t.begin.first = SCOPE_CLASS_NOP;
	assert_false(scope_calibration_of(&c, &t, out));
	assert_true(out[0].inside == 0 && out[0].around == 0 && !out[0].known);
	*way = (struct scope_way){true, constants, one, one_se};
	assert_true(scope_calibration_of(&c, &t, out));
	assert_true(out[0].inside == 3 && out[0].inside_se == 0.3);
	assert_true(out[0].around == 5 && out[0].around_se == 0.5 && out[0].known);

	/* One instruction was skipped: the call reads one less. */
	t.begin.skipped = 1;
	scope_calibration_of(&c, &t, out);
	assert_true(out[0].inside == 1 && out[0].around == 5);
	assert_true(fabs(out[0].inside_se - 0.5) < 1e-12);

	/* What is around a range has both its ends, which may be of two classes. */
	struct scope_constant others[1] = {{30, 0.3, 7, 1.2, true}};
	struct scope_site ends[1] = {{.first = SCOPE_CLASS_NOP}};

	t = (struct scope_target){.kind = SCOPE_RANGE, .n_ends = 1, .ends = ends};
	t.begin.first = SCOPE_CLASS_NOP;
	assert_false(scope_calibration_of(&c, &t, out));
	c.ways[SCOPE_CLASS_NOP * SCOPE_ENDINGS + SCOPE_ENDING_PLACE] = *way;
	assert_true(scope_calibration_of(&c, &t, out));
	assert_true(out[0].inside == 3 && out[0].around == 5 && out[0].around_se == 0.5);
	ends[0].first = SCOPE_CLASS_STEPPED;
	assert_false(scope_calibration_of(&c, &t, out));
	c.ways[SCOPE_CLASS_STEPPED * SCOPE_ENDINGS + SCOPE_ENDING_PLACE] =
	    (struct scope_way){true, others, one, one_se};
	assert_true(scope_calibration_of(&c, &t, out));
	assert_true(out[0].inside == 3 && out[0].inside_se == 0.3 && out[0].around == 6);
	assert_true(fabs(out[0].around_se - 0.65) < 1e-12);

	/* A tail call is probed in the other way, which was not measured. */
	t = (struct scope_target){.kind = SCOPE_FUNCTION, .at_return = true};
	t.begin.first = SCOPE_CLASS_NOP;
	assert_false(scope_calibration_of(&c, &t, out));
}

/* Regions are not probed, and of the kernel there are no stubs: nothing runs, nothing is known. */
static void not_measured(void **state)
{
	struct scope_target t[2] = {{.kind = SCOPE_REGION}, {.kind = SCOPE_KERNEL}};
	struct scope_calibration c = {0};
	struct scope_constant out[1];
	char err[100] = "";

	(void)state;
	t[1].begin.first = SCOPE_CLASS_KERNEL;
	assert_int_equal(scope_calibrate(&c, NULL, 0, t, 2, 1, err, sizeof(err)), 0);
	for (size_t i = 0; i < SCOPE_WAYS; i++)
		assert_false(c.ways[i].known);
	assert_false(scope_calibration_of(&c, &t[1], out));
	scope_calibration_release(&c);
}

static void is_stub(enum scope_class first, enum scope_stub stub, enum scope_ending ending)
{
	struct scope_target t;

	assert_int_equal(scope_stub_target(&t, first, stub, ending), 0);
	assert_int_equal(scope_ending_of(&t), ending);
	assert_true(t.ends[0].offset > t.begin.offset);
	scope_target_release(&t);
}

static void stubs(void **state)
{
	struct scope_target t;

	(void)state;
	for (int first = 0; first < SCOPE_CLASS_KERNEL; first++)
		for (int stub = 0; stub < SCOPE_STUBS; stub++)
			for (int ending = 0; ending < SCOPE_ENDINGS; ending++)
				is_stub((enum scope_class)first, (enum scope_stub)stub,
					(enum scope_ending)ending);
	assert_int_equal(scope_stub_target(&t, SCOPE_CLASS_KERNEL, STUB_SHORT, SCOPE_ENDING_SITES),
			 -ENOTSUP);
	assert_int_equal(scope_stub_idle(&t, 0), 0);
	/* Else breakpoints could not be set on it. */
	assert_int_equal(scope_ending_of(&t), SCOPE_ENDING_SITES);
	scope_target_release(&t);
	assert_int_equal(scope_stub_idle(&t, 1000), -ENOENT);
}

static bool at_once(void)
{
	return true;
}

/* Time on this machine: a probed call takes some, and more of what is around it. */
static void measured(void **state)
{
	struct event_list events = {0};
	struct scope_calibration c = {0};
	struct scope_constant out[3];
	struct scope_target t[2];
	char err[1024] = "";
	int dir = tracefs_open();

	(void)state;
	if (dir < 0)
		skip();
	close(dir);
	assert_int_equal(event_list_parse(&events, "task-clock,page-faults", &event_roots_default,
					  err, sizeof(err)),
			 0);
	event_list_probe(&events, false, &event_roots_default);
	const struct event *list[] = {&events.events[0], &events.events[1]};

	assert_int_equal(scope_stub_target(&t[0], SCOPE_CLASS_NOP, STUB_SHORT, SCOPE_ENDING_SITES),
			 0);
	assert_int_equal(scope_stub_target(&t[1], SCOPE_CLASS_NOP, STUB_LONG, SCOPE_ENDING_SITES),
			 0);
	/* Before it has run anything; it can be asked again. */
	c.interrupted = at_once;
	assert_int_equal(scope_calibrate(&c, list, 2, t, 2, 2, err, sizeof(err)), -EINTR);
	c.interrupted = NULL;
	if (scope_calibrate(&c, list, 2, t, 2, 2, err, sizeof(err)))
		fail_msg("%s", err);
	assert_true(scope_calibration_of(&c, &t[0], out));
	for (int i = 0; i < 3; i += 2) {
		assert_true(out[i].inside > 100 && out[i].inside < 1e6);
		assert_true(out[i].around > out[i].inside);
		assert_true(out[i].inside_se >= 0 && out[i].inside_se < out[i].inside);
	}
	/* An ordinary call has no page fault, whatever the first one had. */
	assert_true(out[1].inside == 0 && out[1].around == 0);
	scope_calibration_release(&c);
	scope_target_release(&t[0]);
	scope_target_release(&t[1]);
	event_list_release(&events);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(applied),
	    cmocka_unit_test(not_measured),
	    cmocka_unit_test(stubs),
	    cmocka_unit_test(measured),
	};

	if (argc > 1 && !strcmp(argv[1], SCOPE_STUBS_ARGUMENT))
		return scope_stubs_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
