/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * combine.h - one estimate from several, as from the same comparison on several machines.
 *
 * A random-effects model: each machine has a true effect of its own, normal around a common one.
 * Between-machine variance by DerSimonian and Laird (Controlled Clinical Trials 7, 1986); the
 * interval by Hartung and Knapp (Statistics in Medicine 20, 2001), whose factor is not let below
 * 1, so that machines that agree by chance do not promise more than their own errors do.
 *
 * Limits: with fewer than 5 machines tau^2 is hardly known, and the interval is wide for it.
 */
#ifndef ABSTAT_STATS_COMBINE_H
#define ABSTAT_STATS_COMBINE_H

#include <stddef.h>

struct combined {
	size_t k;
	double estimate;
	double se;                 /* Hartung and Knapp's, factor at least 1 */
	double low, high;          /* t with k - 1 degrees of freedom */
	double p;                  /* two-sided, of a common effect of 0 */
	double next_low, next_high; /* where another machine's true effect would lie; k >= 3 */
	double fixed;              /* estimate if there were one effect only */
	double q, q_p;             /* heterogeneity: Cochran's Q and its p, k - 1 df */
	double i2;                 /* share of Q beyond chance, in [0, 1) */
	double tau2;               /* between-machine variance */
	double factor;             /* Hartung and Knapp's, before it is limited */
};

/*
 * k >= 2 estimates with their standard errors > 0 (ratios: on their logarithms). -EDOM for
 * k < 2, -EINVAL for NaN, infinities, errors <= 0, level outside (0, 1); -ERANGE on overflow.
 */
int combine(struct combined *c, const double *estimate, const double *se, size_t k, double level);

#endif
