/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue: every event and metric that is known on this machine, and whether it counts here.
 */
#ifndef ABSTAT_CATALOGUE_H
#define ABSTAT_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "event.h"
#include "render.h"

struct catalogue_entry {
	char *name;
	char *alias;      /* another name of the same, or NULL */
	char *kind;       /* "hardware", ..., "metric" */
	char *help;       /* one line, or "" */
	char *unit;       /* of the value, "" for a count */
	char *counted_as; /* "cycles:u"; NULL if it does not count here */
	enum event_reason reason;
	const char *reason_text; /* NULL if it counts; static storage */
};

struct catalogue {
	struct catalogue_entry *entries; /* kind by kind */
	size_t n;
};

/*
 * Collects what matches PATTERN (NULL: all): the name of a kind, a glob, or a part of a name or
 * alias, whatever its case; and tries whether it counts. Returns 0 or -ENOMEM.
 */
int catalogue_read(struct catalogue *c, const char *pattern, const struct event_roots *roots);
void catalogue_release(struct catalogue *c);

/* Whether NAME is meant by PATTERN: a glob, or a part of it, whatever its case. */
bool catalogue_name_matches(const char *name, const char *pattern);

/* A field of CSV, and what separates it from the next one. NULL is empty. */
void catalogue_csv_field(FILE *out, const char *value, char separator, bool last);

/* Each prints a struct catalogue; output_renderer functions. */
int catalogue_print_text(const void *catalogue, const struct render_options *options, FILE *out);
int catalogue_print_json(const void *catalogue, const struct render_options *options, FILE *out);
int catalogue_print_csv(const void *catalogue, const struct render_options *options, FILE *out);

#endif
