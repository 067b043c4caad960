/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dist.h - distribution functions: normal, Student's t, noncentral t, chi-squared.
 *
 * The values come from libRmath, R's own library. Every function returns NaN for an argument
 * outside its domain (df <= 0, a probability outside [0, 1], a NaN) and never prints.
 * "tail" is the upper tail, P(X > x), computed as such: it keeps its precision where
 * 1 - cdf would have lost it.
 */
#ifndef ABSTAT_STATS_DIST_H
#define ABSTAT_STATS_DIST_H

/* P(Z <= z), P(Z > z) of the standard normal; z may be infinite. */
double dist_normal_cdf(double z);
double dist_normal_tail(double z);

/* The z with P(Z <= z) = p, and the z with P(Z > z) = p; p in [0, 1], 0 and 1 give infinities. */
double dist_normal_quantile(double p);
double dist_normal_quantile_upper(double p);

/* P(T <= t), P(T > t) of Student's t with df > 0 degrees of freedom (need not be whole). */
double dist_t_cdf(double t, double df);
double dist_t_tail(double t, double df);

/* The t with P(T <= t) = p. */
double dist_t_quantile(double p, double df);

/*
 * P(T > t) of the noncentral t with noncentrality ncp. Absolute error below 1e-9 where
 * libRmath's series converges (|ncp| up to 37); beyond it, the normal approximation 26.7.10
 * of Abramowitz and Stegun.
 */
double dist_noncentral_t_tail(double t, double df, double ncp);

/* P(X <= x), P(X > x) and quantile of the chi-squared distribution, df > 0, x >= 0. */
double dist_chisq_cdf(double x, double df);
double dist_chisq_tail(double x, double df);
double dist_chisq_quantile(double p, double df);

#endif
