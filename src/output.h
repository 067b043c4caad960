/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output: where a report goes, and how messages reach the user.
 */
#ifndef ABSTAT_OUTPUT_H
#define ABSTAT_OUTPUT_H

#include <stddef.h>

#include "options.h"
#include "report.h"

/*
 * Renders REPORT as OPTIONS say: to stdout, or to a file that is replaced whole or not at all. 0, or -errno with a
 * message in ERR that names the file.
 */
int output_report(const struct report *report, const struct output_options *options, char *err,
		  size_t err_size);

/* Prints "abstat: TEXT" to stderr, cleaned of what could drive a terminal. */
void output_message(const char *text);

#endif
