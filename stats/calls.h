/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - many calls in a run, several runs: the run is the unit.
 *
 * Calls of one run share its layout, its machine state and its luck, so that they are not
 * independent trials: taken as such, 10^4 calls in 10 runs give 17, 70, 93 % false alarms where
 * the runs differ by 0.2, 1, 5 %. Each run is reduced to a few numbers, and these are compared.
 * The same reduction serves one level up: the runs of a boot, where boots are the unit.
 */
#ifndef ABSTAT_STATS_CALLS_H
#define ABSTAT_STATS_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "histogram.h"
#include "summary.h"

/* The calls of one run as they come; start from {0}. */
struct call_stream {
	struct moments moments;
	struct stream_histogram histogram;
};

/* What is left of a run. NaN where there were no calls. */
struct run_of_calls {
	size_t count;
	double mean;
	double variance; /* within the run; NaN for fewer than 2 calls */
	double total;
	double p50, p99; /* within 1/128 */
};

/* A call's cost, >= 0. -EINVAL, -ERANGE. */
int call_stream_add(struct call_stream *s, double cost);
void call_stream_reduce(const struct call_stream *s, struct run_of_calls *run);

/*
 * Components of variance (Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, 2013).
 * Run means are not weighted by their numbers of calls.
 */
struct components {
	size_t runs;
	double mean;          /* of the run means */
	double within;        /* S_w^2: mean variance between the calls of a run */
	double between;       /* S_b^2: variance of the run means */
	double run_variance;  /* tau^2 = max(0, S_b^2 - S_w^2 / m): what runs add of their own */
	double calls;         /* m: harmonic mean of the numbers of calls */
	double mean_variance; /* of mean: S_b^2 / runs */
	bool uneven;          /* numbers of calls differ more than twofold */
};

/* Runs without calls are left out. -EDOM for fewer than 2 runs with 2 calls or more. */
int components_of(struct components *c, const struct run_of_calls *runs, size_t n);

/*
 * Calls a run worth making: sqrt(cost_run / cost_call (S_w^2 / tau^2)), at least 1; infinite
 * where runs add nothing of their own. Costs > 0 in one unit of time, else NaN.
 */
double calls_worth(const struct components *c, double cost_run, double cost_call);

#endif
