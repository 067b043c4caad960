/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Derived metrics: which are built for which events, on which PMU, CPU and in which modes; the
 * user's own. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <cmocka.h>

#include "expr.h"
#include "metric.h"

static void add(struct metric_list *list, const char *name, enum metric_source source)
{
	struct metric *m = metric_append(list);

	assert_non_null(m);
	m->name = strdup(name);
	m->event = strdup(name);
	m->unit = strdup("");
	m->source = source;
}

/* Counters of the names in NAMES, separated by blanks, and duration_time; then the derived ones. */
static void build(struct metric_list *list, const char *names)
{
	char *copy = strdup(names), *save = NULL;

	*list = (struct metric_list){0};
	for (char *name = strtok_r(copy, " ", &save); name; name = strtok_r(NULL, " ", &save))
		add(list, name, METRIC_COUNTER);
	free(copy);
	add(list, "duration_time", METRIC_TOOL);
	assert_int_equal(metric_append_derived(list), 0);
}

static const struct metric *get(const struct metric_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i].name, name))
			return &list->v[i];
	fail_msg("there is no '%s'", name);
	return NULL;
}

static bool has(const struct metric_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i].name, name))
			return true;
	return false;
}

static void check_names_unique(const struct metric_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(list->v[i].name, list->v[k].name))
				fail_msg("two metrics are called '%s'", list->v[i].name);
}

static void check_ratio(const struct metric_list *list, const char *name, const char *numerator,
			const char *denominator)
{
	const struct metric *m = get(list, name);
	char formula[200];

	assert_int_equal(m->source, METRIC_EXPR);
	assert_string_equal(list->v[m->operands[0]].name, numerator);
	assert_string_equal(list->v[m->operands[1]].name, denominator);
	assert_string_equal(m->beside, numerator);
	snprintf(formula, sizeof(formula), "'%s' / '%s'", numerator, denominator);
	assert_string_equal(m->formula, formula);
	check_names_unique(list);
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_derived_metrics; i++) {
		const struct derived_info *d = &derived_metrics[i];

		assert_true(*d->name && *d->numerator && *d->denominator && *d->note);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(d->name, derived_metrics[k].name);
	}
}

static void test_default_set(void **state)
{
	struct metric_list list;

	(void)state;
	build(
	    &list,
	    "task-clock context-switches cycles instructions branches branch-misses cache-misses");
	check_ratio(&list, "cpus-utilized", "task-clock", "duration_time");
	check_ratio(&list, "ghz", "cycles", "task-clock");
	check_ratio(&list, "ipc", "instructions", "cycles");
	check_ratio(&list, "branch-miss-rate", "branch-misses", "branches");
	assert_false(has(&list, "cache-miss-rate"));
	assert_int_equal(list.n, 8 + 4);
	assert_int_equal(get(&list, "ipc")->direction, DIRECTION_HIGHER);
	assert_int_equal(get(&list, "branch-miss-rate")->direction, DIRECTION_LOWER);
	metric_list_release(&list);
}

/* cycles:u over the whole time would be too low a frequency. */
static void test_user_space_only(void **state)
{
	struct metric_list list;

	(void)state;
	build(&list, "task-clock:u cycles:u instructions:u");
	check_ratio(&list, "ipc", "instructions:u", "cycles:u");
	assert_false(has(&list, "ghz"));
	metric_list_release(&list);
	build(&list, "task-clock cycles:u");
	assert_false(has(&list, "ghz"));
	metric_list_release(&list);
}

static void test_modes_are_not_mixed(void **state)
{
	struct metric_list list;

	(void)state;
	build(&list, "instructions:u cycles");
	assert_false(has(&list, "ipc"));
	metric_list_release(&list);
	build(&list, "instructions cycles:u cycles");
	check_ratio(&list, "ipc", "instructions", "cycles");
	metric_list_release(&list);
}

/* Two of a kind in one list need two names. */
static void test_both_modes(void **state)
{
	struct metric_list list;

	(void)state;
	build(&list, "instructions:u cycles:u instructions:k cycles:k");
	check_names_unique(&list);
	assert_int_equal(list.n, 5 + 2);
	const struct metric *u = &list.v[5], *k = &list.v[6];

	assert_string_equal(list.v[u->operands[0]].name, "instructions:u");
	assert_string_equal(list.v[u->operands[1]].name, "cycles:u");
	assert_string_equal(list.v[k->operands[0]].name, "instructions:k");
	assert_string_equal(list.v[k->operands[1]].name, "cycles:k");
	metric_list_release(&list);
}

