/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All event names that are known on this machine.
 */
#ifndef ABSTAT_EVENT_ENUMERATE_H
#define ABSTAT_EVENT_ENUMERATE_H

#include <stddef.h>

struct event_roots;

/* Strings are good during the call only. */
struct event_known {
	const char *name;  /* as one writes it after -e */
	const char *alias; /* another name of the same event, or NULL */
	const char
	    *kind; /* "hardware", "software", "cache", "tool", "pmu", "tracepoint", "libpfm4" */
	const char *help; /* one line, or "" */
};

/* Returns 0 to go on, anything else to end the enumeration with that. */
typedef int event_known_fn(void *context, const struct event_known *known);

/*
 * Calls FN for every name, kind by kind. Raw events and breakpoints, which have numbers for names,
 * are not among them. Returns 0, what FN returned, or -ENOMEM.
 */
int event_enumerate(const struct event_roots *roots, event_known_fn *fn, void *context);

/*
 * Writes the known names that are nearest to NAME, separated by ", ", most alike first, to TEXT; ""
 * if none is like it.
 */
void event_suggest(const char *name, const struct event_roots *roots, char *text, size_t size);

#endif
