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
#include "json-fields.h"
#include "number.h"
#include "record-file.h"

static void decode_host(struct json_fields *d, json_t *host, struct machine *m)
{
	m->hostname = json_field_string(d, host, "hostname");
	m->kernel = json_field_string(d, host, "kernel");
	m->cmdline = json_field_string(d, host, "cmdline");
	m->arch = json_field_string(d, host, "arch");
	m->cpu_model = json_field_string(d, host, "cpu_model");
	m->microcode = json_field_string(d, host, "microcode");
	m->governor = json_field_string(d, host, "governor");
	m->clocksource = json_field_string(d, host, "clocksource");
	m->boot_id = json_field_string(d, host, "boot_id");
	m->hypervisor = json_field_string(d, host, "hypervisor");
	m->cpus_online = (int)json_field_integer(d, host, "cpus_online", 0, INT32_MAX, -1);
	m->smt = json_field_flag(d, host, "smt", -1);
	m->turbo = json_field_flag(d, host, "turbo", -1);
	m->aslr = (int)json_field_integer(d, host, "aslr", 0, INT32_MAX, -1);
	m->paranoid = (int)json_field_integer(d, host, "paranoid", INT32_MIN, INT32_MAX, -1);
	m->memory = json_field_integer(d, host, "memory", 0, INT64_MAX, -1);
}

/* A name that must be there, and only once: NAMES is the set of those seen. */
static char *get_name(struct json_fields *d, json_t *object, json_t *names)
{
	char *name = json_field_string(d, object, "name");

	if (!name || !*name) {
		json_field_bad(d, "name", "a string with something in it");
	} else if (json_object_get(names, name)) {
		json_field_bad(d, "name", "there only once");
	} else if (json_object_set_new(names, name, json_true())) {
		json_field_no_memory(d);
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

static void decode_note(struct json_fields *d, json_t *object, struct metric *m)
{
	char *note = json_field_string(d, object, "note");

	m->note = find_note(note);
	if (m->note)
		m->beside = json_field_string(d, object, "beside");
	if (!m->beside)
		m->note = NULL;
	free(note);
}

/* Of a scope without a name or a part that is known nothing can be said: it is a number like any other. */
static void decode_scope(struct json_fields *d, json_t *object, struct metric *m)
{
	char *part = json_field_string(d, object, "part");

	m->probed = json_field_flag(d, object, "probed", false);
	if (m->source == METRIC_SCOPE) {
		m->scope = json_field_string(d, object, "scope");
		m->of = json_field_string(d, object, "of");
		m->part = part ? scope_part_find(part, strlen(part)) : PART_NONE;
		if (!m->scope || !m->part || scope_part_is_cost(m->part) != !!m->of)
			m->source = METRIC_IMPORT;
	}
	free(part);
}

static void decode_metric(struct json_fields *d, json_t *object, json_t *names,
			  struct metric_list *list)
{
	struct metric *m = metric_append(list);

	if (!m) {
		json_field_no_memory(d);
		return;
	}
	m->name = get_name(d, object, names);
	m->event = json_field_string(d, object, "event");
	m->unit = json_field_string(d, object, "unit");
	m->direction = (enum direction)json_field_token(d, object, "direction", direction_find,
							DIRECTION_NEUTRAL);
	m->source = (enum metric_source)json_field_token(d, object, "source", metric_source_find,
							 METRIC_IMPORT);
	m->formula = json_field_string(d, object, metric_formula_key(m->source));
	decode_scope(d, object, m);
	m->scale = json_field_number(d, object, "scale", 1);
	m->cpu = (int)json_field_integer(d, object, "cpu", 0, INT32_MAX, -1);
	m->group = (int)json_field_integer(d, object, "group", 0, INT16_MAX, -1);
	m->shown = json_field_flag(d, object, "shown", true);
	m->margin = json_field_number(d, object, "margin", NAN);
	m->reason = json_field_string(d, object, "reason");
	decode_note(d, object, m);
	m->slot = m->source == METRIC_TOOL ? find_tool(m->name) : -1;
	if (!m->event && m->name)
		m->event = strdup(m->name);
	if (!m->unit)
		m->unit = strdup("");
	if (!m->unit || (m->name && !m->event))
		json_field_no_memory(d);
}

static void decode_metrics(struct json_fields *d, json_t *header, struct record *r)
{
	json_t *array = json_object_get(header, "metrics"), *names = json_object(), *value;
	size_t i;

	if (!json_is_array(array))
		json_field_bad(d, "metrics", "an array");
	if (json_array_size(array) > RECORD_MAX_METRICS)
		json_field_bad(d, "metrics", "an array of at most 10000 metrics");
	json_array_foreach(array, i, value)
	{
		if (d->rc)
			break;
		decode_metric(d, value, names, &r->metrics);
	}
	json_decref(names);
}

static void decode_variants(struct json_fields *d, json_t *header, struct record *r)
{
	json_t *array = json_object_get(header, "variants"), *names = json_object(), *value;
	size_t i;

	if (!json_is_array(array) || !json_array_size(array))
		json_field_bad(d, "variants", "an array with something in it");
	if (json_array_size(array) > RECORD_MAX_VARIANTS)
		json_field_bad(d, "variants", "an array of at most 10000 variants");
	json_array_foreach(array, i, value)
	{
		char *name = d->rc ? NULL : get_name(d, value, names);
		char *command = d->rc ? NULL : json_field_string(d, value, "command");
		struct record_variant *v = d->rc ? NULL : record_add_variant(r, name, command);

		free(name);
		free(command);
		if (!v) {
			json_field_no_memory(d);
			break;
		}
		v->argv = json_field_words(d, value, "argv");
	}
	json_decref(names);
}

static void decode_notes(struct json_fields *d, json_t *object, struct record *r)
{
	json_t *array = json_object_get(object, "notes"), *value;
	size_t i;

	if (json_field_absent(array))
		return;
	if (!json_is_array(array))
		json_field_bad(d, "notes", "an array");
	json_array_foreach(array, i, value)
	{
		if (!json_is_string(value))
			json_field_bad(d, "notes", "made of strings");
		else if (record_note(r, "%s", json_string_value(value)))
			json_field_no_memory(d);
	}
}

int record_decode_header(json_t *header, struct record *r, char *err, size_t err_size)
{
	struct json_fields d = {0, err, err_size};
	char *start = json_field_string(&d, header, "start"),
	     *seed = json_field_string(&d, header, "seed");
	char *primary = json_field_string(&d, header, "primary");
	json_t *cwd = json_object_get(header, "cwd");
	const char *end = seed ? seed + strlen(seed) : NULL;

	r->version = json_field_string(&d, header, "abstat");
	if (start && utc_parse(start, &r->start_ns))
		json_field_bad(&d, "start", "a time in UTC");
	if (seed && number_parse_u64(seed, end, &r->plan.seed) != end)
		json_field_bad(&d, "seed", "a whole number below 2^64, as a string");
	r->arguments = json_field_words(&d, header, "arguments");
	if (!json_field_absent(cwd))
		r->cwd = json_field_word(&d, cwd, "cwd");
	r->environment = json_field_words(&d, header, "environment");
	decode_host(&d, json_object_get(header, "host"), &r->machine);
	decode_metrics(&d, header, r);
	decode_variants(&d, header, r);
	for (size_t i = 0; primary && !d.rc && i < r->metrics.n && r->primary < 0; i++)
		if (!strcmp(r->metrics.v[i].name, primary))
			r->primary = (long)i;
	if (primary && r->primary < 0)
		json_field_bad(&d, "primary", "the name of one of the metrics");
	decode_notes(&d, header, r);
	r->n_header_notes = r->n_notes;
	free(start);
	free(seed);
	free(primary);
	return d.rc;
}

static void decode_looks(struct json_fields *d, json_t *plan, struct record_plan *p)
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
		json_field_no_memory(d);
		return;
	}
	json_array_foreach(array, i, value)
	{
		json_int_t look = json_integer_value(value);

		if (look < 1 || look > UINT32_MAX || (i && look <= p->looks[i - 1]))
			json_field_bad(d, "looks", "made of ascending numbers of blocks");
		p->looks[i] = (uint32_t)look;
	}
	p->n_looks = n;
}

