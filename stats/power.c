/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * power.c - power, sample size and planning rules.
 */
#include "power.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "dist.h"

static const double MOST = 1e9;
static const size_t LEAST = 6;
static const double EXPECTED_SHARE = 0.79;

static bool valid(double delta, double sd, double alpha)
{
	return isfinite(delta) && sd > 0 && isfinite(sd) && alpha > 0 && alpha < 1;
}

static double both_tails(double df, double ncp, double alpha)
{
	double q = dist_t_quantile(1 - alpha / 2, df);

	return fmin(1, dist_noncentral_t_tail(q, df, fabs(ncp)) +
			       dist_noncentral_t_tail(q, df, -fabs(ncp)));
}

double power_two_sample(double n, double delta, double sd, double alpha)
{
	if (!(n >= 2) || !valid(delta, sd, alpha))
		return NAN;
	return both_tails(2 * n - 2, delta / sd * sqrt(n / 2), alpha);
}

double power_paired(double n, double delta, double sd_diff, double alpha)
{
	if (!(n >= 2) || !valid(delta, sd_diff, alpha))
		return NAN;
	return both_tails(n - 1, delta / sd_diff * sqrt(n), alpha);
}

static int search(double (*power_of)(double, double, double, double), double delta, double sd,
		  double alpha, double power, size_t *n)
{
	double low = 1, high = 2;

	if (!valid(delta, sd, alpha) || delta == 0 || !(power > 0 && power < 1))
		return -EINVAL;
	while (power_of(high, delta, sd, alpha) < power) {
		low = high;
		high *= 2;
		if (high > MOST)
			return -ERANGE;
	}
	while (high - low > 1) {
		double middle = floor((low + high) / 2);

		if (power_of(middle, delta, sd, alpha) < power)
			low = middle;
		else
			high = middle;
	}
	*n = (size_t)high;
	return 0;
}

int runs_for_two_sample(double delta, double sd, double alpha, double power, size_t *n)
{
	return search(power_two_sample, delta, sd, alpha, power, n);
}

int runs_for_paired(double delta, double sd_diff, double alpha, double power, size_t *n)
{
	return search(power_paired, delta, sd_diff, alpha, power, n);
}

double smallest_visible(double se, double df, double alpha, double power)
{
	if (!(alpha > 0 && alpha < 1 && power > 0 && power < 1))
		return NAN;
	return (dist_t_quantile(1 - alpha / 2, df) + dist_t_quantile(power, df)) * se;
}

double sd_of_interval(double low, double high, size_t n, double level)
{
	if (n < 2 || !(level > 0 && level < 1) || !isfinite(low) || !isfinite(high))
		return NAN;
	return (high - low) / (-2 * dist_t_quantile((1 - level) / 2, 2 * (double)n - 2)) *
	       sqrt((double)n / 2);
}

double pilot_inflation_of(double df)
{
	return df > 0 ? sqrt(df / dist_chisq_quantile(0.2, df)) : NAN;
}

double pilot_inflation(size_t n)
{
	return pilot_inflation_of(2 * (double)n - 2);
}

int plan_runs(struct run_plan *plan, double delta, double sd, double alpha)
{
	size_t n;
	double fixed;
	int err;

	err = runs_for_two_sample(delta, sd, alpha, POWER_AIM, &n);
	if (err)
		return err;
	fixed = fmax((double)LEAST, ceil(POWER_RANK_FACTOR * (double)n));
	plan->fixed = (size_t)fixed;
	plan->max_blocks = (size_t)ceil(POWER_LOOKS_FACTOR * fixed);
	plan->expected = EXPECTED_SHARE * fixed;
	return 0;
}
