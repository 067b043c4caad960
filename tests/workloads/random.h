/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that cost next to nothing and are the same in every run: xorshift64.
 */
#ifndef WORKLOAD_RANDOM_H
#define WORKLOAD_RANDOM_H

#include <stdint.h>

/* The next number; *STATE must not be 0. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}

/* One below N, which is below 2^32: scaled by a multiplication, as a division would take longer. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	return (random_next(state) >> 32) * n >> 32;
}

#endif
