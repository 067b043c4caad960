/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpaired.c - Mann-Whitney test, Hodges-Lehmann estimate and interval.
 */
#include "unpaired.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diffselect.h"
#include "dist.h"
#include "rankdist.h"
#include "sidemerge.h"
#include "summary.h"

enum { EXACT_MAX = 500, PERMUTATION_MAX = 100 };

struct unpaired {
	size_t n_a, n_b;
	bool logs;
	double *a, *b;             /* sorted, as given */
	double *scale_a, *scale_b; /* on the scale of the estimate */
};

int unpaired_new(struct unpaired **out, const double *a, size_t n_a, const double *b, size_t n_b,
		 bool logs)
{
	struct unpaired *u;

	if (n_a == 0 || n_b == 0)
		return -EDOM;
	if (check_finite(a, n_a) || check_finite(b, n_b))
		return -EINVAL;
	u = calloc(1, sizeof(*u));
	if (!u)
		return -ENOMEM;
	*u = (struct unpaired){.n_a = n_a, .n_b = n_b, .logs = logs};
	u->a = calloc(n_a + n_b, (logs ? 2 : 1) * sizeof(*u->a));
	if (!u->a) {
		free(u);
		return -ENOMEM;
	}
	u->b = u->a + n_a;
	memcpy(u->a, a, n_a * sizeof(*a));
	memcpy(u->b, b, n_b * sizeof(*b));
	sort_doubles(u->a, n_a);
	sort_doubles(u->b, n_b);
	u->scale_a = logs ? u->a + n_a + n_b : u->a;
	u->scale_b = u->scale_a + n_a;
	if (logs && (u->a[0] <= 0 || u->b[0] <= 0)) {
		unpaired_free(u);
		return -EINVAL;
	}
	for (size_t i = 0; logs && i < n_a + n_b; i++)
		u->scale_a[i] = log(u->a[i]);
	*out = u;
	return 0;
}

void unpaired_free(struct unpaired *u)
{
	if (!u)
		return;
	free(u->a);
	free(u);
}

/* U of b, and the sum of t^3 - t over the groups of t tied values. */
static void count_u(const struct unpaired *u, const struct side_rule *rule, double *u_b,
		    double *ties)
{
	size_t i = 0, j = 0;
	double doubled = 0;

	*ties = 0;
	while (i < u->n_a || j < u->n_b) {
		size_t end_a, end_b;
		double t;

		side_group(rule, u->a, u->n_a, i, u->b, u->n_b, j, &end_a, &end_b);
		doubled += (double)(end_b - j) * (double)(i + end_a);
		t = (double)(end_a - i + end_b - j);
		*ties += t * t * t - t;
		i = end_a;
		j = end_b;
	}
	*u_b = doubled / 2;
}

static void asymptotic(const struct unpaired *u, double ties, struct mann_whitney *mw)
{
	double m = (double)u->n_a, n = (double)u->n_b, all = m + n, off = mw->u_b - m * n / 2;
	double variance = all > 1 ? m * n / 12 * (all + 1 - ties / (all * (all - 1))) : 0;
	double sd = sqrt(variance);

	mw->exact = false;
	/* Fewer than one part in 10^12 left of the variance is rounding: all are tied. */
	if (variance <= 1e-12 * m * n * all) {
		mw->p = mw->p_greater = mw->p_less = 1;
		return;
	}
	mw->p_greater = dist_normal_tail((off - 0.5) / sd);
	mw->p_less = dist_normal_cdf((off + 0.5) / sd);
	mw->p = fmin(1, 2 * dist_normal_tail((fabs(off) - 0.5) / sd));
}

static int exact(const struct unpaired *u, struct mann_whitney *mw)
{
	size_t all = u->n_a * u->n_b, below = (size_t)floor(mw->u_b);
	size_t mirrored = (size_t)floor((double)all - mw->u_b);
	double *cdf = mann_whitney_cdf(u->n_a, u->n_b);

	if (!cdf)
		return -ENOMEM;
	mw->exact = true;
	mw->p_less = cdf[below];
	mw->p_greater = cdf[mirrored];
	mw->p = fmin(1, 2 * fmin(mw->p_less, mw->p_greater));
	free(cdf);
	return 0;
}

static int test(const struct unpaired *u, const struct side_rule *rule, struct mann_whitney *mw)
{
	struct mann_whitney result = {0};
	double ties;
	int err = 0;

	count_u(u, rule, &result.u_b, &ties);
	result.ties = ties > 0;
	if (!result.ties && u->n_a < MANN_WHITNEY_EXACT_BELOW && u->n_b < MANN_WHITNEY_EXACT_BELOW)
		err = exact(u, &result);
	else
		asymptotic(u, ties, &result);
	if (!err)
		*mw = result;
	return err;
}

int unpaired_test(const struct unpaired *u, double shift, struct mann_whitney *mw)
{
	return test(u, &(struct side_rule){.shift = shift}, mw);
}

int unpaired_test_ratio(const struct unpaired *u, double ratio, struct mann_whitney *mw)
{
	return test(u, &(struct side_rule){.ratio = ratio}, mw);
}

static void free_unpaired(struct unpaired **u)
{
	unpaired_free(*u);
}

int mann_whitney(struct mann_whitney *mw, const double *a, size_t n_a, const double *b, size_t n_b)
{
	__attribute__((cleanup(free_unpaired))) struct unpaired *u = NULL;
	int err = unpaired_new(&u, a, n_a, b, n_b, false);

	return err ? err : unpaired_test(u, 0, mw);
}

