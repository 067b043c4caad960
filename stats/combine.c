/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * combine.c - random-effects combination of estimates.
 */
#include "combine.h"

#include <errno.h>
#include <math.h>

#include "dist.h"
#include "summary.h"

/* Weighted mean with weights 1 / (se^2 + tau2), the sums of the weights and of their squares. */
static double weighted_mean(const double *x, const double *se, size_t k, double tau2, double *sum,
			    double *squares)
{
	double total = 0;

	*sum = *squares = 0;
	for (size_t i = 0; i < k; i++) {
		double w = 1 / (se[i] * se[i] + tau2);

		*sum += w;
		*squares += w * w;
		total += w * x[i];
	}
	return total / *sum;
}

static double weighted_squares(const double *x, const double *se, size_t k, double tau2,
			       double centre)
{
	double total = 0;

	for (size_t i = 0; i < k; i++)
		total += (x[i] - centre) * (x[i] - centre) / (se[i] * se[i] + tau2);
	return total;
}

int combine(struct combined *c, const double *estimate, const double *se, size_t k, double level)
{
	double sum, squares, df, quantile, half;
	struct combined r = {.k = k, .next_low = NAN, .next_high = NAN};

	if (k < 2)
		return -EDOM;
	if (!(level > 0 && level < 1) || check_finite(estimate, k) || check_finite(se, k))
		return -EINVAL;
	for (size_t i = 0; i < k; i++)
		if (se[i] <= 0)
			return -EINVAL;
	df = (double)k - 1;
	r.fixed = weighted_mean(estimate, se, k, 0, &sum, &squares);
	r.q = weighted_squares(estimate, se, k, 0, r.fixed);
	r.q_p = dist_chisq_tail(r.q, df);
	r.i2 = r.q > df ? (r.q - df) / r.q : 0;
	r.tau2 = fmax(0, (r.q - df) / (sum - squares / sum));
	r.estimate = weighted_mean(estimate, se, k, r.tau2, &sum, &squares);
	r.factor = weighted_squares(estimate, se, k, r.tau2, r.estimate) / df;
	r.se = sqrt(fmax(1, r.factor) / sum);
	if (!isfinite(r.estimate) || !isfinite(r.se) || !isfinite(r.tau2))
		return -ERANGE;
	quantile = -dist_t_quantile((1 - level) / 2, df);
	r.low = r.estimate - quantile * r.se;
	r.high = r.estimate + quantile * r.se;
	r.p = 2 * dist_t_tail(fabs(r.estimate / r.se), df);
	if (k >= 3) {
		half = -dist_t_quantile((1 - level) / 2, df - 1) * sqrt(r.tau2 + r.se * r.se);
		r.next_low = r.estimate - half;
		r.next_high = r.estimate + half;
	}
	*c = r;
	return 0;
}
