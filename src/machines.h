/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same comparison on several machines: a row a machine, and one estimate by random effects.
 * Runs of different machines are never thrown together.
 */
#ifndef ABSTAT_MACHINES_H
#define ABSTAT_MACHINES_H

#include <stddef.h>

#include "options.h"
#include "sides.h"

/* Judges every file of LIST for itself, combines them, and prints the report. Returns as
 * sides_judge(). */
int machines_judge(struct side_list *list, const struct judge_options *judge,
		   const struct output_options *output, char *err, size_t err_size);

#endif
