/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record's header, plan and closing line, decoded. The file may come from anywhere: every type
 * and every range is checked, and fields that are not known are passed over, because newer versions
 * may add some.
 */
#include "record-decode.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "number.h"
#include "record-file.h"

/* The first error is kept; what comes after it is skipped. */
struct decoder {
	int rc;
	char *err;
	size_t err_size;
};

static void bad(struct decoder *d, const char *key, const char *expected)
{
	if (d->rc)
		return;
	d->rc = -EINVAL;
	snprintf(d->err, d->err_size, "'%s' is not %s", key, expected);
}

static void no_memory(struct decoder *d)
{
	if (d->rc)
		return;
	d->rc = -ENOMEM;
	snprintf(d->err, d->err_size, "out of memory");
}

static bool absent(json_t *value)
{
	return !value || json_is_null(value);
}

static char *get_string(struct decoder *d, json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);
	char *copy;

	if (absent(value))
		return NULL;
	if (!json_is_string(value)) {
		bad(d, key, "a string");
		return NULL;
	}
	copy = strdup(json_string_value(value));
	if (!copy)
		no_memory(d);
	return copy;
}

static int64_t get_integer(struct decoder *d, json_t *object, const char *key, int64_t min,
			   int64_t max, int64_t otherwise)
{
	json_t *value = json_object_get(object, key);
	char expected[80];

	if (absent(value))
		return otherwise;
	if (json_is_integer(value) && json_integer_value(value) >= min &&
	    json_integer_value(value) <= max)
		return json_integer_value(value);
	snprintf(expected, sizeof(expected), "a whole number from %lld to %lld", (long long)min,
		 (long long)max);
	bad(d, key, expected);
	return otherwise;
}

static double get_number(struct decoder *d, json_t *object, const char *key, double otherwise)
{
	json_t *value = json_object_get(object, key);

	if (absent(value))
		return otherwise;
	if (!json_is_number(value))
		bad(d, key, "a number");
	return json_number_value(value);
}

/* true, false, or OTHERWISE for what is not there. */
static int get_flag(struct decoder *d, json_t *object, const char *key, int otherwise)
{
	json_t *value = json_object_get(object, key);

	if (absent(value))
		return otherwise;
	if (!json_is_boolean(value))
		bad(d, key, "true or false");
	return json_is_true(value);
}

static int get_token(struct decoder *d, json_t *object, const char *key,
		     int (*find)(const char *token, size_t len), int otherwise)
{
	json_t *value = json_object_get(object, key);
	int found;

	if (absent(value))
		return otherwise;
	found =
	    json_is_string(value) ? find(json_string_value(value), json_string_length(value)) : -1;
	if (found < 0)
		bad(d, key, "a word that this version knows");
	return found < 0 ? otherwise : found;
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* A word: a string, or {"hex": "..."} for what is not UTF-8. */
static char *get_word(struct decoder *d, json_t *value, const char *key)
{
	const char *hex = json_string_value(json_object_get(value, "hex"));
	size_t len = hex ? strlen(hex) / 2 : 0;
	char *copy;

	if (json_is_string(value)) {
		copy = strdup(json_string_value(value));
		if (!copy)
			no_memory(d);
		return copy;
	}
	if (!hex) {
		bad(d, key, "made of strings");
		return NULL;
	}
	copy = calloc(1, len + 1);
	if (!copy) {
		no_memory(d);
		return NULL;
	}
	for (size_t i = 0; i < len; i++) {
		int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);

		if (high < 0 || low < 0) {
			bad(d, key, "made of strings");
			break;
		}
		copy[i] = (char)(high << 4 | low);
	}
	return copy;
}

static char **get_words(struct decoder *d, json_t *object, const char *key)
{
	json_t *array = json_object_get(object, key), *value;
	char **words;
	size_t i, n = json_array_size(array);

	if (absent(array))
		return NULL;
	if (!json_is_array(array)) {
		bad(d, key, "an array");
		return NULL;
	}
	words = calloc(n + 1, sizeof(*words));
	if (!words) {
		no_memory(d);
		return NULL;
	}
	json_array_foreach(array, i, value)
	{
		words[i] = get_word(d, value, key);
		if (!words[i])
			break;
	}
	return words;
}

static void decode_host(struct decoder *d, json_t *host, struct machine *m)
{
	m->hostname = get_string(d, host, "hostname");
	m->kernel = get_string(d, host, "kernel");
	m->cmdline = get_string(d, host, "cmdline");
	m->arch = get_string(d, host, "arch");
	m->cpu_model = get_string(d, host, "cpu_model");
	m->microcode = get_string(d, host, "microcode");
	m->governor = get_string(d, host, "governor");
	m->clocksource = get_string(d, host, "clocksource");
	m->boot_id = get_string(d, host, "boot_id");
	m->hypervisor = get_string(d, host, "hypervisor");
	m->cpus_online = (int)get_integer(d, host, "cpus_online", 0, INT32_MAX, -1);
	m->smt = get_flag(d, host, "smt", -1);
	m->turbo = get_flag(d, host, "turbo", -1);
	m->aslr = (int)get_integer(d, host, "aslr", 0, INT32_MAX, -1);
	m->paranoid = (int)get_integer(d, host, "paranoid", INT32_MIN, INT32_MAX, -1);
	m->memory = get_integer(d, host, "memory", 0, INT64_MAX, -1);
}

