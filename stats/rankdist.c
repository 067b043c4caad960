/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rankdist.c - exact null distributions of rank sums.
 */
#include "rankdist.h"

#include <stdlib.h>
#include <string.h>

static void accumulate(double *p, size_t count)
{
	for (size_t i = 1; i < count; i++)
		p[i] += p[i - 1];
	for (size_t i = 0; i < count; i++)
		if (p[i] > 1)
			p[i] = 1;
}

double *mann_whitney_cdf(size_t m, size_t n)
{
	size_t size = m * n + 1;
	/* row[j]: the probabilities of U for i and j values, i growing. */
	double *rows = calloc((n + 1) * size, sizeof(*rows)), *cdf;

	if (!rows)
		return NULL;
	for (size_t j = 0; j <= n; j++)
		rows[j * size] = 1;
	for (size_t i = 1; i <= m; i++) {
		for (size_t j = 1; j <= n; j++) {
			double *row = rows + j * size, *left = row - size;
			double last_b = (double)j / (double)(i + j), last_a = 1 - last_b;

			/* The largest of all is a b, above i values of a; or it is an a. */
			for (size_t u = i * j + 1; u-- > 0;)
				row[u] = last_a * row[u] + (u >= i ? last_b * left[u - i] : 0);
		}
	}
	cdf = malloc(size * sizeof(*cdf));
	if (cdf) {
		memcpy(cdf, rows + n * size, size * sizeof(*cdf));
		accumulate(cdf, size);
	}
	free(rows);
	return cdf;
}

double *subset_counts(const uint64_t *values, size_t n, size_t pick, size_t max_sum)
{
	size_t size = max_sum + 1;
	double *ways = calloc((pick + 1) * size, sizeof(*ways)), *result;

	if (!ways)
		return NULL;
	ways[0] = 1;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = pick; k > 0; k--) {
			double *with = ways + k * size, *without = with - size;

			for (size_t s = max_sum + 1; s-- > values[i];)
				with[s] += without[s - values[i]];
		}
	}
	result = malloc(size * sizeof(*result));
	if (result)
		memcpy(result, ways + pick * size, size * sizeof(*result));
	free(ways);
	return result;
}

double *signed_rank_cdf(size_t n)
{
	size_t size = n * (n + 1) / 2 + 1;
	double *p = calloc(size, sizeof(*p));

	if (!p)
		return NULL;
	p[0] = 1;
	for (size_t rank = 1; rank <= n; rank++)
		for (size_t v = rank * (rank + 1) / 2 + 1; v-- > 0;)
			p[v] = 0.5 * (p[v] + (v >= rank ? p[v - rank] : 0));
	accumulate(p, size);
	return p;
}
