/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anytime.h - a t test that may be looked at after every single run.
 *
 * The mixture sequential t test: the likelihood ratio of a normal prior of variance g on the
 * effect size against none, invariant to scale (Lai, Sankhya A 38, 1976; Robbins, Ann. Math.
 * Stat. 41, 1970). It is far less sensitive than a few planned looks (sequential.h), which is why
 * nothing uses it by default; it assumes normal values.
 */
#ifndef ABSTAT_STATS_ANYTIME_H
#define ABSTAT_STATS_ANYTIME_H

#include <stddef.h>

/*
 * The |t| of n values (n - 1 degrees of freedom) from which on the test rejects at alpha,
 * whenever one stops. Infinite where n values cannot. NaN for n < 2 and arguments outside their
 * domain (0 < alpha < 1, g > 0).
 */
double anytime_t_threshold(size_t n, double alpha, double g);

#endif
