/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mean of the middle half. */
#include "middle.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

double mean_of_middle_half(int64_t *times, long n)
{
	double sum = 0;

	qsort(times, (size_t)n, sizeof(*times), by_size);
	for (long i = n / 4; i < n - n / 4; i++)
		sum += (double)times[i];
	return sum / (double)(n - n / 4 * 2);
}
