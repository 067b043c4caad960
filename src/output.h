/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output: where a report goes, and how messages reach the user.
 */
#ifndef ABSTAT_OUTPUT_H
#define ABSTAT_OUTPUT_H

#include <stddef.h>

#include <stdio.h>

#include "options.h"
#include "render.h"
#include "report.h"

/* Prints WHAT; returns 0, or -errno where OUT could not be written, and flushes it. */
typedef int output_renderer(const void *what, const struct render_options *options, FILE *out);

/*
 * Prints WHAT as OPTIONS say: to stdout, or to a file that is replaced whole or not at all. 0, or -errno with a
 * message in ERR that names the file.
 */
int output_write(output_renderer *render, const void *what, const struct output_options *options,
		 char *err, size_t err_size);

/* As output_write(), in the format that OPTIONS name. */
int output_report(const struct report *report, const struct output_options *options, char *err,
		  size_t err_size);

/*
 * Before anything is measured: whether output_write() can be expected to write the file of OPTIONS. 0, or -errno
 * with a message in ERR.
 */
int output_check(const struct output_options *options, char *err, size_t err_size);

/*
 * In JSON, what failed before there was anything to report is a document too, with STATUS and MESSAGE and no
 * variants. Prints nothing in other formats. RECORD may be NULL.
 */
void output_failure(const struct record *record, const struct output_options *options, int status,
		    const char *message);

/* Prints "abstat: TEXT" to stderr, cleaned of what could drive a terminal. */
void output_message(const char *text);

#endif
