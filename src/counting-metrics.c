/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From events to metrics. */
#include "counting-metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "counting-primary.h"
#include "counting-scopes.h"
#include "counting.h"
#include "expr.h"
#include "scopes.h"

/* The user's own metrics, before there is a list to put them into. */
struct custom {
	char *name, *unit;
	int direction;
	struct expr *expr;
	const char *text;
};

struct build {
	struct counting *c;
	const struct event_options *options;
	const struct judge_options *judge;
	const struct scopes *scopes;
	struct record *record;
	struct custom *customs;
	size_t n_customs;
	size_t n_listed; /* events before this one were asked for, those after it are operands only */
	char *err;
	size_t err_size;
};

static void build_release(struct build *b)
{
	for (size_t i = 0; i < b->n_customs; i++) {
		free(b->customs[i].name);
		free(b->customs[i].unit);
		expr_free(b->customs[i].expr);
	}
	free(b->customs);
}

static bool same(const char *a, const char *name, size_t len)
{
	return strlen(a) == len && memcmp(a, name, len) == 0;
}

static bool is_listed(const struct build *b, const char *name, size_t len)
{
	for (size_t i = 0; i < b->c->events.n; i++)
		if (same(b->c->events.events[i].asked, name, len))
			return true;
	return false;
}

static bool is_defined(const struct build *b, const char *name, size_t len)
{
	for (size_t i = 0; i < b->c->n_extracts; i++)
		if (same(b->c->extracts[i].name, name, len))
			return true;
	for (size_t i = 0; i < b->n_customs; i++)
		if (same(b->customs[i].name, name, len))
			return true;
	for (size_t i = 0; i < n_derived_metrics; i++)
		if (same(derived_metrics[i].name, name, len))
			return true;
	return false;
}

static bool is_known(void *context, const char *name, size_t len)
{
	const struct build *b = context;
	const char *event;
	size_t event_len;

	if (is_listed(b, name, len) || is_defined(b, name, len))
		return true;
	if (!counting_scope_name(b->scopes, name, len, &event, &event_len))
		return event_name_known(name, len, &event_roots_default);
	return !event_len || is_listed(b, event, event_len) ||
	       event_name_known(event, event_len, &event_roots_default);
}

/* Adds the event NAME to the list unless it is there or is no event but a metric of its own. */
static int add_event(struct build *b, const char *name)
{
	const char *event = name;
	size_t len = strlen(name);

	if (is_listed(b, name, len) || is_defined(b, name, len))
		return 0;
	if (counting_scope_name(b->scopes, name, len, &event, &len) && (!len || is_listed(b, event, len)))
		return 0;
	char *text = strndup(event, len);
	int r = text ? counting_add_events(b->c, text, b->err, b->err_size) : -ENOMEM;

	free(text);
	return r;
}

static int parse_extracts(struct build *b)
{
	size_t n = b->options->extracts.n;

	b->c->extracts = calloc(n + 1, sizeof(*b->c->extracts));
	if (!b->c->extracts)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct extract *e = &b->c->extracts[i];
		int r = extract_init(e, b->options->extracts.v[i], b->err, b->err_size);

		if (r)
			return r == -ENOMEM ? r : STATUS_USAGE;
		b->c->n_extracts++;
	}
	return 0;
}

static int parse_customs(struct build *b)
{
	size_t n = b->options->metrics.n;

	b->customs = calloc(n + 1, sizeof(*b->customs));
	if (!b->customs)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct custom *m = &b->customs[i];
		char why[400] = "";

		if (expr_split_definition(b->options->metrics.v[i], &m->name, &m->unit, &m->direction,
					  &m->text, why, sizeof(why)) ||
		    !(m->expr = expr_parse(m->text, is_known, b, why, sizeof(why)))) {
			snprintf(b->err, b->err_size, "--metric: %s", why);
			free(m->name);
			free(m->unit);
			*m = (struct custom){0};
			return STATUS_USAGE;
		}
		b->n_customs++;
	}
	for (size_t i = 0; i < b->n_customs; i++)
		for (size_t k = 0; k < expr_n_names(b->customs[i].expr); k++) {
			int r = add_event(b, expr_name(b->customs[i].expr, k));

			if (r)
				return r;
		}
	return 0;
}

