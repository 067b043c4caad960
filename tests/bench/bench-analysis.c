/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-analysis.c - time and memory of analysing many values: bench-analysis [VALUES].
 *
 * Two samples with VALUES (200,000) values in all: summaries, Welch, Mann-Whitney, Hodges-Lehmann
 * estimate and interval must take less than 1 s and 256 MiB; the full judgement of 1,000 pairs,
 * which a comparison makes at every look, less than 100 ms, and that of all pairs, which a report
 * makes for each metric, less than 2 s for each million values: of continuous values, of small
 * counts with ties, and of values so skewed that their means say nothing. Exits 1 where they do
 * not.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "judge.h"
#include "summary.h"
#include "unpaired.h"
#include "welch.h"

/* Of the processor: other work on the machine does not count. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Skewed, with few ties: the sum of an exponential and a uniform variable. */
static void fill(double *x, size_t n, double scale, uint64_t seed)
{
	for (size_t i = 0; i < n; i++) {
		double u[2];

		for (int k = 0; k < 2; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			u[k] = (double)((seed >> 11) + 1) * 0x1p-53;
		}
		x[i] = scale * (100 - 3 * log(u[0]) + u[1]);
	}
}

static void must(int err, const char *what)
{
	if (err) {
		fprintf(stderr, "bench-analysis: %s: error %d\n", what, err);
		exit(2);
	}
}

static double analyse(const double *a, const double *b, size_t n)
{
	double start = now(), estimate;
	struct summary sa, sb;
	struct welch w;
	struct mann_whitney mw;
	struct unpaired *u;
	struct unpaired_interval ui;

	must(summary_of(&sa, a, n, NULL), "summary");
	must(summary_of(&sb, b, n, NULL), "summary");
	must(welch_of(&w, a, n, b, n), "Welch");
	must(unpaired_new(&u, a, n, b, n, true), "sorting");
	must(unpaired_test(u, 0, &mw), "Mann-Whitney");
	must(unpaired_estimate(u, &estimate), "estimate");
	must(unpaired_interval_normal(u, 0.95, &ui), "interval");
	unpaired_free(u);
	printf("%zu + %zu values: ratio %.6f [%.6f, %.6f], p %.3g; Welch p %.3g\n", n, n, estimate,
	       ui.low, ui.high, mw.p, w.p);
	return now() - start;
}

static double judge_pairs(const double *a, const double *b, size_t n)
{
	struct judge_data data = {.a = {.values = a, .n = n},
				  .b = {.values = b, .n = n},
				  .paired = true};
	struct judge_rules rules = {
		.alpha = 0.05, .level = 0.03, .same_level = 0.03, .margin = 0.01, .gate = 0.01};
	struct judgement j;
	double start = now();

	must(judge(&j, &data, &rules, JUDGE_ALL), "judge");
	return now() - start;
}

/* Judges all pairs, as they are, as counts, and skewed. Returns the longest time. */
static double judge_all(double *a, double *b, size_t n)
{
	double as_is = judge_pairs(a, b, n), counts, skewed;

	for (size_t i = 0; i < n; i++) {
		a[i] = floor(a[i]);
		b[i] = floor(b[i]);
	}
	counts = judge_pairs(a, b, n);
	fill(a, n, 1, 3);
	fill(b, n, 1, 4);
	for (size_t i = 0; i < n; i++) {
		a[i] = exp(a[i] - 100);
		b[i] = exp(b[i] - 100);
	}
	skewed = judge_pairs(a, b, n);
	printf("judgement of %zu pairs: continuous %.1f, counts %.1f, skewed %.1f ms\n", n,
	       1e3 * as_is, 1e3 * counts, 1e3 * skewed);
	return fmax(as_is, fmax(counts, skewed));
}

int main(int argc, char **argv)
{
	size_t n = (argc > 1 ? strtoul(argv[1], NULL, 10) : 200000) / 2;
	double *a, *b, seconds, milliseconds, mib, all;
	struct rusage usage;

	if (n < 1000) {
		fprintf(stderr, "usage: bench-analysis [VALUES], at least 2000\n");
		return 2;
	}
	a = calloc(n, sizeof(*a));
	b = calloc(n, sizeof(*b));
	if (!a || !b)
		return 2;
	fill(a, n, 1, 1);
	fill(b, n, 1.0005, 2);
	seconds = analyse(a, b, n);
	milliseconds = 1e3 * judge_pairs(a, b, 1000);
	printf("judgement of 200, 500, 1000 pairs: %.1f, %.1f, %.1f ms\n",
	       1e3 * judge_pairs(a, b, 200), 1e3 * judge_pairs(a, b, 500), milliseconds);
	all = judge_all(a, b, n);
	getrusage(RUSAGE_SELF, &usage);
	mib = (double)usage.ru_maxrss / 1024;
	printf("analysis: %.3f s, at most %.1f MiB\n", seconds, mib);
	free(a);
	free(b);
	return seconds < 1 && mib < 256 && milliseconds < 100 && all < 4e-6 * (double)n ? 0 : 1;
}
