/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * welch.c - Welch's test and interval for the difference of two means.
 */
#include "welch.h"

#include <errno.h>
#include <math.h>

#include "dist.h"
#include "summary.h"

static void t_test(double effect, double se, double df, double *t, double *p_greater,
		   double *p_less)
{
	if (se > 0)
		*t = effect / se;
	else
		*t = effect > 0 ? INFINITY : effect < 0 ? -INFINITY : 0;
	if (se > 0 || effect != 0) {
		*p_greater = dist_t_tail(*t, df);
		*p_less = dist_t_cdf(*t, df);
	} else {
		*p_greater = *p_less = 1;
	}
}

static int finish(struct welch *w)
{
	double sum = w->var_a + w->var_b, share;

	w->se = sqrt(sum);
	w->deterministic = sum == 0;
	if (w->deterministic) {
		w->df = (double)(w->n_a + w->n_b - 2);
	} else {
		/* As shares of the sum, so that variances near the limits keep their ratio. */
		share = w->var_a / sum;
		w->df = 1 / (share * share / (double)(w->n_a - 1) +
			     (1 - share) * (1 - share) / (double)(w->n_b - 1));
	}
	if (!isfinite(w->diff) || !isfinite(w->se) || !isfinite(w->df))
		return -ERANGE;
	t_test(w->diff, w->se, w->df, &w->t, &w->p_greater, &w->p_less);
	w->p = fmin(1, 2 * fmin(w->p_greater, w->p_less));
	return 0;
}

int welch_of_moments(struct welch *w, const struct moments *a, const struct moments *b)
{
	struct welch result;
	int err;

	if (a->n < 2 || b->n < 2)
		return -EDOM;
	result = (struct welch){.n_a = a->n,
				.n_b = b->n,
				.mean_a = moments_mean(a),
				.mean_b = moments_mean(b),
				.var_a = moments_variance(a) / (double)a->n,
				.var_b = moments_variance(b) / (double)b->n,
				.diff = moments_mean(b) - moments_mean(a)};
	err = finish(&result);
	if (!err)
		*w = result;
	return err;
}

int welch_of(struct welch *w, const double *a, size_t n_a, const double *b, size_t n_b)
{
	struct moments ma, mb;
	int err;

	err = moments_of(&ma, a, n_a);
	if (!err)
		err = moments_of(&mb, b, n_b);
	return err ? err : welch_of_moments(w, &ma, &mb);
}

int welch_of_summaries(struct welch *w, double mean_a, double sd_a, size_t n_a, double mean_b,
		       double sd_b, size_t n_b)
{
	struct welch result;
	int err;

	if (!isfinite(mean_a) || !isfinite(mean_b) || !isfinite(sd_a) || !isfinite(sd_b) ||
	    sd_a < 0 || sd_b < 0)
		return -EINVAL;
	if (n_a < 2 || n_b < 2)
		return -EDOM;
	result = (struct welch){.n_a = n_a,
				.n_b = n_b,
				.mean_a = mean_a,
				.mean_b = mean_b,
				.var_a = sd_a * sd_a / (double)n_a,
				.var_b = sd_b * sd_b / (double)n_b,
				.diff = mean_b - mean_a};
	err = finish(&result);
	if (!err)
		*w = result;
	return err;
}

double sd_of_sem_percent(double mean, double sem_percent, size_t n)
{
	return fabs(mean) * sem_percent / 100 * sqrt((double)n);
}

int welch_interval(const struct welch *w, double level, double *low, double *high)
{
	double half;

	if (!(level > 0 && level < 1))
		return -EINVAL;
	half = w->se > 0 ? -dist_t_quantile((1 - level) / 2, w->df) * w->se : 0;
	*low = w->diff - half;
	*high = w->diff + half;
	return 0;
}

int welch_test_against(const struct welch *w, double ratio, double shift, double *p_greater,
		       double *p_less)
{
	double t, effect, se;

	if (!isfinite(ratio) || !isfinite(shift))
		return -EINVAL;
	effect = w->diff - ((ratio - 1) * w->mean_a + shift);
	se = sqrt(w->var_b + ratio * ratio * w->var_a);
	t_test(effect, se, w->df, &t, p_greater, p_less);
	return 0;
}

double welch_smallest_visible(const struct welch *w, double alpha, double power)
{
	if (!(alpha > 0 && alpha < 1 && power > 0 && power < 1))
		return NAN;
	return (dist_t_quantile(1 - alpha / 2, w->df) + dist_t_quantile(power, w->df)) * w->se;
}