int mann_whitney_exact(struct mann_whitney *mw, const double *a, size_t n_a, const double *b,
		       size_t n_b)
{
	__attribute__((cleanup(free_unpaired))) struct unpaired *u = NULL;
	struct mann_whitney result = {0};
	double ties;
	int err;

	if (n_a > EXACT_MAX || n_b > EXACT_MAX)
		return -EDOM;
	err = unpaired_new(&u, a, n_a, b, n_b, false);
	if (err)
		return err;
	count_u(u, &(struct side_rule){0}, &result.u_b, &ties);
	result.ties = ties > 0;
	err = exact(u, &result);
	if (!err)
		*mw = result;
	return err;
}

int mann_whitney_asymptotic(struct mann_whitney *mw, const double *a, size_t n_a, const double *b,
			    size_t n_b)
{
	__attribute__((cleanup(free_unpaired))) struct unpaired *u = NULL;
	struct mann_whitney result = {0};
	double ties;
	int err = unpaired_new(&u, a, n_a, b, n_b, false);

	if (err)
		return err;
	count_u(u, &(struct side_rule){0}, &result.u_b, &ties);
	result.ties = ties > 0;
	asymptotic(u, ties, &result);
	*mw = result;
	return 0;
}

/* Doubled midranks of all values, b's first; returns the doubled rank sum of b. */
static uint64_t doubled_ranks(const struct unpaired *u, uint64_t *ranks)
{
	uint64_t sum = 0;
	size_t i = 0, j = 0, at_a = u->n_b;

	while (i < u->n_a || j < u->n_b) {
		size_t end_a, end_b, first = i + j;

		side_group(&(struct side_rule){0}, u->a, u->n_a, i, u->b, u->n_b, j, &end_a,
			   &end_b);
		for (; i < end_a; i++)
			ranks[at_a++] = first + 1 + end_a + end_b;
		for (; j < end_b; j++) {
			ranks[j] = first + 1 + end_a + end_b;
			sum += ranks[j];
		}
	}
	return sum;
}

int mann_whitney_permutation(struct rank_permutation *rp, const double *a, size_t n_a,
			     const double *b, size_t n_b)
{
	__attribute__((cleanup(free_unpaired))) struct unpaired *u = NULL;
	uint64_t ranks[PERMUTATION_MAX], seen, middle;
	size_t all = n_a + n_b, max_sum = all * (all + 1);
	double *ways;
	int err;

	if (all > PERMUTATION_MAX)
		return -EDOM;
	err = unpaired_new(&u, a, n_a, b, n_b, false);
	if (err)
		return err;
	seen = doubled_ranks(u, ranks);
	middle = (uint64_t)n_b * (all + 1); /* the mean of the doubled sum */
	ways = subset_counts(ranks, all, n_b, max_sum);
	if (!ways)
		return -ENOMEM;
	*rp = (struct rank_permutation){.w_b = (double)seen / 2};
	for (uint64_t s = 0; s <= max_sum; s++) {
		uint64_t off = s > middle ? s - middle : middle - s;

		rp->total += ways[s];
		if (off >= (seen > middle ? seen - middle : middle - seen))
			rp->count += ways[s];
	}
	rp->p = rp->count / rp->total;
	free(ways);
	return 0;
}

int unpaired_estimate(const struct unpaired *u, double *estimate)
{
	double value;
	int err = diff_median(u->scale_a, u->n_a, u->scale_b, u->n_b, &value);

	if (!err)
		*estimate = u->logs ? exp(value) : value;
	return err;
}

static int ends(const struct unpaired *u, struct unpaired_interval *ui)
{
	uint64_t all = (uint64_t)u->n_a * u->n_b;
	double low, high;
	int err;

	err = diff_select(u->scale_a, u->n_a, u->scale_b, u->n_b, ui->k, &low);
	if (!err)
		err = diff_select(u->scale_a, u->n_a, u->scale_b, u->n_b, all + 1 - ui->k, &high);
	if (err)
		return err;
	ui->low = u->logs ? exp(low) : low;
	ui->high = u->logs ? exp(high) : high;
	return 0;
}

int unpaired_interval_normal(const struct unpaired *u, double level, struct unpaired_interval *ui)
{
	double m = (double)u->n_a, n = (double)u->n_b, k;
	struct unpaired_interval result = {.achieved_level = NAN};
	int err;

	if (!(level > 0 && level < 1))
		return -EINVAL;
	k = floor(m * n / 2 -
		  dist_normal_quantile_upper((1 - level) / 2) * sqrt(m * n * (m + n + 1) / 12) +
		  0.5);
	result.reached = k >= 1;
	result.k = result.reached ? (uint64_t)k : 1;
	err = ends(u, &result);
	if (!err)
		*ui = result;
	return err;
}

int unpaired_interval_exact(const struct unpaired *u, double level, struct unpaired_interval *ui)
{
	struct unpaired_interval result = {.k = 0};
	double *cdf;
	int err;

	if (!(level > 0 && level < 1))
		return -EINVAL;
	if (u->n_a > EXACT_MAX || u->n_b > EXACT_MAX)
		return -EDOM;
	cdf = mann_whitney_cdf(u->n_a, u->n_b);
	if (!cdf)
		return -ENOMEM;
	/* As R's quantile: a probability short of the level by rounding reaches it. */
	while (cdf[result.k] < (1 - level) / 2 * (1 - 1e-12))
		result.k++;
	result.reached = result.k >= 1;
	if (!result.reached)
		result.k = 1;
	result.achieved_level = 1 - 2 * cdf[result.k - 1];
	free(cdf);
	err = ends(u, &result);
	if (!err)
		*ui = result;
	return err;
}
