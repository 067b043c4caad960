/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue of a binary: what can be scoped in it, and by which engine.
 */
#ifndef ABSTAT_SCOPE_CATALOGUE_H
#define ABSTAT_SCOPE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "render.h"
#include "scope-list.h"

struct scope_catalogue {
	const char *path;
	struct scope_list list;
	int uprobes; /* 0: they can be used here; else why not, an errno */
	size_t breakpoints;   /* that a process can have here, and... */
	int breakpoint_error; /* ...why there are none */
};

/* Reads what matches PATTERN (NULL: all) in the binary PATH. 0, or -errno with a message. */
int scope_catalogue_read(struct scope_catalogue *c, const char *path, const char *pattern,
			 char *err, size_t err_size);
void scope_catalogue_release(struct scope_catalogue *c);

/* Each prints a struct scope_catalogue; output_renderer functions. */
int scope_catalogue_print_text(const void *catalogue, const struct render_options *options,
			       FILE *out);
int scope_catalogue_print_json(const void *catalogue, const struct render_options *options,
			       FILE *out);
int scope_catalogue_print_csv(const void *catalogue, const struct render_options *options,
			      FILE *out);

#endif
