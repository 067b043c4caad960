/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anytime.c - threshold of the mixture sequential t test.
 */
#include "anytime.h"

#include <math.h>

double anytime_t_threshold(size_t n, double alpha, double g)
{
	double runs = (double)n, spread = 1 + runs * g, needed;

	if (n < 2 || !(alpha > 0 && alpha < 1) || !(g > 0) || isinf(g))
		return NAN;
	/* The ratio is spread^-1/2 ((1 + x) / (1 + x / spread))^(n/2) with x = t^2 / (n - 1). */
	needed = exp(2 / runs * (0.5 * log(spread) - log(alpha)));
	if (needed >= spread)
		return INFINITY;
	return sqrt((runs - 1) * (needed - 1) / (1 - needed / spread));
}
