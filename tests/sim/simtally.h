/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simtally.h - scenarios, and what came of their replicates.
 */
#ifndef ABSTAT_TESTS_SIMTALLY_H
#define ABSTAT_TESTS_SIMTALLY_H

#include <stddef.h>
#include <stdint.h>

#include "judge.h"
#include "simnoise.h"

enum { SIM_BLOCKS_MAX = 50, SIM_FIXED_N = 20, SIM_RULES_MAX = 8 };

/* What is simulated for each model of noise; effects and margins in standard deviations. */
enum sim_scenario {
	SIM_FALSE_ALARM, /* A = B, with a margin too small to end in "same" */
	SIM_SAME,        /* A = B, margin 1 */
	SIM_AT_MARGIN,   /* B = A +- margin, margin 1 */
	SIM_GATE,        /* B = A + gate, gate 1 */
	SIM_HALF_SD,     /* effect 0.5, margin too small */
	SIM_TWO_SD,      /* effect 2 */
	SIM_FIVE_SD,     /* effect 5 */
	SIM_OUT_OF_TIME, /* A = B, margin too small, the time is up after 6 to 50 blocks */
	SIM_FIXED,       /* n = 20, effect 0.5, one look: power, coverage */
	SIM_RULES,       /* n = 20, A = B, every tool's rule, random blocks */
	SIM_RULES_AAAA,  /* the same, all of A before all of B */
	SIM_RULES_SEEN,  /* n = 20, effect 1, random blocks */
	SIM_SCENARIOS,
};

struct sim_tally {
	uint64_t replicates;
	uint64_t higher, lower, same, unclear;
	uint64_t right; /* a difference, in the direction of the effect */
	uint64_t pass, fail;
	uint64_t covered;
	uint64_t disagreed; /* p at the level, but no change inside the interval, or the reverse */
	double blocks, blocks_squared;
	double estimate; /* sum, in standard deviations */
	uint64_t rule[SIM_RULES_MAX];
};

struct sim_settings {
	uint64_t seed;
	uint64_t replicates;
	unsigned jobs;
};

/* results[noise * SIM_SCENARIOS + scenario]. 0, or -errno where a worker failed. */
int sim_run(const struct sim_settings *settings, struct sim_tally *results);

#endif
