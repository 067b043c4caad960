/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints: SYSTEM:NAME, looked up in tracefs; both may be glob patterns.
 */
#include "event-source.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file-text.h"

static int usable(const char *path)
{
	if (access(path, R_OK | X_OK) == 0)
		return 0;
	return errno == EACCES || errno == EPERM ? -EACCES : -ENOENT;
}

int event_tracefs_path(const struct event_roots *roots, char *path, size_t size)
{
	static const char *const places[] = {"tracing", "debug/tracing"};
	int e = -ENOENT;

	if (roots->tracefs) {
		snprintf(path, size, "%s/events", roots->tracefs);
		return usable(path);
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int place;

		snprintf(path, size, "%s/kernel/%s/events", roots->sysfs, places[i]);
		place = usable(path);
		if (place == 0)
			return 0;
		if (place == -EACCES)
			e = place;
	}
	/* An ordinary user may not even look into a mounted tracefs. */
	snprintf(path, size, "%s/kernel/tracing", roots->sysfs);
	return e == -ENOENT && usable(path) == -EACCES ? -EACCES : e;
}

struct trace_walk {
	const char *events; /* .../events */
	const char *system; /* patterns */
	const char *name;
	int (*found)(struct trace_walk *walk, const char *system, const char *name, int64_t id);
	void *context;
};

/* Calls EACH, until it fails, for the entries of directory PATH that match PATTERN, in the order of
 * their names. */
static int walk_directory(struct trace_walk *walk, const char *path, const char *pattern,
			  int (*each)(struct trace_walk *walk, const char *path, const char *entry))
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, alphasort);
	int e = 0;

	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;

		if (e == 0 && name[0] != '.' && !fnmatch(pattern, name, 0))
			e = each(walk, path, name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return e;
}

static int visit_event(struct trace_walk *walk, const char *path, const char *name)
{
	int64_t id = file_number(-1, "%s/%s/id", path, name);

	return id < 0 ? 0 : walk->found(walk, strrchr(path, '/') + 1, name, id);
}

static int visit_system(struct trace_walk *walk, const char *path, const char *name)
{
	char system[PATH_MAX];

	if (snprintf(system, sizeof(system), "%s/%s", path, name) >= (int)sizeof(system))
		return 0;
	return walk_directory(walk, system, walk->name, visit_event);
}

static int walk_systems(struct trace_walk *walk)
{
	return walk_directory(walk, walk->events, walk->system, visit_system);
}

static int add(struct trace_walk *walk, const char *system, const char *name, int64_t id)
{
	struct event *event;
	char *full;

	if (asprintf(&full, "%s:%s", system, name) < 0)
		return -ENOMEM;
	event = event_scan_add(walk->context, full, NULL);
	free(full);
	if (!event || event_set_string(&event->pmu, "tracepoint"))
		return -ENOMEM;
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = (uint64_t)id;
	event->software = true;
	return 0;
}

static int not_there(struct event_scan *scan, const char *name, int error)
{
	scan->unreadable = true;
	if (error == -EACCES)
		return event_scan_fail(
		    scan, ENOENT,
		    "the tracepoint '%s' cannot be looked up: tracefs is not readable "
		    "for this user; run as root, or let it be read with "
		    "'mount -o remount,mode=755 /sys/kernel/tracing'",
		    name);
	if (error == -ENOENT)
		return event_scan_fail(
		    scan, ENOENT,
		    "the tracepoint '%s' cannot be looked up: tracefs is not mounted; "
		    "mount it with 'mount -t tracefs tracefs /sys/kernel/tracing'",
		    name);
	return 0;
}

static int resolve(struct event_scan *scan, const char *name)
{
	const char *colon = strchr(name, ':');
	size_t before = scan->found.n;
	char events[PATH_MAX], *system;
	struct trace_walk walk;
	int e;

	if (!colon || colon == name || !colon[1] || strchr(colon + 1, ':') || strchr(name, '/'))
		return 0;
	e = event_tracefs_path(scan->roots, events, sizeof(events));
	if (e < 0)
		return not_there(scan, name, e);
	system = strndup(name, (size_t)(colon - name));
	if (!system)
		return -ENOMEM;
	walk = (struct trace_walk){events, system, colon + 1, add, scan};
	e = walk_systems(&walk);
	free(system);
	if (e < 0)
		return e;
	return scan->found.n > before;
}

struct listing {
	event_known_fn *fn;
	void *context;
};

static int list(struct trace_walk *walk, const char *system, const char *name, int64_t id)
{
	const struct listing *listing = walk->context;
	char *full;
	int e;

	(void)id;
	if (asprintf(&full, "%s:%s", system, name) < 0)
		return -ENOMEM;
	e = listing->fn(listing->context, &(struct event_known){full, NULL, "tracepoint", ""});
	free(full);
	return e;
}

static int enumerate(struct event_scan *scan, event_known_fn *fn, void *context)
{
	struct listing listing = {fn, context};
	char events[PATH_MAX];
	struct trace_walk walk = {events, "*", "*", list, &listing};

	if (event_tracefs_path(scan->roots, events, sizeof(events)) < 0)
		return 0;
	return walk_systems(&walk);
}

const struct event_source event_source_tracepoint = {"tracepoint", resolve, enumerate};
