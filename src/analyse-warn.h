/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Warnings: signs in the runs that the numbers are not what they seem, each with what to do. None changes a verdict.
 */
#ifndef ABSTAT_ANALYSE_WARN_H
#define ABSTAT_ANALYSE_WARN_H

#include "analyse.h"

/* Adds to report->warnings. 0 or -ENOMEM. */
int warn_of_runs(struct report *report, const struct analyse_input *input);

#endif
