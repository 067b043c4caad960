/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trend.c - autocorrelation and monotone trend of a sequence.
 */
#include "trend.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "dist.h"
#include "sortvalues.h"
#include "summary.h"

int lag1_autocorrelation(struct lag1 *l, const double *x, size_t n)
{
	double n_real = (double)n, sum = 0, mean, r1, z;
	struct moments m;
	int err;

	if (n < 3)
		return -EDOM;
	err = moments_of(&m, x, n);
	if (err)
		return err;
	if (m.m2 == 0)
		return -EDOM;
	mean = m.offset;
	for (size_t i = 0; i + 1 < n; i++)
		sum += (x[i] - m.origin - mean) * (x[i + 1] - m.origin - mean);
	r1 = sum / m.m2;
	z = (r1 + 1 / n_real) / ((n_real - 2) / (n_real * sqrt(n_real - 1)));
	*l = (struct lag1){r1, z, dist_normal_tail(z)};
	return 0;
}

static size_t tied_end(const struct place *p, size_t n, size_t i)
{
	size_t end = i + 1;

	while (end < n && p[end].value == p[i].value)
		end++;
	return end;
}

int rank_von_neumann(struct rank_von_neumann *r, const double *x, size_t n)
{
	double n_real = (double)n, steps = 0, spread = 0, middle = (n_real + 1) / 2, sd;
	struct place *p;
	double *rank;
	int err;

	if (n < 3)
		return -EDOM;
	err = check_finite(x, n);
	if (err)
		return err;
	p = sort_places(x, n);
	rank = calloc(n, sizeof(*rank));
	if (!p || !rank) {
		free(p);
		free(rank);
		return -ENOMEM;
	}
	for (size_t i = 0, end; i < n; i = end) {
		end = tied_end(p, n, i);
		for (size_t k = i; k < end; k++)
			rank[p[k].index] = (double)(i + 1 + end) / 2;
	}
	for (size_t i = 0; i < n; i++) {
		spread += (rank[i] - middle) * (rank[i] - middle);
		if (i + 1 < n)
			steps += (rank[i] - rank[i + 1]) * (rank[i] - rank[i + 1]);
	}
	free(p);
	free(rank);
	if (spread == 0)
		return -EDOM;
	sd = sqrt(4 * (n_real - 2) * (5 * n_real * n_real - 2 * n_real - 9) /
		  (5 * n_real * (n_real + 1) * (n_real - 1) * (n_real - 1)));
	r->rvn = steps / spread;
	r->z = (r->rvn - 2) / sd;
	r->p = dist_normal_cdf(r->z);
	return 0;
}

/* How many with ranks 1..rank have been added to the Fenwick tree. */
static size_t counted(const size_t *tree, size_t rank)
{
	size_t total = 0;

	for (; rank > 0; rank -= rank & -rank)
		total += tree[rank];
	return total;
}

/* S, from dense ranks 1..distinct in the order of the sequence. */
static double rises_less_falls(const size_t *rank, size_t n, size_t distinct, size_t *tree)
{
	double s = 0;

	for (size_t i = 0; i < n; i++) {
		size_t below = counted(tree, rank[i] - 1), up_to = counted(tree, rank[i]);

		s += (double)below - (double)(i - up_to);
		for (size_t at = rank[i]; at <= distinct; at += at & -at)
			tree[at]++;
	}
	return s;
}

int mann_kendall(struct mann_kendall *mk, const double *x, size_t n)
{
	double n_real = (double)n, ties = 0;
	size_t distinct = 0, *rank, *tree;
	struct place *p;
	int err;

	if (n < 2)
		return -EDOM;
	err = check_finite(x, n);
	if (err)
		return err;
	p = sort_places(x, n);
	rank = calloc(n, sizeof(*rank));
	tree = calloc(n + 1, sizeof(*tree));
	if (!p || !rank || !tree) {
		free(p);
		free(rank);
		free(tree);
		return -ENOMEM;
	}
	for (size_t i = 0, end; i < n; i = end) {
		double t;

		end = tied_end(p, n, i);
		t = (double)(end - i);
		ties += t * (t - 1) * (2 * t + 5);
		distinct++;
		for (size_t k = i; k < end; k++)
			rank[p[k].index] = distinct;
	}
	mk->s = rises_less_falls(rank, n, distinct, tree);
	free(p);
	free(rank);
	free(tree);
	mk->variance = (n_real * (n_real - 1) * (2 * n_real + 5) - ties) / 18;
	mk->z = 0;
	if (mk->variance > 0 && mk->s != 0)
		mk->z = (mk->s - (mk->s > 0 ? 1 : -1)) / sqrt(mk->variance);
	mk->p = fmin(1, 2 * dist_normal_tail(fabs(mk->z)));
	return 0;
}
