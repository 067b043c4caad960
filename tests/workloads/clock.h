/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time that a part of a program takes, where only that part is of interest.
 */
#ifndef WORKLOAD_CLOCK_H
#define WORKLOAD_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment. */
static inline int64_t clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
