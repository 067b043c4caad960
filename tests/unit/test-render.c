/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every format of every kind of report, held against files in golden/. With ABSTAT_UPDATE_GOLDEN in
 * the environment the files are written anew instead: look at the difference before it is
 * committed.
 */
#include <errno.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "render.h"
#include "report-fixture.h"

static char *render(fixture_fn *build, const char *format, const struct render_options *options)
{
	struct fixture f;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	build(&f);
	assert_int_equal(renderer_find(format)->render(&f.report, options, out), 0);
	assert_int_equal(fclose(out), 0);
	fixture_release(&f);
	return text;
}

static char *read_all(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	FILE *in = fopen(path, "r");

	if (!in)
		return strdup("");
	if (getdelim(&text, &size, '\0', in) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(in);
	return text;
}

static void check(const char *name, const char *actual)
{
	char path[512];
	char *expected;

	snprintf(path, sizeof(path), "%s/%s", GOLDEN_DIR, name);
	if (getenv("ABSTAT_UPDATE_GOLDEN")) {
		FILE *out = fopen(path, "w");

		assert_non_null(out);
		fputs(actual, out);
		assert_int_equal(fclose(out), 0);
		return;
	}
	expected = read_all(path);
	if (strcmp(expected, actual))
		print_error("%s differs from:\n%s\n", path, actual);
	assert_string_equal(actual, expected);
	free(expected);
}

static const struct {
	const char *name;
	fixture_fn *build;
} reports[] = {
    {"stat", fixture_stat},       {"stat-without-pmu", fixture_stat_without_pmu},
    {"compare", fixture_compare}, {"compare-named", fixture_compare_named},
    {"diff", fixture_diff},       {"hostile", fixture_hostile},
    {"empty", fixture_empty},
};
#define N_REPORTS (sizeof(reports) / sizeof(reports[0]))

static void all_formats_are_as_before(void **state)
{
	static const struct render_options plain = {.utf8 = true, .separator = ','};

	(void)state;
	for (size_t i = 0; i < N_REPORTS; i++)
		for (size_t k = 0; renderers[k]; k++) {
			char *text = render(reports[i].build, renderers[k]->name, &plain);
			char name[128];

			snprintf(name, sizeof(name), "%s.%s", reports[i].name, renderers[k]->name);
			check(name, text);
			free(text);
		}
}

static void options_of_text(void **state)
{
	static const struct {
		const char *name;
		fixture_fn *build;
		struct render_options options;
	} cases[] = {
	    {"stat.verbose", fixture_stat, {.utf8 = true, .verbose = true, .width = 120}},
	    {"stat.narrow", fixture_stat, {.utf8 = true, .width = 80}},
	    {"stat.ascii", fixture_stat, {.width = 100}},
	    {"compare.color", fixture_compare, {.utf8 = true, .color = true, .width = 100}},
	    {"compare.narrow", fixture_compare, {.utf8 = true, .width = 80}},
	    {"compare.ascii", fixture_compare, {.width = 100}},
	    {"compare.very-narrow", fixture_compare, {.utf8 = true, .width = 10}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = render(cases[i].build, "text", &cases[i].options);

		check(cases[i].name, text);
		if (!cases[i].options.utf8)
			for (const char *p = text; *p; p++)
				assert_true((unsigned char)*p < 0x80);
		if (!cases[i].options.color)
			assert_null(strchr(text, '\033'));
		free(text);
	}
}

static void nothing_drives_the_terminal(void **state)
{
	(void)state;
	for (size_t k = 0; renderers[k]; k++) {
		const struct render_options options = {.utf8 = true, .separator = ','};
		char *text = render(fixture_hostile, renderers[k]->name, &options);

		/* CSV is for programs: RFC 4180 has no escapes. */
		if (strcmp(renderers[k]->name, "csv"))
			assert_null(strpbrk(text, "\033\a\t"));
		assert_true(!strcmp(renderers[k]->name, "json") ||
			    !strcmp(renderers[k]->name, "csv") ||
			    !strcmp(renderers[k]->name, "text") || !strstr(text, "<script>"));
		free(text);
	}
}

/* jansson, which did not write it, reads every document; numbers come back to the bit. */
static void json_is_json(void **state)
{
	const struct render_options options = {.utf8 = false};

	(void)state;
	for (size_t i = 0; i < N_REPORTS; i++) {
		char *text = render(reports[i].build, "json", &options);
		json_error_t error;
		json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);

		if (!json)
			print_error("%s: %s in line %d\n", reports[i].name, error.text, error.line);
		assert_non_null(json);
		assert_string_equal(json_string_value(json_object_get(json, "schema")),
				    "abstat-report/1");
		json_decref(json);
		free(text);
	}
}

static void numbers_in_json_are_whole(void **state)
{
	const struct render_options options = {.utf8 = true};
	char *text = render(fixture_compare, "json", &options);
	json_t *json = json_loads(text, 0, NULL);
	json_t *metric, *comparison;

	(void)state;
	assert_non_null(json);
	comparison = json_array_get(json_object_get(json, "comparisons"), 0);
	metric = json_array_get(json_object_get(comparison, "metrics"), 0);
	assert_true(json_number_value(json_object_get(json_object_get(metric, "change"),
						      "estimate")) == -0.00272);
	/* What has no end is null beside a reason, and what has no value is null. */
	metric = json_array_get(json_object_get(comparison, "metrics"), 7);
	assert_true(json_is_null(json_object_get(json_object_get(metric, "change"), "low")));
	assert_true(json_is_string(json_object_get(json_object_get(metric, "change"), "reason")));
	metric = json_array_get(json_object_get(comparison, "metrics"), 9);
	assert_true(json_is_null(json_object_get(metric, "verdict")));
	assert_true(json_is_string(json_object_get(metric, "reason")));
	json_decref(json);
	free(text);
}

static void failed_writes_are_reported(void **state)
{
	struct fixture f;

	(void)state;
	fixture_compare(&f);
	for (size_t i = 0; renderers[i]; i++) {
		FILE *full = fopen("/dev/full", "w");

		assert_non_null(full);
		assert_int_equal(renderers[i]->render(
				     &f.report, &(struct render_options){.separator = ','}, full),
				 -ENOSPC);
		fclose(full);
	}
	fixture_release(&f);
}

/* Very many metrics are printed, in every format, in time and memory that grow with their number
 * alone. */
static void very_many_metrics(void **state)
{
	const size_t n = 200000;
	struct report_metric *metrics = calloc(n, sizeof(*metrics));
	struct report_cell *cells = calloc(n, sizeof(*cells));
	struct report_variant variant = {.name = "x", .command = "x", .runs = 3, .cells = cells};
	struct report r = {
	    .metrics = metrics, .n_metrics = n, .variants = &variant, .n_variants = 1};
	FILE *null = fopen("/dev/null", "w");

	(void)state;
	assert_non_null(metrics);
	assert_non_null(cells);
	assert_non_null(null);
	for (size_t i = 0; i < n; i++) {
		metrics[i] =
		    (struct report_metric){.name = "m", .event = "m", .unit = "", .shown = true};
		cells[i] = (struct report_cell){.n = i % 2 ? 3 : 0, .mean = (double)i, .sd = 1};
	}
	for (size_t i = 0; renderers[i]; i++)
		assert_int_equal(
		    renderers[i]->render(&r, &(struct render_options){.separator = ','}, null), 0);
	fclose(null);
	free(metrics);
	free(cells);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_formats_are_as_before),
	    cmocka_unit_test(options_of_text),
	    cmocka_unit_test(nothing_drives_the_terminal),
	    cmocka_unit_test(json_is_json),
	    cmocka_unit_test(numbers_in_json_are_whole),
	    cmocka_unit_test(failed_writes_are_reported),
	    cmocka_unit_test(very_many_metrics),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
