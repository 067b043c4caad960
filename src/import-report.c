/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abstat's own report, printed by -j: its means, deviations and numbers of runs are summaries. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "import-build.h"
#include "import-formats.h"
#include "record-file.h"

static const char schema[] = "abstat-report/";

static bool recognise(const char *text, size_t len)
{
	return import_is_object(text, len) &&
	       memmem(text, len < 4096 ? len : 4096, schema, sizeof(schema) - 1);
}

static double number_of(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *string_of(json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s ? s : "";
}

/* Variants do not say which way is good; comparisons do. */
static enum direction direction_of(json_t *root, const char *name, const char *event)
{
	json_t *comparison = json_array_get(json_object_get(root, "comparisons"), 0), *metric;
	size_t i;

	json_array_foreach(json_object_get(comparison, "metrics"), i, metric)
	{
		const char *token = string_of(metric, "direction");
		int found = direction_find(token, strlen(token));

		if (!strcmp(string_of(metric, "name"), name) && found >= 0)
			return (enum direction)found;
	}
	return metric_direction_of(event);
}

static int add(struct import_build *b, json_t *root, json_t *metric, uint32_t variant)
{
	const char *name = string_of(metric, "name"), *event = string_of(metric, "event");
	json_t *n = json_object_get(metric, "n");
	struct import_cell cell = {.variant = variant, .n = 1};
	double running = number_of(metric, "running_percent");
	long index;

	if (!*name || !json_is_integer(n) || json_integer_value(n) < 0)
		return import_error(b->in, -EINVAL, "a metric without a name or a number of runs");
	index = import_build_metric(b, name, *event ? event : NULL, string_of(metric, "unit"),
				    direction_of(root, name, *event ? event : name));
	if (index < 0)
		return (int)index;
	cell.metric = (uint32_t)index;
	cell.n = (uint64_t)json_integer_value(n);
	cell.value = number_of(metric, "mean");
	cell.sd = cell.n > 1 ? number_of(metric, "sd") : NAN;
	cell.running = isnan(running) ? 1 : running / 100;
	cell.reason = isnan(cell.value) ? NULL_UNKNOWN : NULL_NONE;
	return import_build_cell(b, &cell);
}

static int read_variants(struct import_build *b, json_t *root)
{
	json_t *variant, *metric, *primary;
	size_t i, k;

	json_array_foreach(json_object_get(root, "variants"), i, variant)
	{
		const char *name = string_of(variant, "name");
		long index = import_build_variant(b, *name ? name : "?", NULL);

		if (index < 0)
			return (int)index;
		json_array_foreach(json_object_get(variant, "metrics"), k, metric)
		{
			int rc = add(b, root, metric, (uint32_t)index);

			if (rc)
				return rc;
		}
	}
	primary =
	    json_object_get(json_array_get(json_object_get(root, "comparisons"), 0), "metrics");
	json_array_foreach(primary, k, metric) if (json_is_true(json_object_get(metric, "primary")))
	    b->r->primary = metric_find(&b->r->metrics, string_of(metric, "name"));
	return import_build_finish(b);
}

static int read_all(const struct import *in, struct record *r)
{
	json_error_t error;
	json_t *root = json_loadb(in->text, in->len, JSON_REJECT_DUPLICATES, &error);
	struct import_build b;
	int rc;

	import_build_init(&b, in, r);
	if (!root)
		rc = import_error(in, -EINVAL, "line %d: %s", error.line, error.text);
	else if (strcmp(string_of(root, "schema"), "abstat-report/1") != 0)
		rc = import_error(in, -EINVAL,
				  "a report of schema '%s'; this abstat reads abstat-report/1",
				  string_of(root, "schema"));
	else
		rc = read_variants(&b, root);
	import_build_release(&b);
	json_decref(root);
	return rc;
}

const struct importer import_report = {"abstat -j", recognise, read_all};
