/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What something takes, from many times of it: one interrupt takes longer than a hundred calls, so the
 * mean is that of the middle half.
 */
#ifndef WORKLOAD_MIDDLE_H
#define WORKLOAD_MIDDLE_H

#include <stdint.h>

/* The mean of the middle half of N > 0 times, which are sorted by that. */
double mean_of_middle_half(int64_t *times, long n);

#endif
