/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Renderers: a report to text in one format. One of an array, chosen by name; none computes
 * anything.
 */
#ifndef ABSTAT_RENDER_H
#define ABSTAT_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "report.h"

struct json_out;

struct render_options {
	bool color; /* escape sequences are wanted: a terminal, no NO_COLOR, or --color=always */
	bool utf8;  /* the locale's character set is UTF-8: else text and markdown keep to ASCII */
	int width;  /* columns of the terminal, 0: not a terminal */
	char separator; /* csv */
	bool verbose;
};

struct renderer {
	const char *name; /* "text", "json", "csv", "markdown" */
	/* 0, or -errno where OUT could not be written; OUT is flushed, and stays open. */
	int (*render)(const struct report *report, const struct render_options *options, FILE *out);
};

extern const struct renderer render_text, render_json, render_csv, render_markdown;

extern const struct renderer *const renderers[];        /* NULL-terminated */
const struct renderer *renderer_find(const char *name); /* NULL: there is none */

/* For renderers: flushes OUT; 0, or -errno where anything written since it was opened was lost. */
int render_finish(FILE *out);

/*
 * Ends the document in O, writes it to OUT and releases it; where memory ran out, nothing is
 * written. -ENOMEM, or as render_finish().
 */
int render_document(struct json_out *o, FILE *out);

#endif
