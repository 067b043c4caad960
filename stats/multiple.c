/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * multiple.c - Holm's and Benjamini and Hochberg's adjustments.
 */
#include "multiple.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct place {
	double p;
	size_t index;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *l = left, *r = right;

	return (l->p > r->p) - (l->p < r->p);
}

/* The p values ascending, each with its place; NULL on failure, with *err. */
static struct place *ascending(const double *p, size_t n, int *err)
{
	struct place *sorted;

	*err = -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (!(p[i] >= 0 && p[i] <= 1))
			return NULL;
	*err = -ENOMEM;
	sorted = calloc(n ? n : 1, sizeof(*sorted));
	if (!sorted)
		return NULL;
	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct place){p[i], i};
	qsort(sorted, n, sizeof(*sorted), compare_places);
	*err = 0;
	return sorted;
}

int holm_adjust(const double *p, size_t n, double *p_adjusted)
{
	double running = 0;
	struct place *sorted;
	int err;

	sorted = ascending(p, n, &err);
	if (!sorted)
		return err;
	for (size_t i = 0; i < n; i++) {
		running = fmax(running, fmin(1, (double)(n - i) * sorted[i].p));
		p_adjusted[sorted[i].index] = running;
	}
	free(sorted);
	return 0;
}

int bh_adjust(const double *p, size_t n, double *p_adjusted)
{
	double running = 1;
	struct place *sorted;
	int err;

	sorted = ascending(p, n, &err);
	if (!sorted)
		return err;
	for (size_t i = n; i-- > 0;) {
		running = fmin(running, (double)n / (double)(i + 1) * sorted[i].p);
		p_adjusted[sorted[i].index] = running;
	}
	free(sorted);
	return 0;
}
