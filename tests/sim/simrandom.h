/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simrandom.h - random numbers of the simulations, the same on every machine.
 *
 * xoshiro256++ (Blackman and Vigna, ACM Trans. Math. Softw. 47, 2021), seeded by splitmix64.
 */
#ifndef ABSTAT_TESTS_SIMRANDOM_H
#define ABSTAT_TESTS_SIMRANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct sim_random {
	uint64_t state[4];
	double spare;
	bool has_spare;
};

void sim_random_seed(struct sim_random *r, uint64_t seed, uint64_t stream);
uint64_t sim_random_bits(struct sim_random *r);
double sim_random_uniform(struct sim_random *r); /* [0, 1) */
double sim_random_normal(struct sim_random *r);  /* Marsaglia's polar method */

#endif
