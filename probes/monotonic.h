/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock by which durations are measured. */
#ifndef ABSTAT_MONOTONIC_H
#define ABSTAT_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC in nanoseconds. */
static inline uint64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#endif
