/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How events are split into groups, on PMUs that this test invents: it defines counter_trial()
 * itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counter-trial.h"
#include "counter.h"
#include "event.h"

enum { MOST = 16 };

/* Each PMU has this many counters; an event with config 99 gets none, as if others held its
 * counter. */
static size_t counters;
static unsigned trials;

int counter_trial(const struct event *const *events, size_t n)
{
	trials++;
	if (counters == 0)
		return -EAGAIN;
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(events[i]->pmu, events[0]->pmu);
		assert_false(events[i]->software);
		if (events[i]->attr.config == 99)
			return 0;
	}
	return n <= counters;
}

/*
 * One letter an event: a lower case letter is an event of the PMU cpu_core, a capital of cpu_atom,
 * s a software event, x an event that gets no counter, n one that is not supported; a digit after
 * it is its {group}.
 */
static size_t parse(const char *text, struct event *events, const struct event **pointers)
{
	static char names[26][2];
	size_t n = 0;

	for (; *text; text++) {
		struct event *e = &events[n];

		if (*text >= '0' && *text <= '9') {
			events[n - 1].group = *text - '0';
			continue;
		}
		assert_true(n < MOST);
		names[n][0] = *text;
		*e = (struct event){.asked = names[n], .name = names[n], .group = -1};
		e->pmu = (char *)(*text >= 'A' && *text <= 'Z' ? "cpu_atom" : "cpu_core");
		e->software = *text == 's';
		e->attr.config = *text == 'x' ? 99 : 0;
		e->reason = *text == 'n' ? EVENT_NOT_SUPPORTED : EVENT_OK;
		pointers[n++] = e;
	}
	return n;
}

struct split {
	size_t counters;
	const char *events;
	size_t primary;
	int groups;
	const char *group_of; /* a digit an event, * for every group */
};

static const struct split splits[] = {
    {4, "abcd", 0, 1, "****"},
    {4, "", 0, 1, ""},
    {4, "ss", 0, 1, "**"},
    {4, "abcdef", MOST, 2, "000011"},
    {4, "abcdefgh", 0, 3, "*0001112"},
    {4, "abcdefgh", 7, 3, "0001112*"},
    {4, "sabcde", 1, 2, "**0001"},
    {4, "abcdes", 5, 2, "00001*"},
    {4, "nabcde", 0, 2, "*00001"},
    /* groups stay together, software events with theirs */
    {4, "abcd1e1", MOST, 2, "00011"},
    {4, "ab1c1d1e1f", MOST, 2, "011110"},
    {4, "a1b1cdef", 0, 2, "**0011"},
    {4, "abcds1e1", MOST, 2, "000011"},
    {4, "s1a1bcde", 1, 2, "**0001"},
    /* an event that gets no counter has a group to itself, beside the primary */
    {4, "axb", 0, 2, "*01"},
    {4, "xab", MOST, 2, "011"},
    {4, "xab", 0, 2, "*01"},
    {1, "abc", MOST, 3, "012"},
    {1, "abc", 0, 2, "*01"},
    /* each PMU by itself; one whose events all fit is in every group */
    {2, "aAbBcC", 0, 2, "*00011"},
    {2, "abcA", MOST, 2, "001*"},
    {3, "a1b1A2B2cdD", MOST, 2, "00**01*"},
};

static void test_splits(void **state)
{
	struct event events[MOST];
	const struct event *pointers[MOST];
	int group_of[MOST];
	char err[256], got[MOST + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(splits) / sizeof(splits[0]); i++) {
		const struct split *s = &splits[i];
		size_t n = parse(s->events, events, pointers);
		int groups;

		counters = s->counters;
		trials = 0;
		groups = counter_fit(pointers, n, s->primary, group_of, err, sizeof(err));
		for (size_t k = 0; k < n; k++)
			got[k] =
			    group_of[k] == COUNTER_EVERY_GROUP ? '*' : (char)('0' + group_of[k]);
		got[n] = '\0';
		if (groups != s->groups || strcmp(got, s->group_of))
			fail_msg("%s: %d groups, %s", s->events, groups, got);
		/* What fits at once is tried once. */
		if (groups == 1)
			assert_true(trials <= 1);
	}
}

static void test_a_group_that_does_not_fit_is_an_error(void **state)
{
	struct event events[MOST];
	const struct event *pointers[MOST];
	int group_of[MOST];
	char err[256];
	size_t n;

	(void)state;
	counters = 3;
	n = parse("ab1c1d1e1", events, pointers);
	assert_int_equal(counter_fit(pointers, n, MOST, group_of, err, sizeof(err)), -E2BIG);
	assert_string_equal(err, "the group {b,c,d,e} does not fit the hardware counters; make it "
				 "smaller, or see whether another process holds counters");
	n = parse("b1c1d1e1a", events, pointers);
	assert_int_equal(counter_fit(pointers, n, 2, group_of, err, sizeof(err)), -E2BIG);
	assert_non_null(strstr(err, "the group {b,c,d,e} does not fit"));
	n = parse("ab1c1d1", events, pointers);
	assert_int_equal(counter_fit(pointers, n, 0, group_of, err, sizeof(err)), -E2BIG);
	assert_string_equal(err, "the group {b,c,d} and the primary metric a do not fit the "
				 "hardware counters together; make the group smaller");
}

static void test_a_trial_that_cannot_be_made_is_an_error(void **state)
{
	struct event events[MOST];
	const struct event *pointers[MOST];
	int group_of[MOST];
	char err[256];
	size_t n = parse("ab", events, pointers);

	(void)state;
	counters = 0;
	assert_int_equal(counter_fit(pointers, n, 0, group_of, err, sizeof(err)), -EAGAIN);
	assert_non_null(strstr(err, "cannot try which events fit"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_splits),
	    cmocka_unit_test(test_a_group_that_does_not_fit_is_an_error),
	    cmocka_unit_test(test_a_trial_that_cannot_be_made_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
