/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simrate.h - the rates that a tally holds.
 */
#ifndef ABSTAT_TESTS_SIMRATE_H
#define ABSTAT_TESTS_SIMRATE_H

#include "simtally.h"

/* Shares of the replicates. */
double sim_rate_different(const struct sim_tally *t);
double sim_rate_right(const struct sim_tally *t); /* where the sign of the effect alternates */
double sim_rate_same(const struct sim_tally *t);
double sim_rate_pass(const struct sim_tally *t);
double sim_rate_fail(const struct sim_tally *t);
double sim_rate_covered(const struct sim_tally *t);
double sim_rate_disagreed(const struct sim_tally *t);
double sim_rate_rule(const struct sim_tally *t, size_t rule);

/* Means over the replicates. */
double sim_mean_blocks(const struct sim_tally *t);
double sim_mean_estimate(const struct sim_tally *t); /* in standard deviations */

#endif