static int parse_primary(struct build *b)
{
	const char *name = counting_primary_name(b->judge);
	const struct derived_info *d = derived_find(name);

	if (d) {
		int r = add_event(b, d->numerator);

		return r ? r : add_event(b, d->denominator);
	}

	return name && is_known(b, name, strlen(name)) ? add_event(b, name) : 0;
}

/* Why event E cannot be counted, in words that say what to do; malloc'd. */
static char *why_not(const struct build *b, const struct event *e)
{
	char *text;
	int r;

	if (e->reason == EVENT_NOT_PERMITTED && b->record->machine.paranoid >= 0)
		r = asprintf(&text,
			     "not permitted (kernel.perf_event_paranoid is %d): 'sysctl "
			     "kernel.perf_event_paranoid=%d', root or CAP_PERFMON allows it",
			     b->record->machine.paranoid,
			     b->options->system_wide ? 0 : b->record->machine.paranoid > 2 ? 2 : 1);
	else if (e->reason == EVENT_FAILED)
		r = asprintf(&text, "%s: %s", event_reason_text(e->reason), strerror(e->error));
	else
		r = asprintf(&text, "%s", event_reason_text(e->reason));
	return r < 0 ? NULL : text;
}

static int set_names(struct metric *m, const char *name, const char *event, const char *unit)
{
	m->name = strdup(name);
	m->event = strdup(event);
	m->unit = strdup(unit);
	return m->name && m->event && m->unit ? 0 : -ENOMEM;
}

static int append_tool(struct metric_list *list, enum tool_event tool, const char *event)
{
	const struct tool_event_info *info = &tool_events[tool];

	if (metric_find(list, info->name) >= 0)
		return 0;
	struct metric *m = metric_append(list);

	if (!m || set_names(m, info->name, event, info->unit))
		return -ENOMEM;
	m->source = METRIC_TOOL;
	m->slot = (int)tool;
	m->direction = metric_direction_of(info->name);
	return 0;
}

/* ":u" context switches read 0 where there was one: the kernel counts them in kernel mode. wait4(2) knows them too. */
static bool is_switches(const struct event *e)
{
	return e->reason == EVENT_NOT_PERMITTED &&
	       (!strcmp(e->asked, "context-switches") || !strcmp(e->asked, "cs"));
}

static int append_event(struct build *b, size_t index, int cpu)
{
	const struct event *e = &b->c->events.events[index];
	struct metric_list *list = &b->record->metrics;
	struct metric *m;

	if (e->tool != TOOL_NONE || is_switches(e))
		return append_tool(list, e->tool ? e->tool : TOOL_SWITCHES, e->asked);
	m = metric_append(list);
	if (!m || set_names(m, e->name, e->asked, e->unit))
		return -ENOMEM;
	if (cpu >= 0) {
		free(m->name);
		if (asprintf(&m->name, "CPU%d/%s", b->c->cpus[cpu], e->name) < 0) {
			m->name = NULL;
			return -ENOMEM;
		}
	}
	if (asprintf(&m->formula, "type=%u,config=0x%llx,config1=0x%llx,config2=0x%llx", e->attr.type,
		     (unsigned long long)e->attr.config, (unsigned long long)e->attr.config1,
		     (unsigned long long)e->attr.config2) < 0) {
		m->formula = NULL;
		return -ENOMEM;
	}
	m->source = METRIC_COUNTER;
	m->slot = (int)index;
	m->cpu = cpu < 0 ? -1 : b->c->cpus[cpu];
	m->scale = e->scale;
	m->shown = index < b->n_listed;
	m->direction = metric_direction_of(e->name);
	if (e->reason != EVENT_OK) {
		m->reason = why_not(b, e);
		return m->reason ? 0 : -ENOMEM;
	}
	return 0;
}

