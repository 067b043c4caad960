/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the sources for a name, in the order of precedence, and applies the modifiers.
 *
 * Where a name means something to several sources, perf's own names win, then those of PMUs in
 * sysfs, then tracepoints, then libpfm4. The same text may also be read as NAME:MODIFIERS or as a
 * name with colons in it; modifiers win, except after libpfm4's "::", where libpfm4 knows better
 * what its letters mean.
 */
#include "event-resolve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event-modifier.h"
const struct event_source *const event_sources[] = {
    &event_source_hardware, &event_source_software,
    &event_source_cache,    &event_source_tool,
    &event_source_raw,      &event_source_breakpoint,
    &event_source_pmu,      &event_source_tracepoint,
    &event_source_pfm,      NULL,
};

typedef int resolve_fn(struct event_scan *scan, const char *item, const char *group_modifiers);

/* Returns 1, 0 if no source knows NAME, or -errno with a message. */
static int ask_sources(struct event_scan *scan, const char *name)
{
	int result = 0;

	scan->message[0] = '\0';
	for (size_t i = 0; event_sources[i]; i++) {
		char earlier[sizeof(scan->message)];
		int found;

		snprintf(earlier, sizeof(earlier), "%s", scan->message);
		found = event_sources[i]->resolve(scan, name);
		if (found == 1)
			return 1;
		if (found < 0 && found != -ENOENT)
			return found;
		/* The first source that took the name for one of its own explains best. */
		if (result == -ENOENT)
			snprintf(scan->message, sizeof(scan->message), "%s", earlier);
		else
			result = found;
	}
	return result;
}

static int append_modifiers(char **field, const char *modifiers)
{
	size_t len = strlen(*field);
	char *text;

	if (asprintf(&text, "%s%s%s", *field, len && (*field)[len - 1] == '/' ? "" : ":",
		     modifiers) < 0)
		return -ENOMEM;
	free(*field);
	*field = text;
	return 0;
}

/* BASE is the item without MODIFIERS; GROUP_MODIFIERS come after them. */
static int finish(struct event_scan *scan, const char *base, const char *modifiers,
		  const char *group_modifiers)
{
	struct event_modifiers parsed = {0};
	char letters[64], why[256];
	int e;

	if (snprintf(letters, sizeof(letters), "%s%s", modifiers, group_modifiers) >=
	    (int)sizeof(letters))
		return event_scan_fail(scan, EINVAL, "'%s': too many modifiers", base);
	e = event_modifiers_parse(&parsed, letters, why, sizeof(why));
	if (e < 0)
		return event_scan_fail(scan, EINVAL, "'%s%s%s': %s", base,
				       base[strlen(base) - 1] == '/' ? "" : ":", letters, why);
	for (size_t i = 0; i < scan->found.n; i++) {
		struct event *event = &scan->found.events[i];

		if (*letters && event->tool != TOOL_NONE)
			return event_scan_fail(
			    scan, EINVAL,
			    "'%s:%s': %s is not counted by a counter and takes no "
			    "modifiers",
			    base, letters, event->name);
		event_modifiers_apply(&parsed, event);
		if (event_set_string(&event->asked, base) ||
		    (*letters && (append_modifiers(&event->asked, letters) ||
				  append_modifiers(&event->name, letters))))
			return -ENOMEM;
	}
	return 0;
}

static int resolve_whole(struct event_scan *scan, const char *item, const char *group_modifiers)
{
	int found = ask_sources(scan, item);

	if (found == 1)
		return finish(scan, item, "", group_modifiers);
	return found == 0 ? -ENOENT : found;
}

static int resolve_split(struct event_scan *scan, const char *item, const char *group_modifiers)
{
	const char *modifiers = event_modifiers_of(item);
	size_t len = (size_t)(modifiers - item);
	char *base;
	int found;

	/* The slash that ends a list of terms belongs to the name. */
	if (len && item[len - 1] == ':')
		len--;
	if (len == 0)
		return -ENOENT;
	base = strndup(item, len);
	if (!base)
		return -ENOMEM;
	found = ask_sources(scan, base);
	if (found == 1)
		found = finish(scan, base, modifiers, group_modifiers);
	else if (found == 0)
		found = -ENOENT;
	free(base);
	return found;
}

/* Tries FIRST, then SECOND if no source knows the name so. If neither helps, FIRST's message
 * stands. */
static int resolve_either(struct event_scan *scan, const char *item, const char *group_modifiers,
			  resolve_fn *first, resolve_fn *second)
{
	char message[sizeof(scan->message)];
	int e = first(scan, item, group_modifiers);
	bool unreadable = scan->unreadable;

	if (e != -ENOENT)
		return e;
	snprintf(message, sizeof(message), "%s", scan->message);
	e = second(scan, item, group_modifiers);
	if (e == -ENOENT) {
		snprintf(scan->message, sizeof(scan->message), "%s", message);
		scan->unreadable = unreadable;
	}
	return e;
}

static int resolve(struct event_scan *scan, const char *item, const char *group_modifiers)
{
	const char *modifiers = event_modifiers_of(item);

	if (*modifiers == '\0')
		return resolve_whole(scan, item, group_modifiers);
	if (event_modifiers_possible(modifiers) && !strstr(item, "::"))
		return resolve_either(scan, item, group_modifiers, resolve_split, resolve_whole);
	/* Where only the base is known, the split's message names the letter that is wrong. */
	return resolve_either(scan, item, group_modifiers, resolve_whole, resolve_split);
}

int event_resolve(struct event_scan *scan, const char *item, const char *group_modifiers)
{
	int e;

	scan->unreadable = false;
	e = resolve(scan, item, group_modifiers);
	return e == -ENOENT && scan->unreadable ? -EACCES : e;
}
