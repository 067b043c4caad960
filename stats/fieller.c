/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fieller.c - Fieller's interval for the ratio of two means.
 */
#include "fieller.h"

#include <errno.h>
#include <math.h>

#include "dist.h"
#include "welch.h"

int fieller_interval(struct fieller *f, const struct welch *w, double level)
{
	double q, ratio, rel_a, rel_b, g, half;

	if (!(level > 0 && level < 1))
		return -EINVAL;
	if (w->mean_a == 0)
		return -EDOM;
	ratio = 1 + w->diff / w->mean_a;
	q = -dist_t_quantile((1 - level) / 2, w->df);
	/* Variances relative to the baseline's mean: the squares of large counts overflow late. */
	rel_a = w->var_a / w->mean_a / w->mean_a;
	rel_b = w->var_b / w->mean_a / w->mean_a;
	if (!isfinite(ratio) || !isfinite(rel_a) || !isfinite(rel_b))
		return -ERANGE;
	g = q * q * rel_a;
	if (g >= 1) {
		*f = (struct fieller){.ratio = ratio, .low = -INFINITY, .high = INFINITY};
		return 0;
	}
	half = q * sqrt(rel_b + ratio * ratio * rel_a - g * rel_b) / (1 - g);
	*f = (struct fieller){.ratio = ratio,
			      .low = ratio / (1 - g) - half,
			      .high = ratio / (1 - g) + half,
			      .bounded = true};
	return 0;
}
