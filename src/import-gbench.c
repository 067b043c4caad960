/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Google Benchmark's JSON. A repetition is a run; the iterations inside it are not. Where only
 * aggregates were written
 * (--benchmark_report_aggregates_only), their mean and standard deviation are summaries.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import-build.h"
#include "import-formats.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static bool recognise(const char *text, size_t len)
{
	return import_is_object(text, len) && memmem(text, len, "\"benchmarks\"", 12) &&
	       memmem(text, len, "\"context\"", 9) && memmem(text, len, "\"real_time\"", 11);
}

/* Numbers of a benchmark that are no measurements. */
static bool is_bookkeeping(const char *key)
{
	static const char *const keys[] = {"family_index", "per_family_instance_index",
					   "repetitions",  "repetition_index",
					   "threads",      "iterations",
					   "label"};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i], key))
			return true;
	return false;
}

static double time_scale(json_t *benchmark)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	const char *unit = json_string_value(json_object_get(benchmark, "time_unit"));

	for (size_t i = 0; unit && i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].unit, unit))
			return units[i].ns;
	return 1;
}

static const char *string_of(json_t *benchmark, const char *key)
{
	const char *s = json_string_value(json_object_get(benchmark, key));

	return s ? s : "";
}

struct reader {
	const struct import *in;
	struct import_build build;
	json_t *repetitions; /* of each name, how many came */
	json_t *deviations;  /* of each name, its "stddev" aggregate */
};

/* The metric of one number of a benchmark: "BM_copy/8 cpu_time". */
static long metric_of(struct reader *t, const char *name, const char *key, double *scale,
		      json_t *benchmark)
{
	bool time = !strcmp(key, "real_time") || !strcmp(key, "cpu_time");
	bool rate = strstr(key, "per_second");
	char *full;
	long metric;

	if (asprintf(&full, "%s %s", name, key) < 0)
		return import_error(t->in, -ENOMEM, "out of memory");
	metric = import_build_metric(&t->build, full, strcmp(key, "real_time") ? full : name,
				     time ? "ns" : "",
				     time   ? DIRECTION_LOWER
				     : rate ? DIRECTION_HIGHER
					    : DIRECTION_NEUTRAL);
	free(full);
	*scale = time ? time_scale(benchmark) : 1;
	return metric;
}

static int add(struct reader *t, json_t *benchmark, const char *name, uint32_t row, uint64_t n)
{
	json_t *deviation = json_object_get(t->deviations, name), *value;
	bool failed = json_is_true(json_object_get(benchmark, "error_occurred"));
	const char *key;

	json_object_foreach(benchmark, key, value)
	{
		struct import_cell cell = {.row = row, .n = n, .sd = NAN, .running = 1};
		double scale = 1;
		long metric;
		int rc;

		if (!json_is_number(value) || is_bookkeeping(key))
			continue;
		metric = metric_of(t, name, key, &scale, benchmark);
		if (metric < 0)
			return (int)metric;
		cell.metric = (uint32_t)metric;
		cell.value = failed ? NAN : json_number_value(value) * scale;
		cell.reason = failed ? NULL_RUN_FAILED : NULL_NONE;
		if (n > 1 && json_is_number(json_object_get(deviation, key)))
			cell.sd = json_number_value(json_object_get(deviation, key)) * scale;
		rc = import_build_cell(&t->build, &cell);
		if (rc)
			return rc;
	}
	return 0;
}

static int add_repetition(struct reader *t, json_t *benchmark, const char *name)
{
	json_int_t row = json_integer_value(json_object_get(t->repetitions, name));

	if (row >= UINT32_MAX ||
	    json_object_set_new_nocheck(t->repetitions, name, json_integer(row + 1)))
		return import_error(t->in, -ENOMEM, "out of memory");
	return add(t, benchmark, name, (uint32_t)row, 1);
}

/* The mean of an aggregate, unless its repetitions are in the file as well. */
static int add_mean(struct reader *t, json_t *benchmark, const char *name)
{
	json_int_t n = json_integer_value(json_object_get(benchmark, "repetitions"));

	if (n <= 0)
		n = json_integer_value(json_object_get(benchmark, "iterations"));
	if (n < 1 || n > UINT32_MAX)
		return import_error(t->in, -EINVAL, "%s: its number of repetitions is missing",
				    name);
	return add(t, benchmark, name, 0, (uint64_t)n);
}

static const char *name_of(json_t *benchmark, bool aggregate)
{
	const char *run_name = string_of(benchmark, "run_name");

	/* Aggregates of old versions have no run_name, and end in "_mean". */
	return *run_name || aggregate ? run_name : string_of(benchmark, "name");
}

static bool is_aggregate(json_t *benchmark)
{
	return !strcmp(string_of(benchmark, "run_type"), "aggregate");
}

static int read_benchmarks(struct reader *t, json_t *benchmarks)
{
	json_t *benchmark;
	size_t i;
	int rc = 0;

	if (import_build_variant(&t->build, "benchmark", NULL) < 0)
		return -ENOMEM;
	json_array_foreach(benchmarks, i, benchmark)
	{
		const char *name = name_of(benchmark, is_aggregate(benchmark));

		if (!json_is_object(benchmark) || !*name)
			return import_error(t->in, -EINVAL, "benchmark %zu has no name", i + 1);
		if (!is_aggregate(benchmark))
			rc = add_repetition(t, benchmark, name);
		else if (!strcmp(string_of(benchmark, "aggregate_name"), "stddev") &&
			 json_object_set_nocheck(t->deviations, name, benchmark))
			rc = import_error(t->in, -ENOMEM, "out of memory");
		if (rc)
			return rc;
	}
	json_array_foreach(benchmarks, i, benchmark)
	{
		const char *name = name_of(benchmark, is_aggregate(benchmark));

		if (!is_aggregate(benchmark) || json_object_get(t->repetitions, name) ||
		    strcmp(string_of(benchmark, "aggregate_name"), "mean") != 0)
			continue;
		rc = add_mean(t, benchmark, name);
		if (rc)
			return rc;
	}
	return import_build_finish(&t->build);
}

static int read_all(const struct import *in, struct record *r)
{
	json_error_t error;
	json_t *root = json_loadb(in->text, in->len, JSON_REJECT_DUPLICATES, &error);
	json_t *benchmarks = json_object_get(root, "benchmarks");
	struct reader t = {.in = in, .repetitions = json_object(), .deviations = json_object()};
	int rc;

	import_build_init(&t.build, in, r);
	if (!root)
		rc = import_error(in, -EINVAL, "line %d: %s", error.line, error.text);
	else if (!json_is_array(benchmarks))
		rc = import_error(in, -EINVAL, "'benchmarks' is not an array");
	else
		rc = read_benchmarks(&t, benchmarks);
	import_build_release(&t.build);
	json_decref(t.repetitions);
	json_decref(t.deviations);
	json_decref(root);
	return rc;
}

const struct importer import_gbench = {"Google Benchmark", recognise, read_all};
