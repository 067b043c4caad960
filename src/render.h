/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Renderers: a report to text in one format. One of an array, chosen by name; none computes anything.
 */
#ifndef ABSTAT_RENDER_H
#define ABSTAT_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "report.h"

struct render_options {
	bool color;	   /* escape sequences are wanted: a terminal, no NO_COLOR, or --color=always */
	int width;	   /* columns of the terminal, 0: unlimited */
	char separator;	   /* csv */
	bool verbose;
};

struct renderer {
	const char *name; /* "text", "json", "csv", "markdown" */
	int (*render)(const struct report *report, const struct render_options *options, FILE *out);
};

extern const struct renderer *const renderers[]; /* NULL-terminated */
const struct renderer *renderer_find(const char *name);

#endif
