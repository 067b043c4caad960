/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simtable.h - the measured rates as tables, as text or as rows for the manual page.
 */
#ifndef ABSTAT_TESTS_SIMTABLE_H
#define ABSTAT_TESTS_SIMTABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "simtally.h"

void sim_print(FILE *out, const struct sim_tally *results, bool mdoc);

#endif
