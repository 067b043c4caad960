/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simcheck.c - holds the measured rates against their limits.
 */
#include "simcheck.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "simrate.h"

struct limit {
	const char *what;
	enum sim_scenario scenario;
	double (*rate)(const struct sim_tally *t);
	double limit;
	bool at_least;
	bool blocks; /* a mean of blocks, not a share */
};

/* Blocks: to the whole number, 14 and 31. */
static const struct limit limits[] = {
	{"false alarms", SIM_FALSE_ALARM, sim_rate_different, 0.055, false, false},
	{"false alarms, out of time", SIM_OUT_OF_TIME, sim_rate_different, 0.055, false, false},
	{"coverage, no effect", SIM_FALSE_ALARM, sim_rate_covered, 0.94, true, false},
	{"coverage, 0.5 sd", SIM_HALF_SD, sim_rate_covered, 0.94, true, false},
	{"coverage, n = 20", SIM_FIXED, sim_rate_covered, 0.94, true, false},
	{"test and interval disagree", SIM_FALSE_ALARM, sim_rate_disagreed, 0, false, false},
	{"test and interval disagree, 0.5 sd", SIM_HALF_SD, sim_rate_disagreed, 0, false, false},
	{"\"same\" at the margin", SIM_AT_MARGIN, sim_rate_same, 0.055, false, false},
	{"gate says 1 at M", SIM_GATE, sim_rate_fail, 0.055, false, false},
	{"gate says 0 at M", SIM_GATE, sim_rate_pass, 0.055, false, false},
	{"right verdict at 2 sd", SIM_TWO_SD, sim_rate_right, 0.95, true, false},
	{"blocks at 2 sd", SIM_TWO_SD, sim_mean_blocks, 14.5, false, true},
	{"\"same\" where it is", SIM_SAME, sim_rate_same, 0.90, true, false},
	{"blocks to \"same\"", SIM_SAME, sim_mean_blocks, 31.5, false, true},
};

static double standard_error(const struct limit *l, double limit, const struct sim_tally *t)
{
	double n = (double)t->replicates, mean = t->blocks / n;

	if (l->blocks)
		return sqrt(fmax(0, t->blocks_squared / n - mean * mean) / n);
	return sqrt(limit * (1 - limit) / n);
}

/*
 * The harness must see what it is there to see: with all of A before all of B, drift makes every
 * test call A and A different.
 */
static int check_broken_order(const struct sim_tally *results)
{
	int bad = 0;

	for (size_t m = 0; m < sim_noise_count; m++) {
		const struct sim_tally *t = &results[m * SIM_SCENARIOS + SIM_RULES_AAAA];
		double rate = sim_rate_rule(t, 0);
		bool drift = m + 1 == sim_noise_count, memory = m + 2 == sim_noise_count;

		if (rate < (drift ? 0.9 : memory ? 0.15 : 0)) {
			printf("FAIL %s: only %.4f false alarms in a broken order\n",
			       sim_noises[m].name, rate);
			bad++;
		}
	}
	return bad;
}

int sim_check(const struct sim_tally *results, double allowance)
{
	int bad = 0;

	for (size_t m = 0; m < sim_noise_count; m++) {
		for (size_t k = 0; k < sizeof(limits) / sizeof(*limits); k++) {
			const struct limit *l = &limits[k];
			const struct sim_tally *t = &results[m * SIM_SCENARIOS + l->scenario];
			double rate = l->rate(t);
			double slack = allowance * standard_error(l, l->limit, t);

			if (l->at_least ? rate >= l->limit - slack : rate <= l->limit + slack)
				continue;
			printf("FAIL %s: %s: %.4f, limit %.4f\n", sim_noises[m].name, l->what, rate,
			       l->limit);
			bad++;
		}
	}
	return bad + check_broken_order(results);
}