int record_decode_plan(json_t *plan, struct record *r, char *err, size_t err_size)
{
	struct json_fields d = {0, err, err_size};
	struct record_plan *p = &r->plan;
	char *layout = json_field_string(&d, plan, "layout");

	p->warmup = (uint32_t)json_field_integer(&d, plan, "warmup", 0, UINT32_MAX, 0);
	p->first_block = (uint32_t)json_field_integer(&d, plan, "first_block", 0, UINT32_MAX, 0);
	p->min_blocks = (uint32_t)json_field_integer(&d, plan, "min_blocks", 0, UINT32_MAX, 0);
	p->max_blocks = (uint32_t)json_field_integer(&d, plan, "max_blocks", 0, UINT32_MAX, 0);
	p->fixed = json_field_flag(&d, plan, "fixed", false);
	p->interleaved = json_field_flag(&d, plan, "interleaved", false);
	decode_looks(&d, plan, p);
	p->alpha = json_field_number(&d, plan, "alpha", 0.05);
	p->margin = json_field_number(&d, plan, "margin", 0.01);
	p->gate = json_field_number(&d, plan, "gate", NAN);
	p->precision = json_field_number(&d, plan, "precision", NAN);
	p->max_time_ns = (uint64_t)json_field_integer(&d, plan, "max_time_ns", 0, INT64_MAX, 0);
	p->groups = (int)json_field_integer(&d, plan, "groups", 1, INT16_MAX, 1);
	p->multiplexed = json_field_flag(&d, plan, "multiplexed", false);
	p->layout_block = layout && !strcmp(layout, "block");
	if (!(p->alpha > 0 && p->alpha < 1))
		json_field_bad(&d, "alpha", "between 0 and 1");
	if (!(p->margin >= 0 && p->margin < 1))
		json_field_bad(&d, "margin", "from 0 up to 1");
	free(layout);
	return d.rc;
}

int record_decode_end(json_t *end, struct record *r, char *err, size_t err_size)
{
	struct json_fields d = {0, err, err_size};

	r->plan.stopped =
	    (enum stop_reason)json_field_token(&d, end, "stopped", stop_reason_find, STOPPED_NOT);
	r->plan.blocks = (uint32_t)json_field_integer(&d, end, "blocks", 0, UINT32_MAX, 0);
	r->plan.last_look_spends_all = json_field_flag(&d, end, "last_look_spends_all", false);
	if (json_field_integer(&d, end, "runs", 0, INT64_MAX, 0) != (int64_t)r->n_runs)
		json_field_bad(
		    &d, "runs",
		    "the number of runs above: lines are missing, or there are too many");
	decode_notes(&d, end, r);
	r->complete = !d.rc;
	return d.rc;
}
