/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue of events, on machines that are directories.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"

#define MACHINE(name)                                                                              \
	{                                                                                          \
		FIXTURES "/" name "/sysfs", FIXTURES "/" name "/procfs",                           \
		    FIXTURES "/" name "/tracefs"                                                   \
	}

static const struct event_roots hybrid = MACHINE("intel-hybrid");
static const struct event_roots arm = MACHINE("arm64");
static const struct event_roots none = MACHINE("no-pmu");

typedef int print_fn(const void *catalogue, const struct render_options *options, FILE *out);

static char *print(print_fn *function, const struct event_roots *roots, const char *pattern)
{
	const struct render_options options = {.separator = ';'};
	struct catalogue c;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(catalogue_read(&c, pattern, roots), 0);
	assert_int_equal(function(&c, &options, out), 0);
	fclose(out);
	catalogue_release(&c);
	return text;
}

static void test_text(void **state)
{
	static const struct {
		const struct event_roots *roots;
		const char *pattern, *expected;
	} cases[] = {
	    {&none, "*-faults",
	     "software:\n"
	     "  page-faults, faults  yes     page faults\n"
	     "  minor-faults         yes     page faults without input or output\n"
	     "  major-faults         yes     page faults that read from a disk\n"
	     "  alignment-faults     yes     unaligned accesses that the kernel had to mend\n"
	     "  emulation-faults     yes     instructions that the kernel had to emulate\n"},
	    {&none, "TASK*",
	     "software:\n  task-clock  yes     time on a CPU, by the task's clock [ns]\n"},
	    {&hybrid, "energy",
	     "pmu:\n"
	     "  power/energy-pkg/, energy-pkg  -a      event=0x02 [Joules]\n"
	     "\n"
	     "-a: counted for the whole machine only: needs -a or -C\n"},
	    {&arm, "hnf_cache_miss",
	     "pmu:\n"
	     "  ccn/hnf_cache_miss/, hnf_cache_miss  no      node=?,event=0x04\n"
	     "\n"
	     "no: not supported by this machine's counters\n"},
	    {&none, "nothing-has-this-name", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = print(catalogue_print_text, cases[i].roots, cases[i].pattern);

		assert_string_equal(text, cases[i].expected);
		free(text);
	}
}

static void test_csv(void **state)
{
	char *text = print(catalogue_print_csv, &none, "max_rss");

	(void)state;
	assert_string_equal(text, "name;alias;kind;counts;counted_as;reason;unit;description\n"
				  "max_rss;;tool;1;max_rss;;bytes;peak resident memory of the "
				  "largest process\n");
	free(text);
	text = print(catalogue_print_csv, &hybrid, "energy");
	assert_non_null(
	    strstr(text, ";pmu;0;;counted for the whole machine only: needs -a or -C;"));
	free(text);
}

static void test_json(void **state)
{
	char *text = print(catalogue_print_json, &none, "tool");
	json_t *root = json_loads(text, 0, NULL), *events, *entry;
	size_t i;

	(void)state;
	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "schema")), "abstat-list/1");
	events = json_object_get(root, "events");
	assert_int_equal(json_array_size(events), TOOL_EVENTS - 1);
	json_array_foreach(events, i, entry)
	{
		assert_true(json_is_true(json_object_get(entry, "counts")));
		assert_true(json_is_null(json_object_get(entry, "reason")));
		assert_true(json_is_null(json_object_get(entry, "alias")));
		assert_string_equal(json_string_value(json_object_get(entry, "name")),
				    json_string_value(json_object_get(entry, "counted_as")));
	}
	json_decref(root);
	free(text);
	/* Where nothing matches there is a document all the same. */
	text = print(catalogue_print_json, &none, "nothing-has-this-name");
	root = json_loads(text, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(root, "events")), 0);
	json_decref(root);
	free(text);
}

static void test_metrics_need_both_events(void **state)
{
	struct catalogue c;

	(void)state;
	assert_int_equal(catalogue_read(&c, "metric", &none), 0);
	assert_true(c.n > 5);
	for (size_t i = 0; i < c.n; i++) {
		assert_string_equal(c.entries[i].kind, "metric");
		if (!strcmp(c.entries[i].name, "cpus-utilized"))
			assert_non_null(c.entries[i].counted_as);
		assert_true(!c.entries[i].counted_as == !!c.entries[i].reason_text);
	}
	catalogue_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_text),
	    cmocka_unit_test(test_csv),
	    cmocka_unit_test(test_json),
	    cmocka_unit_test(test_metrics_need_both_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
