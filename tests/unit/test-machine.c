/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of CPUs, and the facts of this machine and of one without any.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"

static void test_lists_of_cpus(void **state)
{
	static const struct {
		const char *text;
		int cpus[8];
		size_t n;
	} good[] = {
	    {"0", {0}, 1},
	    {"0-3,8", {0, 1, 2, 3, 8}, 5},
	    {"8,0-3", {0, 1, 2, 3, 8}, 5},
	    {"1,1-2,2", {1, 2}, 2},
	    {"5\n", {5}, 1},
	};
	static const char *const bad[] = {"", "a", "1,", "3-1", "1-", "-1", "1;2", "99999999"};
	int *cpus;
	size_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(machine_parse_cpu_list(good[i].text, &cpus, &n), 0);
		assert_int_equal(n, good[i].n);
		assert_memory_equal(cpus, good[i].cpus, n * sizeof(*cpus));
		free(cpus);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(machine_parse_cpu_list(bad[i], &cpus, &n), -EINVAL);
		assert_null(cpus);
	}
}

/* Those of this thread, whatever they are, and then one of them. */
static void test_own_cpus(void **state)
{
	cpu_set_t before, one;
	int *all, *cpus;
	size_t n_all, n;

	(void)state;
	assert_int_equal(machine_own_cpus(&all, &n_all), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(n_all, CPU_COUNT(&before));
	for (size_t i = 0; i < n_all; i++)
		assert_true(CPU_ISSET(all[i], &before) && (i == 0 || all[i] > all[i - 1]));
	CPU_ZERO(&one);
	CPU_SET(all[n_all - 1], &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(machine_own_cpus(&cpus, &n), 0);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(n, 1);
	assert_int_equal(cpus[0], all[n_all - 1]);
	free(cpus);
	free(all);
}

static void test_this_machine(void **state)
{
	struct machine m;

	(void)state;
	machine_read(&m, "/proc", "/sys");
	assert_non_null(m.kernel);
	assert_non_null(m.hostname);
	assert_non_null(m.arch);
	assert_non_null(m.boot_id);
	assert_int_equal(strlen(m.boot_id), 36);
	assert_int_equal(m.cpus_online, sysconf(_SC_NPROCESSORS_ONLN));
	assert_true(m.memory > 1 << 20);
	machine_release(&m);
	assert_null(m.kernel);
}

static void test_what_cannot_be_read_is_unknown(void **state)
{
	struct machine m;

	(void)state;
	machine_read(&m, "/nonexistent", "/nonexistent");
	assert_null(m.hostname);
	assert_null(m.cpu_model);
	assert_null(m.hypervisor);
	assert_int_equal(m.cpus_online, -1);
	assert_int_equal(m.smt, -1);
	assert_int_equal(m.turbo, -1);
	assert_int_equal(m.aslr, -1);
	assert_int_equal(m.paranoid, -1);
	assert_int_equal(m.memory, -1);
	machine_release(&m);
	assert_int_equal(machine_cpu_frequency(0, "/nonexistent"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_lists_of_cpus),
	    cmocka_unit_test(test_own_cpus),
	    cmocka_unit_test(test_this_machine),
	    cmocka_unit_test(test_what_cannot_be_read_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
