/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources of event names: perf's own tables, raw numbers, sysfs, tracefs, libpfm4. One file each;
 * the registry in event-resolve.c says in which order they are asked.
 */
#ifndef ABSTAT_EVENT_SOURCE_H
#define ABSTAT_EVENT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "event-enumerate.h"
#include "event.h"
#include "pmu.h"

/* One resolving of one name: what it may read, and what has been found. */
struct event_scan {
	const struct event_roots *roots;
	struct pmu_list pmus;
	struct event_list found; /* names without modifiers */
	char message[512]; /* why a source that knows this kind of name could not resolve it */
	bool unreadable;   /* a source could not look: the name may be right */
};

struct event_source {
	const char *kind; /* for `abstat list`: "hardware" */
	/*
	 * Appends to scan->found what NAME, without modifiers, stands for. Returns 1 if it did, 0
	 * if NAME is not of this source, or with scan->message set -ENOENT (it looks like this
	 * source's, but is not there: others may have it) or another error, which is final.
	 */
	int (*resolve)(struct event_scan *scan, const char *name);
	/* Calls FN for each name that is known here. Returns 0 or what FN returned. NULL: no list.
	 */
	int (*enumerate)(struct event_scan *scan, event_known_fn *fn, void *context);
};

/* The order is that of precedence; NULL-terminated. */
extern const struct event_source *const event_sources[];

extern const struct event_source event_source_hardware;
extern const struct event_source event_source_software;
extern const struct event_source event_source_cache;
extern const struct event_source event_source_tool;
extern const struct event_source event_source_raw;
extern const struct event_source event_source_breakpoint;
extern const struct event_source event_source_pmu;
extern const struct event_source event_source_tracepoint;
extern const struct event_source event_source_pfm;

/* Reads the PMUs of ROOTS. Returns 0 or -ENOMEM. */
int event_scan_init(struct event_scan *scan, const struct event_roots *roots);
void event_scan_release(struct event_scan *scan);

/* Fails with a message: sets scan->message and returns -ERROR. */
int event_scan_fail(struct event_scan *scan, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Appends an event of that NAME: of PMU (NULL: none known, pmu is ""), scale 1, no unit, no group.
 * NULL if out of memory. The pointer is good until the next call.
 */
struct event *event_scan_add(struct event_scan *scan, const char *name, const struct pmu *pmu);

/*
 * Appends a generic event once for each core PMU if there are several, named PMU/NAME/ and with the
 * PMU's type in the upper half of config; else once as it is. Returns 1 or -ENOMEM.
 */
int event_scan_add_generic(struct event_scan *scan, const char *name, uint32_t type,
			   uint64_t config);

/* Replaces a string of an event. Returns 0 or -ENOMEM. */
int event_set_string(char **field, const char *value);

void event_release(struct event *event);

/* True if a directory entry can be a name: no dot file, no path. */
bool event_name_is_plain(const char *name, size_t len);

/*
 * Where the tracepoints' directories are: writes ".../events" to PATH. Returns 0, -ENOENT (tracefs
 * is not mounted) or -EACCES.
 */
int event_tracefs_path(const struct event_roots *roots, char *path, size_t size);

#endif
