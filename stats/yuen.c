/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yuen.c - Yuen's test for trimmed means.
 */
#include "yuen.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dist.h"
#include "summary.h"

struct trimmed {
	struct moments kept;
	double left;     /* values left */
	double variance; /* of the trimmed mean */
};

static int trim_side(struct trimmed *t, const double *x, size_t n, double trim, double *sorted)
{
	size_t cut = (size_t)floor(trim * (double)n);
	struct moments winsorised;
	int err;

	memcpy(sorted, x, n * sizeof(*x));
	sort_doubles(sorted, n);
	t->left = (double)(n - 2 * cut);
	err = moments_of(&t->kept, sorted + cut, n - 2 * cut);
	if (err)
		return err;
	for (size_t i = 0; i < cut; i++) {
		sorted[i] = sorted[cut];
		sorted[n - 1 - i] = sorted[n - 1 - cut];
	}
	err = moments_of(&winsorised, sorted, n);
	if (!err)
		t->variance = winsorised.m2 / (t->left * (t->left - 1));
	return err;
}

static void compare_trimmed(struct yuen *y, const struct trimmed *a, const struct trimmed *b,
			    double level)
{
	double sum = a->variance + b->variance, half;

	*y = (struct yuen){.mean_a = moments_mean(&a->kept),
			   .mean_b = moments_mean(&b->kept),
			   .diff = moments_mean(&b->kept) - moments_mean(&a->kept),
			   .se = sqrt(sum)};
	if (sum > 0) {
		y->df = sum * sum /
			(a->variance * a->variance / (a->left - 1) +
			 b->variance * b->variance / (b->left - 1));
		y->t = y->diff / y->se;
	} else {
		y->df = a->left + b->left - 2;
		y->t = y->diff > 0 ? INFINITY : y->diff < 0 ? -INFINITY : 0;
	}
	y->p = fmin(1, 2 * dist_t_tail(fabs(y->t), y->df));
	half = sum > 0 ? -dist_t_quantile((1 - level) / 2, y->df) * y->se : 0;
	y->low = y->diff - half;
	y->high = y->diff + half;
}

int yuen_of(struct yuen *y, const double *a, size_t n_a, const double *b, size_t n_b, double trim,
	    double level)
{
	struct trimmed ta, tb;
	double *sorted;
	int err;

	if (!(trim >= 0 && trim < 0.5) || !(level > 0 && level < 1) || check_finite(a, n_a) ||
	    check_finite(b, n_b))
		return -EINVAL;
	if (n_a < 2 + 2 * (size_t)floor(trim * (double)n_a) ||
	    n_b < 2 + 2 * (size_t)floor(trim * (double)n_b))
		return -EDOM;
	sorted = malloc((n_a > n_b ? n_a : n_b) * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	err = trim_side(&ta, a, n_a, trim, sorted);
	if (!err)
		err = trim_side(&tb, b, n_b, trim, sorted);
	free(sorted);
	if (!err)
		compare_trimmed(y, &ta, &tb, level);
	return err;
}
