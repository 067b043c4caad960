/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of metrics, and which way is good. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "metric.h"

static void add(struct metric_list *list, const char *name, const char *event)
{
	struct metric *m = metric_append(list);

	assert_non_null(m);
	m->name = strdup(name);
	m->event = event ? strdup(event) : NULL;
}

static void test_find(void **state)
{
	struct metric_list list = {0};

	(void)state;
	assert_int_equal(metric_find(&list, "cycles"), -1);
	add(&list, "cycles:u", "cycles");
	add(&list, "cycles", "cycles");
	add(&list, "noise", NULL);
	assert_int_equal(metric_find(&list, "cycles:u"), 0);
	/* What is counted under that name comes before what was only asked for under it. */
	assert_int_equal(metric_find(&list, "cycles"), 1);
	assert_int_equal(metric_find(&list, "noise"), 2);
	assert_int_equal(metric_find(&list, "cycle"), -1);
	assert_int_equal(metric_find(&list, ""), -1);
	metric_list_release(&list);
	assert_int_equal(list.n, 0);
}

static void test_fresh(void **state)
{
	struct metric_list list = {0};
	const struct metric *m = metric_append(&list);

	(void)state;
	assert_int_equal(m->group, -1);
	assert_int_equal(m->slot, -1);
	assert_int_equal(m->cpu, -1);
	assert_true(m->scale == 1);
	assert_true(m->shown);
	metric_list_release(&list);
}

static void test_directions(void **state)
{
	static const struct {
		const char *event;
		enum direction direction;
	} cases[] = {
	    {"cycles", DIRECTION_LOWER},
	    {"cycles:u", DIRECTION_LOWER},
	    {"cycles:ukH", DIRECTION_LOWER},
	    {"cpu_core/cycles/u", DIRECTION_LOWER},
	    {"cpu_atom/cache-misses/", DIRECTION_LOWER},
	    {"CPU3/cycles:u", DIRECTION_LOWER},
	    {"instructions", DIRECTION_LOWER},
	    {"duration_time", DIRECTION_LOWER},
	    {"max_rss", DIRECTION_LOWER},
	    {"context-switches", DIRECTION_LOWER},
	    {"L1-dcache-load-misses", DIRECTION_LOWER},
	    {"LLC-store-misses:k", DIRECTION_LOWER},
	    {"cpu_core/LLC-load-misses/", DIRECTION_LOWER},
	    {"branches", DIRECTION_NEUTRAL},
	    {"cache-references", DIRECTION_NEUTRAL},
	    {"L1-dcache-loads", DIRECTION_NEUTRAL},
	    {"cyclesx", DIRECTION_NEUTRAL},
	    {"cycle", DIRECTION_NEUTRAL},
	    {"r4", DIRECTION_NEUTRAL},
	    {"cpu/event=0x3c,umask=0/", DIRECTION_NEUTRAL},
	    {"sched:sched_switch", DIRECTION_NEUTRAL},
	    {"amd64_fam19h_zen4::RETIRED_UOPS:u", DIRECTION_NEUTRAL},
	    {"", DIRECTION_NEUTRAL},
	    {"/", DIRECTION_NEUTRAL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (metric_direction_of(cases[i].event) != cases[i].direction)
			fail_msg("'%s' has direction %d", cases[i].event,
				 metric_direction_of(cases[i].event));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_find),
	    cmocka_unit_test(test_fresh),
	    cmocka_unit_test(test_directions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
