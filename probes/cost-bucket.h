/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The buckets of a distribution of costs: one a value below 2048, and 1024 for each power of two from
 * there on. Of a value there, some low bits are left out; what remains of it tells its bucket.
 */
#ifndef ABSTAT_COST_BUCKET_H
#define ABSTAT_COST_BUCKET_H

#include <math.h>
#include <stdint.h>

#define COST_EXACT 2048u
#define COST_PER_OCTAVE 1024u

/* How many low bits of VALUE its bucket leaves out. */
static inline unsigned cost_shift(uint64_t value)
{
	return 53 - (unsigned)__builtin_clzll(value | (COST_EXACT - 1));
}

/* The middle of the bucket of the values of which REST remains without SHIFT low bits. */
static inline double cost_middle(uint64_t rest, unsigned shift)
{
	return ldexp((double)rest, (int)shift) + (ldexp(1, (int)shift) - 1) / 2;
}

#endif
