/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the sources of event names share: collecting what they find.
 */
#include "event-source.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int event_scan_init(struct event_scan *scan, const struct event_roots *roots)
{
	*scan = (struct event_scan){.roots = roots};
	return pmu_list_read(&scan->pmus, roots->sysfs);
}

void event_scan_release(struct event_scan *scan)
{
	event_list_release(&scan->found);
	pmu_list_release(&scan->pmus);
}

int event_scan_fail(struct event_scan *scan, int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(scan->message, sizeof(scan->message), format, arguments);
	va_end(arguments);
	return -error;
}

int event_set_string(char **field, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*field);
	*field = copy;
	return 0;
}

void event_release(struct event *event)
{
	free(event->asked);
	free(event->name);
	free(event->unit);
	free(event->pmu);
	free(event->cpus);
	*event = (struct event){0};
}

void event_list_remove(struct event_list *list, size_t index)
{
	event_release(&list->events[index]);
	list->n--;
	memmove(&list->events[index], &list->events[index + 1],
		(list->n - index) * sizeof(*list->events));
}

void event_list_release(struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		event_release(&list->events[i]);
	free(list->events);
	*list = (struct event_list){0};
}

static int copy_cpus(struct event *event, const struct pmu *pmu)
{
	if (!pmu || !pmu->cpus)
		return 0;
	event->cpus = reallocarray(NULL, pmu->n_cpus + 1, sizeof(*event->cpus));
	if (!event->cpus)
		return -ENOMEM;
	memcpy(event->cpus, pmu->cpus, pmu->n_cpus * sizeof(*event->cpus));
	event->n_cpus = pmu->n_cpus;
	return 0;
}

struct event *event_scan_add(struct event_scan *scan, const char *name, const struct pmu *pmu)
{
	struct event_list *list = &scan->found;
	struct event *more = reallocarray(list->events, list->n + 1, sizeof(*more));
	struct event event = {.scale = 1, .group = -1};

	if (!more)
		return NULL;
	list->events = more;
	event.system_wide_only = pmu && pmu->uncore;
	if (event_set_string(&event.name, name) || event_set_string(&event.unit, "") ||
	    event_set_string(&event.pmu, pmu ? pmu->name : "") || copy_cpus(&event, pmu)) {
		event_release(&event);
		return NULL;
	}
	more[list->n] = event;
	return &more[list->n++];
}

int event_scan_add_generic(struct event_scan *scan, const char *name, uint32_t type,
			   uint64_t config)
{
	bool hybrid = scan->pmus.n_core > 1;

	for (size_t i = 0; i == 0 || i < scan->pmus.n_core; i++) {
		const struct pmu *pmu = pmu_core(&scan->pmus, i);
		char *qualified = NULL;
		struct event *event;

		if (hybrid && asprintf(&qualified, "%s/%s/", pmu->name, name) < 0)
			return -ENOMEM;
		event = event_scan_add(scan, hybrid ? qualified : name, pmu);
		free(qualified);
		if (!event)
			return -ENOMEM;
		event->attr.type = type;
		event->attr.config = config;
		if (!hybrid)
			continue;
		/* A raw event has no room for the PMU's type: there it is the event's own type. */
		if (type == PERF_TYPE_RAW)
			event->attr.type = pmu->type;
		else
			event->attr.config |= (uint64_t)pmu->type << PERF_PMU_TYPE_SHIFT;
	}
	return 1;
}

bool event_name_is_plain(const char *name, size_t len)
{
	if (len == 0 || name[0] == '.')
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("_-.@", name[i]))
			return false;
	return true;
}
