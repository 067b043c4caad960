/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dist.c - the only file that calls libRmath.
 *
 * libRmath prints a warning to stdout when an argument is outside its domain, so every argument
 * is checked here first.
 */
#include "dist.h"

#include <math.h>
#include <stdbool.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

static bool probability(double p)
{
	return p >= 0 && p <= 1;
}

static bool freedom(double df)
{
	return df > 0 && !isnan(df);
}

double dist_normal_cdf(double z)
{
	return isnan(z) ? NAN : pnorm(z, 0, 1, 1, 0);
}

double dist_normal_tail(double z)
{
	return isnan(z) ? NAN : pnorm(z, 0, 1, 0, 0);
}

double dist_normal_quantile(double p)
{
	return probability(p) ? qnorm(p, 0, 1, 1, 0) : NAN;
}

double dist_normal_quantile_upper(double p)
{
	return probability(p) ? qnorm(p, 0, 1, 0, 0) : NAN;
}

double dist_t_cdf(double t, double df)
{
	return !isnan(t) && freedom(df) ? pt(t, df, 1, 0) : NAN;
}

double dist_t_tail(double t, double df)
{
	return !isnan(t) && freedom(df) ? pt(t, df, 0, 0) : NAN;
}

double dist_t_quantile(double p, double df)
{
	return probability(p) && freedom(df) ? qt(p, df, 1, 0) : NAN;
}

/* P(T > t) by the normal approximation, for where the series does not converge in time. */
static double noncentral_t_far(double t, double df, double ncp)
{
	double s = 1 / (4 * df);

	return dist_normal_tail((t * (1 - s) - ncp) / sqrt(1 + t * t * 2 * s));
}

double dist_noncentral_t_tail(double t, double df, double ncp)
{
	if (isnan(t) || !freedom(df) || isnan(ncp))
		return NAN;
	if (isinf(t))
		return t > 0 ? 0 : 1;
	if (isinf(ncp))
		return ncp > 0 ? 1 : 0;
	/* By symmetry, P(T > t; ncp) = 1 - P(T > -t; -ncp): the series wants t >= 0. */
	if (t < 0)
		return 1 - dist_noncentral_t_tail(-t, df, -ncp);
	if (fabs(ncp) > 37 || isinf(df))
		return isinf(df) ? dist_normal_tail(t - ncp) : noncentral_t_far(t, df, ncp);
	/* The series may overshoot by its rounding. */
	return fmax(0, fmin(1, pnt(t, df, ncp, 0, 0)));
}

double dist_chisq_cdf(double x, double df)
{
	return x >= 0 && freedom(df) && !isinf(df) ? pchisq(x, df, 1, 0) : NAN;
}

double dist_chisq_tail(double x, double df)
{
	return x >= 0 && freedom(df) && !isinf(df) ? pchisq(x, df, 0, 0) : NAN;
}

double dist_chisq_quantile(double p, double df)
{
	return probability(p) && freedom(df) && !isinf(df) ? qchisq(p, df, 1, 0) : NAN;
}
