/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trend.h - is a sequence of runs free of memory and of drift?
 */
#ifndef ABSTAT_STATS_TREND_H
#define ABSTAT_STATS_TREND_H

#include <stddef.h>

struct lag1 {
	double r1;
	double z;
	double p; /* one-sided, for positive autocorrelation */
};

/*
 * Autocorrelation of neighbours, sum (x[i] - m)(x[i+1] - m) / sum (x[i] - m)^2, whose mean under
 * independence is -1/n. -EDOM for n < 3 or where all are equal, -EINVAL, -ERANGE.
 */
int lag1_autocorrelation(struct lag1 *l, const double *x, size_t n);

struct rank_von_neumann {
	double rvn;
	double z;
	double p; /* one-sided: small rvn, positive autocorrelation */
};

/*
 * Bartels, JASA 77 (1982): the squared differences of neighbours' midranks over their variance;
 * near 2 for independent runs. Normal approximation, for n of 10 or more. Allocates 24 n bytes.
 * -EDOM for n < 3 or where all are equal, -EINVAL, -ENOMEM.
 */
int rank_von_neumann(struct rank_von_neumann *r, const double *x, size_t n);

struct mann_kendall {
	double s;        /* pairs that rise less pairs that fall */
	double variance; /* with ties */
	double z;        /* continuity correction 1 */
	double p;        /* two-sided; 1 where all are equal */
};

/*
 * Mann, Econometrica 13 (1945); Kendall (1975): a monotone trend. n log n steps (a Fenwick tree),
 * 40 n bytes. -EDOM for n < 2, -EINVAL, -ENOMEM.
 */
int mann_kendall(struct mann_kendall *mk, const double *x, size_t n);

#endif