static int append_events(struct build *b)
{
	int cpus = b->options->per_cpu ? (int)b->c->n_cpus : 0;
	int r = 0;

	for (size_t i = 0; i < b->c->events.n && !r; i++) {
		if (!cpus || b->c->events.events[i].tool != TOOL_NONE)
			r = append_event(b, i, -1);
		for (int cpu = 0; cpu < cpus && b->c->events.events[i].tool == TOOL_NONE && !r; cpu++)
			r = append_event(b, i, cpu);
	}
	static const enum tool_event always[] = {TOOL_DURATION_TIME, TOOL_USER_TIME, TOOL_SYSTEM_TIME,
						 TOOL_MAX_RSS};

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]) && !r; i++)
		r = append_tool(&b->record->metrics, always[i], tool_events[always[i]].name);
	return r;
}

static int append_extracts(struct build *b)
{
	struct metric_list *list = &b->record->metrics;

	for (size_t i = 0; i < b->c->n_extracts; i++) {
		const struct extract *e = &b->c->extracts[i];
		struct metric *m;

		if (metric_find(list, e->name) >= 0) {
			snprintf(b->err, b->err_size, "--extract: there is a metric '%s' already", e->name);
			return STATUS_USAGE;
		}
		m = metric_append(list);
		if (!m || set_names(m, e->name, e->name, e->unit))
			return -ENOMEM;
		m->source = METRIC_EXTRACT;
		m->slot = (int)i;
		m->direction = e->direction;
		m->formula = strdup(e->pattern);
		if (!m->formula)
			return -ENOMEM;
	}
	return 0;
}

/* The user's own "ipc" takes the place of the built-in one. Nothing refers to those after FROM yet. */
static void drop_redefined(struct build *b, size_t from)
{
	struct metric_list *list = &b->record->metrics;

	for (size_t i = list->n; i > from; i--)
		for (size_t k = 0; k < b->n_customs; k++)
			if (!strcmp(list->v[i - 1].event, b->customs[k].name)) {
				metric_list_remove(list, i - 1);
				break;
			}
}

static int append_custom_on(struct build *b, struct custom *custom, const char *pmu)
{
	struct metric_list *list = &b->record->metrics;
	const char *missing = NULL;
	char err[100];
	struct expr *e = expr_parse(custom->text, is_known, b, err, sizeof(err));

	if (!e)
		return -ENOMEM;
	int r = metric_append_expr(list, custom->name, e, pmu, &missing);

	if (r == -EXDEV) {
		snprintf(b->err, b->err_size,
			 "--metric: '%s' mixes what is of scopes with what is of the whole run ('%s'), and no run "
			 "has both; '" SCOPE_WHOLE "/EVENT' is the whole of the probed runs",
			 custom->name, missing);
		return STATUS_USAGE;
	}
	if (r == -ENOENT) {
		snprintf(b->err, b->err_size, "--metric: '%s' needs '%s', which is not measured here",
			 custom->name, missing);
		return STATUS_USAGE;
	}
	if (r)
		return r;
	struct metric *m = &list->v[list->n - 1];

	if (*custom->unit) {
		free(m->unit);
		m->unit = strdup(custom->unit);
	}
	m->formula = strdup(custom->text);
	/* Of a constant, too. */
	m->probed |= b->scopes && b->scopes->only;
	if (custom->direction != DIRECTION_NEUTRAL)
		m->direction = (enum direction)custom->direction;
	return m->unit && m->formula ? 0 : -ENOMEM;
}

/* The operand of EXPR that is counted on several PMUs, on a machine with several kinds of cores; NULL: none. */
static const char *spread_operand(const struct event_list *events, const struct expr *expr)
{
	for (size_t k = 0; k < expr_n_names(expr); k++)
		for (size_t i = 0, n = 0; i < events->n; i++)
			if (!strcmp(events->events[i].asked, expr_name(expr, k)) && ++n > 1)
				return expr_name(expr, k);
	return NULL;
}

static int append_custom(struct build *b, struct custom *custom)
{
	const struct event_list *events = &b->c->events;
	const char *spread = spread_operand(events, custom->expr);
	int r = 0;

	if (metric_find(&b->record->metrics, custom->name) >= 0) {
		snprintf(b->err, b->err_size, "--metric: there is a metric '%s' already", custom->name);
		return STATUS_USAGE;
	}
	if (!spread)
		return append_custom_on(b, custom, NULL);
	for (size_t i = 0; i < events->n && !r; i++)
		if (!strcmp(events->events[i].asked, spread))
			r = append_custom_on(b, custom, events->events[i].pmu);
	return r;
}