/* A name that must be there, and only once: NAMES is the set of those seen. */
static char *get_name(struct decoder *d, json_t *object, json_t *names)
{
	char *name = get_string(d, object, "name");

	if (!name || !*name) {
		bad(d, "name", "a string with something in it");
	} else if (json_object_get(names, name)) {
		bad(d, "name", "there only once");
	} else if (json_object_set_new(names, name, json_true())) {
		no_memory(d);
	}
	return name;
}

/* The enum tool_event called NAME, -1 if there is none. */
static int find_tool(const char *name)
{
	for (int i = TOOL_NONE + 1; name && i < TOOL_EVENTS; i++)
		if (!strcmp(tool_events[i].name, name))
			return i;
	return -1;
}

/* The words beside a built-in metric are not the file's to choose. */
static const char *find_note(const char *note)
{
	for (size_t i = 0; note && i < n_derived_metrics; i++)
		if (!strcmp(derived_metrics[i].note, note))
			return derived_metrics[i].note;
	return NULL;
}

static void decode_note(struct decoder *d, json_t *object, struct metric *m)
{
	char *note = get_string(d, object, "note");

	m->note = find_note(note);
	if (m->note)
		m->beside = get_string(d, object, "beside");
	if (!m->beside)
		m->note = NULL;
	free(note);
}

static void decode_metric(struct decoder *d, json_t *object, json_t *names,
			  struct metric_list *list)
{
	struct metric *m = metric_append(list);

	if (!m) {
		no_memory(d);
		return;
	}
	m->name = get_name(d, object, names);
	m->event = get_string(d, object, "event");
	m->unit = get_string(d, object, "unit");
	m->direction =
	    (enum direction)get_token(d, object, "direction", direction_find, DIRECTION_NEUTRAL);
	m->source =
	    (enum metric_source)get_token(d, object, "source", metric_source_find, METRIC_IMPORT);
	m->formula = get_string(d, object, metric_formula_key(m->source));
	m->scale = get_number(d, object, "scale", 1);
	m->group = (int)get_integer(d, object, "group", 0, INT16_MAX, -1);
	m->shown = get_flag(d, object, "shown", true);
	m->margin = get_number(d, object, "margin", NAN);
	m->reason = get_string(d, object, "reason");
	decode_note(d, object, m);
	m->slot = m->source == METRIC_TOOL ? find_tool(m->name) : -1;
	if (!m->event && m->name)
		m->event = strdup(m->name);
	if (!m->unit)
		m->unit = strdup("");
	if (!m->unit || (m->name && !m->event))
		no_memory(d);
}

static void decode_metrics(struct decoder *d, json_t *header, struct record *r)
{
	json_t *array = json_object_get(header, "metrics"), *names = json_object(), *value;
	size_t i;

	if (!json_is_array(array))
		bad(d, "metrics", "an array");
	if (json_array_size(array) > RECORD_MAX_METRICS)
		bad(d, "metrics", "an array of at most 10000 metrics");
	json_array_foreach(array, i, value)
	{
		if (d->rc)
			break;
		decode_metric(d, value, names, &r->metrics);
	}
	json_decref(names);
}

static void decode_variants(struct decoder *d, json_t *header, struct record *r)
{
	json_t *array = json_object_get(header, "variants"), *names = json_object(), *value;
	size_t i;

	if (!json_is_array(array) || !json_array_size(array))
		bad(d, "variants", "an array with something in it");
	if (json_array_size(array) > RECORD_MAX_VARIANTS)
		bad(d, "variants", "an array of at most 10000 variants");
	json_array_foreach(array, i, value)
	{
		char *name = d->rc ? NULL : get_name(d, value, names);
		char *command = d->rc ? NULL : get_string(d, value, "command");
		struct record_variant *v = d->rc ? NULL : record_add_variant(r, name, command);

		free(name);
		free(command);
		if (!v) {
			no_memory(d);
			break;
		}
		v->argv = get_words(d, value, "argv");
	}
	json_decref(names);
}

static void decode_notes(struct decoder *d, json_t *object, struct record *r)
{
	json_t *array = json_object_get(object, "notes"), *value;
	size_t i;

	if (absent(array))
		return;
	if (!json_is_array(array))
		bad(d, "notes", "an array");
	json_array_foreach(array, i, value)
	{
		if (!json_is_string(value))
			bad(d, "notes", "made of strings");
		else if (record_note(r, "%s", json_string_value(value)))
			no_memory(d);
	}
}

