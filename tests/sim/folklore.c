/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What comes of a rule that is often followed: make five runs; where their standard deviation is
 * too large, make five others instead; report the median of the five. abstat-tutorial(7) says what
 * is wrong with it, in the figures that this program computes, and fails where they are not those
 * of the page.
 *
 * The runs of each side are 100 ms with a standard deviation of 1 %, but some are slow, by 10 ms on
 * average (exponential): on a machine, something interrupts them.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "simrandom.h"
#include "welch.h"

enum { RUNS = 5, REPLICATES = 20000 };

/* The rule: this much of the mean is too large. */
static const double limit = 0.02;

struct outcome {
	double runs[RUNS];
	double median;
	int attempts;
};

static double one_run(struct sim_random *random, double slow)
{
	double run = 100 + sim_random_normal(random);

	if (sim_random_uniform(random) < slow)
		run += -10 * log(1 - sim_random_uniform(random));
	return run;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double relative_sd(const double *runs)
{
	double mean = 0, squares = 0;

	for (int i = 0; i < RUNS; i++)
		mean += runs[i] / RUNS;
	for (int i = 0; i < RUNS; i++)
		squares += (runs[i] - mean) * (runs[i] - mean);
	return sqrt(squares / (RUNS - 1)) / mean;
}

static void follow_rule(struct outcome *o, struct sim_random *random, double slow)
{
	o->attempts = 0;
	do {
		for (int i = 0; i < RUNS; i++)
			o->runs[i] = one_run(random, slow);
		o->attempts++;
	} while (relative_sd(o->runs) > limit);
	qsort(o->runs, RUNS, sizeof(o->runs[0]), by_size);
	o->median = o->runs[RUNS / 2];
}

/* What the rule reports of a program, on average, beside what a run of it takes. */
static bool reports(struct sim_random *random, double slow, double expected)
{
	double median = 0, attempts = 0;
	double truth = 100 + slow * 10;

	for (int i = 0; i < REPLICATES; i++) {
		struct outcome o;

		follow_rule(&o, random, slow);
		median += o.median / REPLICATES;
		attempts += (double)o.attempts / REPLICATES;
	}
	printf("%2.0f %% slow: a run takes %.1f ms, the rule says %.2f ms after %.1f attempts\n",
	       slow * 100, truth, median, attempts);
	return fabs(median - expected) < 0.05;
}

/* How often Welch's test on two such fives of the same program finds a difference at 5 %. */
static double false_alarms(struct sim_random *random, double sd)
{
	int alarms = 0;

	for (int i = 0; i < REPLICATES; i++) {
		double runs[2][RUNS];
		struct welch welch;

		for (int side = 0; side < 2; side++)
			do {
				for (int k = 0; k < RUNS; k++)
					runs[side][k] = 100 + sd * sim_random_normal(random);
			} while (relative_sd(runs[side]) > limit);
		if (welch_of(&welch, runs[0], RUNS, runs[1], RUNS) == 0)
			alarms += welch.p <= 0.05;
	}
	return (double)alarms / REPLICATES;
}

int main(void)
{
	struct sim_random random;
	bool right = true;
	double calm, noisy;

	sim_random_seed(&random, 1, 0);
	right &= reports(&random, 0.05, 100.03);
	right &= reports(&random, 0.30, 100.18);
	/* Where the standard deviation is well below the limit, and where it is half as much above.
	 */
	calm = false_alarms(&random, 1);
	noisy = false_alarms(&random, 3);
	printf("the same program twice: %.1f %% called different where the rule repeats nothing,\n"
	       "%.1f %% where it has to choose\n",
	       calm * 100, noisy * 100);
	right &= fabs(noisy - 0.228) < 0.01;
	puts(right ? "these are the figures of abstat-tutorial(7)"
		   : "these are not the figures of abstat-tutorial(7)");
	return !right;
}
