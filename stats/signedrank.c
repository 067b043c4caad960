/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signedrank.c - signed rank tests, Walsh averages, paired t.
 */
#include "signedrank.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "dist.h"
#include "rankdist.h"
#include "signflip.h"
#include "summary.h"

enum { EXACT_MAX = 1000 };

struct magnitude {
	double size;
	int sign;
};

static int compare_magnitudes(const void *left, const void *right)
{
	const struct magnitude *l = left, *r = right;

	return (l->size > r->size) - (l->size < r->size);
}

/* Signed doubled midranks of the n_nonzero differences; V and the tie sum on the way. */
static int rank_differences(struct signed_rank *sr, const double *d, size_t n, int64_t *ranks,
			    double *ties)
{
	struct magnitude *m = malloc(n * sizeof(*m));
	size_t kept = 0, end;

	if (!m)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (d[i] != 0)
			m[kept++] = (struct magnitude){fabs(d[i]), d[i] > 0 ? 1 : -1};
	qsort(m, kept, sizeof(*m), compare_magnitudes);
	*sr = (struct signed_rank){.n_nonzero = kept};
	*ties = 0;
	for (size_t i = 0; i < kept; i = end) {
		double t;

		end = i + 1;
		while (end < kept && m[end].size == m[i].size)
			end++;
		t = (double)(end - i);
		*ties += t * t * t - t;
		for (size_t k = i; k < end; k++) {
			ranks[k] = m[k].sign * (int64_t)(i + 1 + end);
			if (m[k].sign > 0)
				sr->v += (double)(i + 1 + end) / 2;
		}
	}
	free(m);
	return 0;
}

/* Checks, ranks and returns the ranks for the caller to free, or NULL and *err. */
static int64_t *prepare(struct signed_rank *sr, const double *d, size_t n, double *ties, int *err)
{
	int64_t *ranks;

	*err = n == 0 ? -EDOM : check_finite(d, n);
	if (*err)
		return NULL;
	*err = -ENOMEM;
	ranks = calloc(n, sizeof(*ranks));
	if (!ranks)
		return NULL;
	*err = rank_differences(sr, d, n, ranks, ties);
	if (*err) {
		free(ranks);
		return NULL;
	}
	return ranks;
}

int signed_rank_exact(struct signed_rank *sr, const double *d, size_t n)
{
	struct signed_rank result;
	double ties, *cdf;
	int64_t *ranks;
	size_t last;
	int err;

	if (n > EXACT_MAX)
		return -EDOM;
	ranks = prepare(&result, d, n, &ties, &err);
	if (!ranks)
		return err;
	free(ranks);
	cdf = signed_rank_cdf(result.n_nonzero);
	if (!cdf)
		return -ENOMEM;
	last = result.n_nonzero * (result.n_nonzero + 1) / 2;
	result.p_less = cdf[(size_t)floor(result.v)];
	result.p_greater = cdf[last - (size_t)ceil(result.v)];
	result.p = fmin(1, 2 * fmin(result.p_less, result.p_greater));
	free(cdf);
	*sr = result;
	return 0;
}

int signed_rank_asymptotic(struct signed_rank *sr, const double *d, size_t n)
{
	double ties, off, sd, count;
	struct signed_rank result;
	int64_t *ranks;
	int err;

	ranks = prepare(&result, d, n, &ties, &err);
	if (!ranks)
		return err;
	free(ranks);
	count = (double)result.n_nonzero;
	off = result.v - count * (count + 1) / 4;
	sd = sqrt(count * (count + 1) * (2 * count + 1) / 24 - ties / 48);
	if (result.n_nonzero == 0) {
		result.p = result.p_greater = result.p_less = 1;
	} else {
		result.p_greater = dist_normal_tail((off - 0.5) / sd);
		result.p_less = dist_normal_cdf((off + 0.5) / sd);
		result.p = fmin(1, 2 * dist_normal_tail((fabs(off) - 0.5) / sd));
	}
	*sr = result;
	return 0;
}

int signed_rank_permutation(struct signed_rank *sr, const double *d, size_t n, double *count,
			    double *total)
{
	struct signed_rank result;
	struct signflip *flip;
	int64_t *ranks;
	double ties, all;
	int err;

	if (n > EXACT_MAX)
		return -EDOM;
	ranks = prepare(&result, d, n, &ties, &err);
	if (!ranks)
		return err;
	flip = signflip_new(n * (n + 1) / 2);
	if (flip)
		signflip_tails(flip, ranks, result.n_nonzero, &result.p_greater, &result.p_less);
	free(ranks);
	if (!flip)
		return -ENOMEM;
	signflip_free(flip);
	result.p = fmin(1, 2 * fmin(result.p_greater, result.p_less));
	all = exp2((double)result.n_nonzero);
	if (count)
		*count = round(result.p * all);
	if (total)
		*total = all;
	*sr = result;
	return 0;
}

static double *walsh_averages(const double *d, size_t n, size_t *count)
{
	double *w;
	size_t k = 0;

	*count = n * (n + 1) / 2;
	w = malloc(*count * sizeof(*w));
	for (size_t i = 0; w && i < n; i++)
		for (size_t j = i; j < n; j++)
			w[k++] = 0.5 * d[i] + 0.5 * d[j];
	if (w)
		sort_doubles(w, *count);
	return w;
}

int paired_hodges_lehmann(struct walsh_interval *wi, const double *d, size_t n, double level)
{
	double *cdf, *w;
	size_t count, k = 0;
	int err;

	if (!(level > 0 && level < 1))
		return -EINVAL;
	if (n == 0 || n > EXACT_MAX)
		return -EDOM;
	err = check_finite(d, n);
	if (err)
		return err;
	cdf = signed_rank_cdf(n);
	w = walsh_averages(d, n, &count);
	if (!cdf || !w) {
		free(cdf);
		free(w);
		return -ENOMEM;
	}
	while (cdf[k] < (1 - level) / 2 * (1 - 1e-12))
		k++;
	if (k == 0)
		k = 1;
	*wi = (struct walsh_interval){.estimate = sorted_median(w, count),
				      .low = w[k - 1],
				      .high = w[count - k],
				      .k = k,
				      .achieved_level = 1 - 2 * cdf[k - 1]};
	free(cdf);
	free(w);
	return 0;
}

int paired_t(struct paired_t *pt, const double *d, size_t n, double level)
{
	struct moments m;
	double mean, se, half, t, df;
	int err;

	if (!(level > 0 && level < 1))
		return -EINVAL;
	if (n < 2)
		return -EDOM;
	err = moments_of(&m, d, n);
	if (err)
		return err;
	mean = moments_mean(&m);
	se = moments_sem(&m);
	df = (double)n - 1;
	half = se > 0 ? -dist_t_quantile((1 - level) / 2, df) * se : 0;
	t = se > 0 ? mean / se : mean > 0 ? INFINITY : mean < 0 ? -INFINITY : 0;
	*pt = (struct paired_t){.mean = mean,
				.se = se,
				.df = df,
				.t = t,
				.p = fmin(1, 2 * dist_t_tail(fabs(t), df)),
				.low = mean - half,
				.high = mean + half};
	return 0;
}
