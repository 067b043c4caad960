/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simrate.c - shares and means of a tally.
 */
#include "simrate.h"

#include <math.h>

static double share(uint64_t count, const struct sim_tally *t)
{
	return (double)count / (double)t->replicates;
}

double sim_rate_different(const struct sim_tally *t)
{
	return share(t->higher + t->lower, t);
}

double sim_rate_right(const struct sim_tally *t)
{
	return share(t->right, t);
}

double sim_rate_same(const struct sim_tally *t)
{
	return share(t->same, t);
}

double sim_rate_pass(const struct sim_tally *t)
{
	return share(t->pass, t);
}

double sim_rate_fail(const struct sim_tally *t)
{
	return share(t->fail, t);
}

double sim_rate_covered(const struct sim_tally *t)
{
	return share(t->covered, t);
}

double sim_rate_disagreed(const struct sim_tally *t)
{
	return share(t->disagreed, t);
}

double sim_rate_rule(const struct sim_tally *t, size_t rule)
{
	return share(t->rule[rule], t);
}

double sim_mean_blocks(const struct sim_tally *t)
{
	return t->blocks / (double)t->replicates;
}

double sim_mean_estimate(const struct sim_tally *t)
{
	return t->estimate / (double)t->replicates;
}