/* An expression over what cannot be counted cannot be computed: for the same reason. */
static int pass_reasons_on(struct metric_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct metric *m = &list->v[i];

		for (size_t k = 0; m->source == METRIC_EXPR && !m->reason && k < expr_n_names(m->expr);
		     k++) {
			const struct metric *operand = &list->v[m->operands[k]];

			if (!operand->reason)
				continue;
			m->reason = strdup(operand->reason);
			if (!m->reason)
				return -ENOMEM;
		}
	}
	return 0;
}

static int note_fallback(struct build *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->c->events.n; i++)
		n += b->c->events.events[i].user_only_fallback;
	if (!n)
		return 0;
	return record_note(b->record,
			   "counting in the kernel is not permitted (kernel.perf_event_paranoid is %d): events "
			   "marked :u are counted in user space only; 'sysctl kernel.perf_event_paranoid=1', "
			   "root or CAP_PERFMON allows both",
			   b->record->machine.paranoid);
}

/*
 * A software event never lacks a counter: what it says of the time that it was enabled shows whether the kernel dropped
 * the run's events (a setuid program). So there is always one.
 */
static int add_witness(struct build *b)
{
	const struct event_list *events = &b->c->events;
	bool any = false;

	for (size_t i = 0; i < events->n; i++) {
		if (events->events[i].tool == TOOL_NONE && events->events[i].software)
			return 0;
		any |= events->events[i].tool == TOOL_NONE;
	}
	return any ? add_event(b, "task-clock") : 0;
}

/*
 * An event may have been asked for twice, or "cycles" could only be counted as "cycles:u", which was asked for too. It takes
 * one counter, and is known by the shorter of the names that were asked for.
 */
static void drop_repeated(struct build *b)
{
	struct event_list *list = &b->c->events;

	for (size_t i = 1; i < list->n;) {
		struct event *e = &list->events[i];
		size_t k = 0;

		while (k < i && (e->tool != TOOL_NONE || strcmp(list->events[k].name, e->name)))
			k++;
		if (k == i) {
			i++;
			continue;
		}
		if (strlen(e->asked) < strlen(list->events[k].asked)) {
			char *longer = list->events[k].asked;

			list->events[k].asked = e->asked;
			e->asked = longer;
		}
		b->n_listed -= i < b->n_listed;
		b->c->n_scoped -= i < b->c->n_scoped;
		event_list_remove(list, i);
	}
}

static int build(struct build *b)
{
	struct metric_list *list = &b->record->metrics;

	b->n_listed = b->c->events.n;
	int r = parse_extracts(b);

	if (!r)
		r = parse_primary(b);
	b->n_listed = b->c->events.n;
	if (!r)
		r = parse_customs(b);
	if (r)
		return r;
	b->c->n_scoped = b->c->events.n;
	r = add_witness(b);
	if (r)
		return r;
	event_list_probe(&b->c->events, b->options->system_wide, &event_roots_default);
	drop_repeated(b);
	r = append_events(b);
	if (!r)
		r = append_extracts(b);
	size_t n_counted = list->n;

	if (!r)
		r = metric_append_derived(list);
	if (!r)
		drop_redefined(b, n_counted);
	if (!r)
		r = counting_append_scopes(b->c, b->scopes, b->c->n_scoped, b->record);
	for (size_t i = 0; i < b->n_customs && !r; i++)
		r = append_custom(b, &b->customs[i]);
	if (!r)
		r = pass_reasons_on(list);
	if (!r)
		r = counting_judge(b->c, b->options, b->judge, b->record, b->err, b->err_size);
	return r ? r : note_fallback(b);
}

int counting_metrics(struct counting *c, const struct event_options *options,
		     const struct judge_options *judge, const struct scopes *scopes, struct record *record, char *err,
		     size_t err_size)
{
	struct build b = {
		.c = c,
		.options = options,
		.judge = judge,
		.scopes = scopes,
		.record = record,
		.err = err,
		.err_size = err_size,
	};
	int r = build(&b);

	build_release(&b);
	if (r == -ENOMEM)
		snprintf(err, err_size, "out of memory");
	return r < 0 ? STATUS_CANNOT_MEASURE : r;
}
