/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simnoise.c - models of noise, and the experiments made on them.
 */
#include "simnoise.h"

#include <math.h>
#include <stdlib.h>

#include "simrandom.h"

static void fill_normal(struct sim_random *r, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = sim_random_normal(r);
}

/* exp of a standard normal, brought to mean 0 and standard deviation 1. */
static void fill_lognormal(struct sim_random *r, double *x, size_t n)
{
	double mean = exp(0.5), sd = sqrt((exp(1) - 1) * exp(1));

	for (size_t i = 0; i < n; i++)
		x[i] = (exp(sim_random_normal(r)) - mean) / sd;
}

/* Normal, and 5 % of the runs take 10 standard deviations more. */
static void fill_outliers(struct sim_random *r, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		x[i] = sim_random_normal(r);
		if (sim_random_uniform(r) < 0.05)
			x[i] += 10;
	}
}

/* Two modes 6 of their own standard deviations apart; the whole is brought to 1. */
static void fill_modes(struct sim_random *r, double *x, size_t n, double upper)
{
	double apart = 6, sd = sqrt(1 + apart * apart * upper * (1 - upper));

	for (size_t i = 0; i < n; i++) {
		x[i] = sim_random_normal(r) - apart * upper;
		if (sim_random_uniform(r) < upper)
			x[i] += apart;
		x[i] /= sd;
	}
}

static void fill_modes_50(struct sim_random *r, double *x, size_t n)
{
	fill_modes(r, x, n, 0.5);
}

static void fill_modes_80(struct sim_random *r, double *x, size_t n)
{
	fill_modes(r, x, n, 0.2);
}

/* Each run remembers half of the one before it, whichever variant it was. */
static void fill_ar(struct sim_random *r, double *x, size_t n)
{
	double last = sim_random_normal(r);

	for (size_t i = 0; i < n; i++) {
		x[i] = 0.5 * last + sqrt(0.75) * sim_random_normal(r);
		last = x[i];
	}
}

/* From the first run to the last of the experiment it gets slower by 3 standard deviations. */
static void fill_drift(struct sim_random *r, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = sim_random_normal(r) + 3 * (double)i / (double)(n > 1 ? n - 1 : 1);
}

const struct sim_noise sim_noises[] = {
	{"normal", fill_normal, false},         {"lognormal", fill_lognormal, false},
	{"5 % outliers", fill_outliers, false}, {"modes 50/50", fill_modes_50, false},
	{"modes 80/20", fill_modes_80, false},  {"tied integers", fill_normal, true},
	{"AR .5", fill_ar, false},              {"drift 3 sd", fill_drift, false},
};

const size_t sim_noise_count = sizeof(sim_noises) / sizeof(*sim_noises);

void sim_experiment(const struct sim_noise *noise, struct sim_random *r, enum sim_order order,
		    double effect, double *a, double *b, size_t n)
{
	double runs[2 * SIM_MAX_PAIRS];

	if (n > SIM_MAX_PAIRS)
		abort();
	noise->fill(r, runs, 2 * n);
	for (size_t i = 0; i < n; i++) {
		size_t b_first = order == SIM_BLOCKS ? sim_random_bits(r) >> 63 : 0;
		size_t at_a = order == SIM_BLOCKS ? 2 * i + b_first : i;
		size_t at_b = order == SIM_BLOCKS ? 2 * i + 1 - b_first : n + i;

		a[i] = SIM_BASE + runs[at_a];
		b[i] = SIM_BASE + runs[at_b];
		/* Before B's factor, so that the factor is the truth. */
		if (noise->whole) {
			a[i] = round(a[i]);
			b[i] = round(b[i]);
		}
		b[i] *= 1 + effect / SIM_BASE;
	}
}
