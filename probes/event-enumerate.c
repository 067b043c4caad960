/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All known names, and which of them are nearest to one that is not known.
 */
#include "event-enumerate.h"

#include <string.h>

#include "event-modifier.h"
#include "event-source.h"
#include "nearest-name.h"

int event_enumerate(const struct event_roots *roots, event_known_fn *fn, void *context)
{
	struct event_scan scan;
	int e = event_scan_init(&scan, roots);

	for (size_t i = 0; event_sources[i] && !e; i++)
		if (event_sources[i]->enumerate)
			e = event_sources[i]->enumerate(&scan, fn, context);
	event_scan_release(&scan);
	return e;
}

static int visit(void *context, const struct event_known *known)
{
	const char *colons = strstr(known->name, "::");

	nearest_names_consider(context, known->name, known->name);
	if (known->alias)
		nearest_names_consider(context, known->alias, known->alias);
	/* libpfm4's events are also known without their PMU. */
	if (colons)
		nearest_names_consider(context, colons + 2, colons + 2);
	return 0;
}

void event_suggest(const char *name, const struct event_roots *roots, char *text, size_t size)
{
	const char *modifiers = event_modifiers_of(name);
	struct nearest_names nearest = {.name = name, .len = strlen(name)};

	if (event_modifiers_possible(modifiers) && modifiers[-1] == ':')
		nearest.len = (size_t)(modifiers - name) - 1;
	text[0] = '\0';
	if (nearest.len == 0 || nearest.len >= NEAREST_LONGEST)
		return;
	event_enumerate(roots, visit, &nearest);
	nearest_names_text(&nearest, text, size);
}
