/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proportion.c - the exact interval of a binomial share.
 */
#include "proportion.h"

#include <errno.h>
#include <math.h>

/* Bisection halves the interval until nothing is left between its ends. */
enum { BISECTIONS = 1100 };

static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

static double mass(double k, double n, double p)
{
	return exp(log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1) + k * log(p) +
		   (n - k) * log1p(-p));
}

/*
 * P(X >= k) where p < k / n: from k upwards the terms only become smaller, so they can be added
 * up from the largest one until the rest no longer counts.
 */
static double tail(double k, double n, double p)
{
	double term = mass(k, n, p), sum = term;

	while (k < n && term > sum * 1e-17) {
		term *= (n - k) / (k + 1) * p / (1 - p);
		sum += term;
		k++;
	}
	return sum;
}

/* The p below k / n with P(X >= k) = alpha. */
static double lower_bound(double k, double n, double alpha)
{
	double low = 0, high = k / n;

	for (int i = 0; i < BISECTIONS; i++) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (tail(k, n, middle) < alpha)
			low = middle;
		else
			high = middle;
	}
	return high;
}

int proportion_of(struct proportion *p, size_t hits, size_t trials, double level)
{
	double alpha = (1 - level) / 2, k = (double)hits, n = (double)trials;

	if (!trials)
		return -EDOM;
	if (hits > trials || !(level > 0 && level < 1))
		return -EINVAL;
	/* The upper end is the lower one of the trials that were no hits. */
	*p = (struct proportion){
	    .share = k / n,
	    .low = hits ? lower_bound(k, n, alpha) : 0,
	    .high = hits < trials ? 1 - lower_bound(n - k, n, alpha) : 1,
	    .level = level,
	};
	return 0;
}
