/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in ascending order. */
#include "sorted-numbers.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void numbers_sort(uint64_t *v, size_t n)
{
	if (n)
		qsort(v, n, sizeof(*v), compare);
}

size_t numbers_sort_unique(uint64_t *v, size_t n)
{
	size_t kept = 0;

	numbers_sort(v, n);
	for (size_t i = 0; i < n; i++)
		if (!kept || v[kept - 1] != v[i])
			v[kept++] = v[i];
	return kept;
}

bool numbers_have(const uint64_t *v, size_t n, uint64_t x)
{
	return n && bsearch(&x, v, n, sizeof(*v), compare);
}
