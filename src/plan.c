/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan: what is drawn from the seed. */
#include "plan.h"

enum stream { STREAM_ORDER = 1, STREAM_BLOCK_SEED, STREAM_STACK };

/* SplitMix64 (Steele, Lea and Flood 2014): every state gives a well-mixed number, so blocks can be drawn in any order. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static uint64_t block_state(uint64_t seed, uint32_t block, enum stream stream)
{
	uint64_t state = seed;
	uint64_t mixed = next_random(&state);

	state = mixed ^ ((uint64_t)block << 8 | stream);
	return next_random(&state);
}

/* Uniform in 0..bound-1: numbers from the incomplete last interval are drawn again. */
static uint64_t random_below(uint64_t *state, uint64_t bound)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
	uint64_t r;

	do
		r = next_random(state);
	while (r >= limit);
	return r % bound;
}

void plan_order(uint64_t seed, uint32_t block, uint16_t *order, size_t n)
{
	uint64_t state = block_state(seed, block, STREAM_ORDER);

	for (size_t i = 0; i < n; i++) {
		size_t j = random_below(&state, i + 1);

		order[i] = order[j];
		order[j] = (uint16_t)i;
	}
}

uint64_t plan_block_seed(uint64_t seed, uint32_t block)
{
	return block_state(seed, block, STREAM_BLOCK_SEED) & INT32_MAX;
}

uint32_t plan_stack_offset(uint64_t seed, uint32_t block)
{
	return (uint32_t)(block_state(seed, block, STREAM_STACK) % 256) * 16;
}

uint32_t plan_default_blocks(uint64_t block_ns)
{
	const uint64_t budget_ns = 10000000000;
	uint64_t n = block_ns ? budget_ns / block_ns : 0;

	return (uint32_t)(n < 50 ? 50 : n > 1000 ? 1000 : n);
}
