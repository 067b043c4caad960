/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simcheck.h - what the error rates must be.
 */
#ifndef ABSTAT_TESTS_SIMCHECK_H
#define ABSTAT_TESTS_SIMCHECK_H

#include "simtally.h"

/*
 * Prints a line for each rate that is outside its limit by more than allowance standard errors
 * of its own; returns how many there are.
 */
int sim_check(const struct sim_tally *results, double allowance);

#endif
