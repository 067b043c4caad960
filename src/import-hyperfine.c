/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hyperfine --export-json: every run's time in seconds, and its exit code. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "import-build.h"
#include "import-formats.h"

static bool recognise(const char *text, size_t len)
{
	return import_is_object(text, len) && memmem(text, len, "\"results\"", 9) &&
	       memmem(text, len, "\"times\"", 7) && memmem(text, len, "\"command\"", 9);
}

/* "./sort --algorithm {a}" with its parameters is told apart by hyperfine itself: they are in the
 * command. */
static int add_runs(struct import_build *b, json_t *result, uint32_t variant)
{
	json_t *times = json_object_get(result, "times"),
	       *codes = json_object_get(result, "exit_codes");
	json_t *memory = json_object_get(result, "memory_usage_byte"), *value;
	long time = import_build_metric(b, "duration_time", NULL, "ns", DIRECTION_LOWER), rss = -1;
	size_t i;
	int rc = time < 0 ? (int)time : 0;

	if (!rc && json_array_size(memory) == json_array_size(times) && json_array_size(memory)) {
		rss = import_build_metric(b, "max_rss", NULL, "bytes", DIRECTION_LOWER);
		rc = rss < 0 ? (int)rss : 0;
	}
	if (json_array_size(times) > UINT32_MAX)
		return import_error(b->in, -E2BIG, "too many runs");
	json_array_foreach(times, i, value)
	{
		json_t *code = json_array_get(codes, i);
		struct import_cell cell = {
		    .variant = variant, .row = (uint32_t)i, .n = 1, .sd = NAN, .running = 1};

		if (!json_is_number(value))
			return import_error(b->in, -EINVAL,
					    "'times' holds something else than numbers");
		cell.metric = (uint32_t)time;
		cell.value = json_number_value(value) * 1e9;
		if (!rc)
			rc = import_build_cell(b, &cell);
		if (!rc && rss >= 0) {
			cell.metric = (uint32_t)rss;
			cell.value = json_number_value(json_array_get(memory, i));
			rc = import_build_cell(b, &cell);
		}
		if (!rc && json_is_integer(code) && json_integer_value(code))
			rc = import_build_failure(b, variant, (uint32_t)i, RUN_EXIT,
						  (int)json_integer_value(code));
		else if (!rc && json_is_null(code))
			rc = import_build_failure(b, variant, (uint32_t)i, RUN_SIGNAL, 0);
		if (rc)
			return rc;
	}
	return rc;
}

static int read_results(struct import_build *b, json_t *results)
{
	json_t *result;
	size_t i;

	json_array_foreach(results, i, result)
	{
		const char *command = json_string_value(json_object_get(result, "command"));
		long variant;
		int rc;

		if (!command || !json_is_array(json_object_get(result, "times")))
			return import_error(b->in, -EINVAL, "result %zu has no command or no times",
					    i + 1);
		variant = import_build_variant(b, *command ? command : "hyperfine", command);
		rc = variant < 0 ? (int)variant : add_runs(b, result, (uint32_t)variant);
		if (rc)
			return rc;
	}
	return import_build_finish(b);
}

static int read_all(const struct import *in, struct record *r)
{
	json_error_t error;
	json_t *root = json_loadb(in->text, in->len, JSON_REJECT_DUPLICATES, &error);
	json_t *results = json_object_get(root, "results");
	struct import_build b;
	int rc;

	import_build_init(&b, in, r);
	if (!root)
		rc = import_error(in, -EINVAL, "line %d: %s", error.line, error.text);
	else if (!json_is_array(results))
		rc = import_error(in, -EINVAL, "'results' is not an array");
	else
		rc = read_results(&b, results);
	import_build_release(&b);
	json_decref(root);
	return rc;
}

const struct importer import_hyperfine = {"hyperfine", recognise, read_all};
