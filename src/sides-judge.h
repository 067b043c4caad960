/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges what was loaded, and prints the report. */
#ifndef ABSTAT_SIDES_JUDGE_H
#define ABSTAT_SIDES_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"
#include "sides.h"

/*
 * Analyses the sides of LIST, compared with each other if COMPARE, lists in what their hosts
 * differ, and prints the report. Returns the exit status; if it is none of a report, a message is
 * in ERR.
 */
int sides_judge(struct side_list *list, const struct judge_options *judge, bool compare,
		const struct output_options *output, char *err, size_t err_size);

#endif
