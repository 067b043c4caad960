/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simnoise.h - experiments on made-up noise.
 */
#ifndef ABSTAT_TESTS_SIMNOISE_H
#define ABSTAT_TESTS_SIMNOISE_H

#include <stdbool.h>
#include <stddef.h>

struct sim_random;

/* The runs of a baseline are SIM_BASE + noise, so that a standard deviation is 5 % of them. */
#define SIM_BASE 20.0

struct sim_noise {
	const char *name;
	/* n runs in the order in which they are made, standard deviation 1 (see each). */
	void (*fill)(struct sim_random *r, double *x, size_t n);
	bool whole; /* runs are rounded to whole numbers, so that there are ties */
};

extern const struct sim_noise sim_noises[];
extern const size_t sim_noise_count;

enum sim_order {
	SIM_BLOCKS, /* pairs, the order in each drawn at random */
	SIM_AAAA,   /* all runs of A, then all runs of B: how it should not be done */
};

enum { SIM_MAX_PAIRS = 200 };

/* An experiment of n pairs in which B takes 1 + effect / SIM_BASE times as much as A. */
void sim_experiment(const struct sim_noise *noise, struct sim_random *r, enum sim_order order,
		    double effect, double *a, double *b, size_t n);

#endif