int record_decode_header(json_t *header, struct record *r, char *err, size_t err_size)
{
	struct decoder d = {0, err, err_size};
	char *start = get_string(&d, header, "start"), *seed = get_string(&d, header, "seed");
	char *primary = get_string(&d, header, "primary");
	json_t *cwd = json_object_get(header, "cwd");
	const char *end = seed ? seed + strlen(seed) : NULL;

	r->version = get_string(&d, header, "abstat");
	if (start && utc_parse(start, &r->start_ns))
		bad(&d, "start", "a time in UTC");
	if (seed && number_parse_u64(seed, end, &r->plan.seed) != end)
		bad(&d, "seed", "a whole number below 2^64, as a string");
	r->arguments = get_words(&d, header, "arguments");
	if (!absent(cwd))
		r->cwd = get_word(&d, cwd, "cwd");
	r->environment = get_words(&d, header, "environment");
	decode_host(&d, json_object_get(header, "host"), &r->machine);
	decode_metrics(&d, header, r);
	decode_variants(&d, header, r);
	for (size_t i = 0; primary && !d.rc && i < r->metrics.n && r->primary < 0; i++)
		if (!strcmp(r->metrics.v[i].name, primary))
			r->primary = (long)i;
	if (primary && r->primary < 0)
		bad(&d, "primary", "the name of one of the metrics");
	decode_notes(&d, header, r);
	r->n_header_notes = r->n_notes;
	free(start);
	free(seed);
	free(primary);
	return d.rc;
}

static void decode_looks(struct decoder *d, json_t *plan, struct record_plan *p)
{
	json_t *array = json_object_get(plan, "looks"), *value;
	size_t i, n = json_array_size(array);

	free(p->looks);
	p->looks = NULL;
	p->n_looks = 0;
	if (!n)
		return;
	p->looks = calloc(n, sizeof(*p->looks));
	if (!p->looks) {
		no_memory(d);
		return;
	}
	json_array_foreach(array, i, value)
	{
		json_int_t look = json_integer_value(value);

		if (look < 1 || look > UINT32_MAX || (i && look <= p->looks[i - 1]))
			bad(d, "looks", "made of ascending numbers of blocks");
		p->looks[i] = (uint32_t)look;
	}
	p->n_looks = n;
}

int record_decode_plan(json_t *plan, struct record *r, char *err, size_t err_size)
{
	struct decoder d = {0, err, err_size};
	struct record_plan *p = &r->plan;
	char *layout = get_string(&d, plan, "layout");

	p->warmup = (uint32_t)get_integer(&d, plan, "warmup", 0, UINT32_MAX, 0);
	p->first_block = (uint32_t)get_integer(&d, plan, "first_block", 0, UINT32_MAX, 0);
	p->min_blocks = (uint32_t)get_integer(&d, plan, "min_blocks", 0, UINT32_MAX, 0);
	p->max_blocks = (uint32_t)get_integer(&d, plan, "max_blocks", 0, UINT32_MAX, 0);
	p->fixed = get_flag(&d, plan, "fixed", false);
	p->interleaved = get_flag(&d, plan, "interleaved", false);
	decode_looks(&d, plan, p);
	p->alpha = get_number(&d, plan, "alpha", 0.05);
	p->margin = get_number(&d, plan, "margin", 0.01);
	p->gate = get_number(&d, plan, "gate", NAN);
	p->precision = get_number(&d, plan, "precision", NAN);
	p->max_time_ns = (uint64_t)get_integer(&d, plan, "max_time_ns", 0, INT64_MAX, 0);
	p->groups = (int)get_integer(&d, plan, "groups", 1, INT16_MAX, 1);
	p->multiplexed = get_flag(&d, plan, "multiplexed", false);
	p->layout_block = layout && !strcmp(layout, "block");
	if (!(p->alpha > 0 && p->alpha < 1))
		bad(&d, "alpha", "between 0 and 1");
	if (!(p->margin >= 0 && p->margin < 1))
		bad(&d, "margin", "from 0 up to 1");
	free(layout);
	return d.rc;
}

int record_decode_end(json_t *end, struct record *r, char *err, size_t err_size)
{
	struct decoder d = {0, err, err_size};

	r->plan.stopped =
	    (enum stop_reason)get_token(&d, end, "stopped", stop_reason_find, STOPPED_NOT);
	r->plan.blocks = (uint32_t)get_integer(&d, end, "blocks", 0, UINT32_MAX, 0);
	r->plan.last_look_spends_all = get_flag(&d, end, "last_look_spends_all", false);
	if (get_integer(&d, end, "runs", 0, INT64_MAX, 0) != (int64_t)r->n_runs)
		bad(&d, "runs",
		    "the number of runs above: lines are missing, or there are too many");
	decode_notes(&d, end, r);
	r->complete = !d.rc;
	return d.rc;
}
