/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the names, and tries each one. */
#include "catalogue.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "event-enumerate.h"
#include "metric.h"

static const char needs_value[] = "needs a value for its parameter";
static const char needs_operands[] = "the events that it is made of do not count here";

struct collector {
	struct catalogue *catalogue;
	const char *pattern;
};

bool catalogue_name_matches(const char *name, const char *pattern)
{
	if (!name)
		return false;
	if (strpbrk(pattern, "*?["))
		return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
	return strcasestr(name, pattern) != NULL;
}

static bool matches(const struct event_known *known, const char *pattern)
{
	return !pattern || strcasecmp(pattern, known->kind) == 0 ||
	       catalogue_name_matches(known->name, pattern) ||
	       catalogue_name_matches(known->alias, pattern);
}

static int collect(void *context, const struct event_known *known)
{
	struct collector *collector = context;
	struct catalogue *c = collector->catalogue;
	struct catalogue_entry *more, *entry;

	if (!matches(known, collector->pattern))
		return 0;
	more = reallocarray(c->entries, c->n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	c->entries = more;
	entry = &more[c->n++];
	*entry = (struct catalogue_entry){
	    .name = strdup(known->name),
	    .alias = known->alias ? strdup(known->alias) : NULL,
	    .kind = strdup(known->kind),
	    .help = strdup(known->help),
	    .reason = EVENT_FAILED,
	    .reason_text = event_reason_text(EVENT_FAILED),
	};
	if (!entry->name || !entry->kind || !entry->help || (known->alias && !entry->alias))
		return -ENOMEM;
	return 0;
}

static int collect_metrics(struct collector *collector)
{
	for (size_t i = 0; i < n_derived_metrics; i++) {
		const struct derived_info *m = &derived_metrics[i];
		char *help;
		int e;

		if (asprintf(&help, "%s / %s: %s", m->numerator, m->denominator, m->note) < 0)
			return -ENOMEM;
		e = collect(collector, &(struct event_known){m->name, NULL, "metric", help});
		free(help);
		if (e)
			return e;
	}
	return 0;
}

static void take_result(struct catalogue_entry *entry, const struct event *event)
{
	entry->reason = event->reason;
	entry->reason_text = event->reason == EVENT_OK ? NULL : event_reason_text(event->reason);
	if (!entry->unit)
		entry->unit = strdup(event->unit);
	if (event->reason == EVENT_OK && !entry->counted_as)
		entry->counted_as = strdup(event->name);
}

/* Where a name stands for several events, as on a hybrid machine, it counts if one of them does. */
static void try_name(struct catalogue_entry *entry, const char *name,
		     const struct event_roots *roots)
{
	struct event_list list = {0};
	char err[512];
	int e = event_list_parse(&list, name, roots, err, sizeof(err));

	if (e) {
		entry->reason_text = strchr(entry->help, '?') ? needs_value : entry->reason_text;
		return;
	}
	event_list_probe(&list, false, roots);
	for (size_t i = 0; i < list.n && !entry->counted_as; i++)
		take_result(entry, &list.events[i]);
	event_list_release(&list);
}

static void try_metric(struct catalogue_entry *entry, const struct event_roots *roots)
{
	for (size_t i = 0; i < n_derived_metrics; i++) {
		const struct derived_info *m = &derived_metrics[i];
		struct catalogue_entry numerator = {.help = entry->help},
				       denominator = {.help = entry->help};

		if (strcmp(entry->name, m->name) != 0)
			continue;
		entry->unit = strdup(m->unit);
		try_name(&numerator, m->numerator, roots);
		try_name(&denominator, m->denominator, roots);
		entry->reason = numerator.reason ? numerator.reason : denominator.reason;
		entry->reason_text = NULL;
		if (numerator.counted_as && denominator.counted_as)
			entry->counted_as = strdup(m->name);
		else
			entry->reason_text = entry->reason == EVENT_NO_PMU
						 ? event_reason_text(EVENT_NO_PMU)
						 : needs_operands;
		free(numerator.unit);
		free(numerator.counted_as);
		free(denominator.unit);
		free(denominator.counted_as);
	}
}

/*
 * Tracepoints are all permitted or all not, and opening one costs the kernel a grace period: the
 * first speaks for all.
 */
static void try_tracepoint(struct catalogue_entry *entry, const struct catalogue_entry *first,
			   const struct event_roots *roots)
{
	if (!first) {
		try_name(entry, entry->name, roots);
		return;
	}
	entry->reason = first->reason;
	entry->reason_text = first->reason_text;
	entry->unit = strdup("");
	entry->counted_as = first->counted_as ? strdup(entry->name) : NULL;
}

static int try_all(struct catalogue *c, const struct event_roots *roots)
{
	const struct catalogue_entry *tracepoint = NULL;

	for (size_t i = 0; i < c->n; i++) {
		struct catalogue_entry *entry = &c->entries[i];

		if (strcmp(entry->kind, "metric") == 0) {
			try_metric(entry, roots);
		} else if (strcmp(entry->kind, "tracepoint") == 0) {
			try_tracepoint(entry, tracepoint, roots);
			tracepoint = tracepoint ? tracepoint : entry;
		} else {
			try_name(entry, entry->name, roots);
		}
		if (!entry->unit)
			entry->unit = strdup("");
		if (!entry->unit || (!entry->counted_as && !entry->reason_text))
			return -ENOMEM;
	}
	return 0;
}

int catalogue_read(struct catalogue *c, const char *pattern, const struct event_roots *roots)
{
	struct collector collector = {c, pattern};
	int e;

	*c = (struct catalogue){0};
	e = event_enumerate(roots, collect, &collector);
	if (!e)
		e = collect_metrics(&collector);
	if (!e)
		e = try_all(c, roots);
	if (e)
		catalogue_release(c);
	return e;
}

void catalogue_release(struct catalogue *c)
{
	for (size_t i = 0; i < c->n; i++) {
		struct catalogue_entry *entry = &c->entries[i];

		free(entry->name);
		free(entry->alias);
		free(entry->kind);
		free(entry->help);
		free(entry->unit);
		free(entry->counted_as);
	}
	free(c->entries);
	*c = (struct catalogue){0};
}