static void test_hybrid(void **state)
{
	struct metric_list list;

	(void)state;
	build(&list,
	      "cpu_atom/instructions/ cpu_core/instructions/ cpu_core/cycles/ cpu_atom/cycles/ "
	      "task-clock");
	check_ratio(&list, "cpu_atom/ipc", "cpu_atom/instructions/", "cpu_atom/cycles/");
	check_ratio(&list, "cpu_core/ipc", "cpu_core/instructions/", "cpu_core/cycles/");
	check_ratio(&list, "cpu_core/ghz", "cpu_core/cycles/", "task-clock");
	assert_false(has(&list, "ipc"));
	metric_list_release(&list);
	build(&list, "cpu_atom/instructions/ cpu_core/cycles/");
	assert_false(has(&list, "cpu_atom/ipc"));
	metric_list_release(&list);
}

static void test_cpus(void **state)
{
	struct metric_list list;

	(void)state;
	build(&list, "CPU0/cycles CPU1/cycles CPU0/instructions CPU1/instructions CPU0/task-clock "
		     "CPU1/task-clock");
	check_ratio(&list, "CPU0/ipc", "CPU0/instructions", "CPU0/cycles");
	check_ratio(&list, "CPU1/ipc", "CPU1/instructions", "CPU1/cycles");
	check_ratio(&list, "CPU1/ghz", "CPU1/cycles", "CPU1/task-clock");
	check_ratio(&list, "CPU1/cpus-utilized", "CPU1/task-clock", "duration_time");
	metric_list_release(&list);
}

static void test_not_countable(void **state)
{
	struct metric_list list = {0};

	(void)state;
	add(&list, "instructions", METRIC_COUNTER);
	add(&list, "cycles", METRIC_COUNTER);
	list.v[1].reason = strdup("no counters");
	assert_int_equal(metric_append_derived(&list), 0);
	assert_int_equal(list.n, 2);
	metric_list_release(&list);
}

static bool any(void *context, const char *name, size_t len)
{
	(void)context;
	(void)name;
	return len > 0;
}

static int append(struct metric_list *list, const char *name, const char *text, const char *pmu,
		  const char **missing)
{
	char err[200];
	struct expr *e = expr_parse(text, any, NULL, err, sizeof(err));

	assert_non_null(e);
	return metric_append_expr(list, name, e, pmu, missing);
}

static void test_custom(void **state)
{
	struct metric_list list;
	const char *missing = NULL;

	(void)state;
	build(&list, "instructions cycles cache-misses");
	assert_int_equal(
	    append(&list, "mpki", "'cache-misses' * 1000 / instructions", NULL, &missing), 0);
	/* Over a derived one, and over another of the user's. */
	assert_int_equal(append(&list, "both", "ipc + mpki", NULL, &missing), 0);
	double values[16] = {4000, 2000, 8, 1e9};
	bool divided;

	for (size_t i = 4; i < list.n; i++)
		values[i] = metric_eval(&list.v[i], values, &divided);
	assert_true(values[metric_find(&list, "ipc")] == 2);
	assert_true(values[metric_find(&list, "mpki")] == 2);
	assert_true(values[metric_find(&list, "both")] == 4);
	values[0] = 0;
	assert_true(isnan(metric_eval(get(&list, "mpki"), values, &divided)));
	assert_true(divided);
	values[0] = NAN;
	assert_true(isnan(metric_eval(get(&list, "mpki"), values, &divided)));
	assert_false(divided);
	metric_list_release(&list);
}

static void test_custom_on_a_pmu(void **state)
{
	struct metric_list list = {0};
	const char *missing = NULL;

	(void)state;
	add(&list, "cpu_core/cycles/", METRIC_COUNTER);
	add(&list, "cpu_atom/cycles/", METRIC_COUNTER);
	add(&list, "cycles", METRIC_COUNTER);
	for (size_t i = 0; i < 3; i++) {
		free(list.v[i].event);
		list.v[i].event = strdup("cycles");
	}
	assert_int_equal(append(&list, "half", "cycles / 2", "cpu_atom", &missing), 0);
	assert_string_equal(list.v[3].name, "cpu_atom/half");
	assert_string_equal(list.v[3].event, "half");
	assert_int_equal(list.v[3].operands[0], 1);
	metric_list_release(&list);
}

static void test_wrong_operands(void **state)
{
	struct metric_list list;
	const char *missing = NULL;

	(void)state;
	build(&list, "cycles");
	assert_int_equal(append(&list, "self", "self * 2", NULL, &missing), -ENOENT);
	assert_string_equal(missing, "self");
	assert_int_equal(append(&list, "x", "cycles + nothing", NULL, &missing), -ENOENT);
	assert_string_equal(missing, "nothing");
	metric_list_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_table),
	    cmocka_unit_test(test_default_set),
	    cmocka_unit_test(test_user_space_only),
	    cmocka_unit_test(test_modes_are_not_mixed),
	    cmocka_unit_test(test_both_modes),
	    cmocka_unit_test(test_hybrid),
	    cmocka_unit_test(test_cpus),
	    cmocka_unit_test(test_not_countable),
	    cmocka_unit_test(test_custom),
	    cmocka_unit_test(test_custom_on_a_pmu),
	    cmocka_unit_test(test_wrong_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
