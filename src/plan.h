/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan: which variant runs when, drawn from the seed. Pure: the same seed gives the same orders, whatever was
 * measured before, so that an interrupted comparison can be resumed.
 */
#ifndef ABSTAT_PLAN_H
#define ABSTAT_PLAN_H

#include <stddef.h>
#include <stdint.h>

/* The order of BLOCK: a permutation of 0..n-1, each as likely as any other. */
void plan_order(uint64_t seed, uint32_t block, uint16_t *order, size_t n);

/* What {block} becomes: from 0 to 2^31 - 1, the same for all variants of the block. */
uint64_t plan_block_seed(uint64_t seed, uint32_t block);

/* Bytes that the stack is moved by with --layout=block: a multiple of 16 below 4096. */
uint32_t plan_stack_offset(uint64_t seed, uint32_t block);

/* N of the group-sequential plan: 10 s of blocks, at least 50 and at most 1000. 0 ns: unknown, 50. */
uint32_t plan_default_blocks(uint64_t block_ns);

#endif
