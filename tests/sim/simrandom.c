/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simrandom.c - xoshiro256++.
 */
#include "simrandom.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

void sim_random_seed(struct sim_random *r, uint64_t seed, uint64_t stream)
{
	uint64_t mix = seed;

	mix = splitmix(&mix) ^ stream;
	*r = (struct sim_random){.has_spare = false};
	for (int i = 0; i < 4; i++)
		r->state[i] = splitmix(&mix);
}

static uint64_t rotate(uint64_t x, int by)
{
	return (x << by) | (x >> (64 - by));
}

uint64_t sim_random_bits(struct sim_random *r)
{
	uint64_t *s = r->state, result = rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

double sim_random_uniform(struct sim_random *r)
{
	return (double)(sim_random_bits(r) >> 11) * 0x1p-53;
}

double sim_random_normal(struct sim_random *r)
{
	double x, y, square, scale;

	if (r->has_spare) {
		r->has_spare = false;
		return r->spare;
	}
	do {
		x = 2 * sim_random_uniform(r) - 1;
		y = 2 * sim_random_uniform(r) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	scale = sqrt(-2 * log(square) / square);
	r->spare = y * scale;
	r->has_spare = true;
	return x * scale;
}
