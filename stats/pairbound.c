/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairbound.c - bounds and intervals by inverting the randomisation test.
 */
#include "pairsorted.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "diffselect.h"
#include "dist.h"
#include "pairwalk.h"
#include "sortvalues.h"

/* All differences, where they are few and many will be asked for. */
static int sort_differences(struct pairrank *pr)
{
	size_t k = 0;

	if (!pr->flip || pr->differences)
		return 0;
	pr->differences = malloc(pr->n * pr->n * sizeof(*pr->differences));
	if (!pr->differences)
		return -ENOMEM;
	for (size_t i = 0; i < pr->n; i++)
		for (size_t j = 0; j < pr->n; j++)
			pr->differences[k++] = pr->scale_b[j] - pr->scale_a[i];
	sort_doubles(pr->differences, k);
	return 0;
}

/* The k-th difference, counted from the outermost on this side. */
static int difference(const struct pairrank *pr, uint64_t k, bool lower, double *v)
{
	uint64_t all = (uint64_t)pr->n * pr->n, rank = lower ? k : all + 1 - k;

	if (pr->differences) {
		*v = pr->differences[rank - 1];
		return 0;
	}
	return diff_select(pr->scale_a, pr->n, pr->scale_b, pr->n, rank, v);
}

/* The evidence against a true value just beyond v: above it (lower end) or below it (upper). */
static double p_beyond(struct pairrank *pr, double v, bool lower, bool exact)
{
	struct side_rule with = {.shift = v, .tie = lower ? SIDE_BELOW : SIDE_ABOVE};
	struct pairrank_p p;

	pairrank_on_scale(pr, &with, exact, &p);
	return lower ? p.p_greater : p.p_less;
}

/*
 * Is the k-th difference inside? p_greater only grows with the tested shift: over subsets of
 * pairs it is the share for which the sum of d is <= 0, and every d falls. So this is false up to
 * some k and true from there on.
 */
static int inside(struct pairrank *pr, uint64_t k, double alpha, bool lower, bool exact, double *v,
		  bool *is)
{
	int err = difference(pr, k, lower, v);

	if (!err)
		*is = p_beyond(pr, *v, lower, exact) > alpha;
	return err;
}

/* The smallest k in (out, in] that is inside, knowing that out is not and in is. */
static int bisect(struct pairrank *pr, uint64_t out, uint64_t in, double alpha, bool lower,
		  bool exact, uint64_t *found)
{
	while (in - out > 1) {
		uint64_t middle = out + (in - out) / 2;
		double v;
		bool is;
		int err;

		err = inside(pr, middle, alpha, lower, exact, &v, &is);
		if (err)
			return err;
		if (is)
			in = middle;
		else
			out = middle;
	}
	*found = in;
	return 0;
}

/* How many differences are at v or outside of it. */
static uint64_t outside(const struct pairrank *pr, double v, bool lower)
{
	uint64_t all = (uint64_t)pr->n * pr->n;

	if (lower)
		return diff_count(pr->scale_a, pr->n, pr->scale_b, pr->n, v, true);
	return all - diff_count(pr->scale_a, pr->n, pr->scale_b, pr->n, v, false);
}

struct pair_range pair_range_whole(const struct pairrank *pr, bool lower)
{
	double least = pr->scale_b[0] - pr->scale_a[pr->n - 1];
	double largest = pr->scale_b[pr->n - 1] - pr->scale_a[0];

	return (struct pair_range){lower ? least : largest, lower ? largest : least, NAN, NAN, 0,
				   0};
}

double pair_range_next(const struct pair_range *r, bool middle)
{
	double share = -r->f_outer / (r->f_inner - r->f_outer);

	if (middle || !(share > 0.001 && share < 0.999))
		share = 0.5;
	return r->outer + share * (r->inner - r->outer);
}

void pair_range_move(struct pair_range *r, double v, double f, bool inner)
{
	if (inner) {
		r->inner = v;
		r->f_inner = f;
		r->outers = 0;
		if (++r->inners > 1)
			r->f_outer /= 2;
		return;
	}
	r->outer = v;
	r->f_outer = f;
	r->inners = 0;
	if (++r->outers > 1)
		r->f_inner /= 2;
}

/* Tests v and moves an end of the range there. True: inner. */
static bool test_at(struct pairrank *pr, struct pair_range *r, double v, double alpha, bool lower)
{
	double p = p_beyond(pr, v, lower, false);

	pair_range_move(r, v, dist_normal_quantile(p) - dist_normal_quantile(alpha), p > alpha);
	return p > alpha;
}

/* Mean and variance of a side, shifted by its middle so that nothing cancels. */
static void side_moments(const double *x, size_t n, double *mean, double *variance)
{
	double middle = x[n / 2], sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += x[i] - middle;
		squares += (x[i] - middle) * (x[i] - middle);
	}
	*mean = middle + sum / (double)n;
	*variance = squares / (double)n - (sum / (double)n) * (sum / (double)n);
}

void pair_means(const struct pairrank *pr, double *difference, double *se)
{
	double mean_a, mean_b, var_a, var_b;

	side_moments(pr->scale_a, pr->n, &mean_a, &var_a);
	side_moments(pr->scale_b, pr->n, &mean_b, &var_b);
	*difference = mean_b - mean_a;
	*se = sqrt((var_a + var_b) / (double)pr->n);
}

/* Begins where the means say that the bound is, and steps away from there until it is passed. */
static void guess_range(struct pairrank *pr, struct pair_range *r, double alpha, bool lower)
{
	double se, v, outwards;

	pair_means(pr, &v, &se);
	outwards = lower ? -se : se;
	v -= dist_normal_quantile(alpha) * outwards;
	if (!(se > 0) || !isfinite(v))
		return;
	for (double step = 0.05; step < 4; step *= 3) {
		bool inside_range =
			lower ? v > r->outer && v < r->inner : v < r->outer && v > r->inner;
		bool is;

		if (!inside_range)
			return;
		is = test_at(pr, r, v, alpha, lower);
		if (!isnan(r->f_outer) && !isnan(r->f_inner))
			return;
		v += (is ? step : -step) * outwards;
	}
}

/*
 * Narrows (out, in] by narrowing the range of values, which takes n steps a time where finding a
 * k-th difference takes many passes. Between two differences the test does not change, so that
 * what holds at v holds at the last difference that is not beyond it.
 */
static void narrow_range(struct pairrank *pr, double alpha, bool lower, uint64_t *out, uint64_t *in)
{
	struct pair_range r = pair_range_whole(pr, lower);
	uint64_t enough = pr->flip ? 16 : 1;

	guess_range(pr, &r, alpha, lower);
	for (unsigned i = 0; *in - *out > enough; i++) {
		double v = pair_range_next(&r, i % 4 == 3);
		bool is;

		if (v == r.outer || v == r.inner)
			break;
		is = test_at(pr, &r, v, alpha, lower);
		/* How many differences that leaves is not worth a pass while it is many. */
		if (i >= 3 && is)
			*in = outside(pr, r.inner, lower);
		else if (i >= 3)
			*out = outside(pr, r.outer, lower);
	}
	if (!isnan(r.f_outer))
		*out = outside(pr, r.outer, lower);
	if (!isnan(r.f_inner))
		*in = outside(pr, r.inner, lower);
}

/* From a guess, steps that double until the exact test has changed its mind; then bisects. */
static int gallop(struct pairrank *pr, uint64_t guess, double alpha, bool lower, uint64_t *found)
{
	uint64_t all = (uint64_t)pr->n * pr->n, out = 0, in = all, step = pr->n / 8 + 1;
	uint64_t at = guess;

	while (in - out > 1) {
		double v;
		bool is;
		int err;

		err = inside(pr, at, alpha, lower, true, &v, &is);
		if (err)
			return err;
		if (is) {
			in = at;
			if (at - out <= step || out > 0)
				break;
			at -= step;
		} else {
			out = at;
			if (in - at <= step || in < all)
				break;
			at += step;
		}
		step *= 2;
	}
	return bisect(pr, out, in, alpha, lower, true, found);
}

/* Is the outermost difference inside, so that nothing is rejected on this side? */
static bool is_unbounded(struct pairrank *pr, double outermost, double alpha, bool lower)
{
	struct side_rule with = {.shift = outermost, .tie = lower ? SIDE_ABOVE : SIDE_BELOW};
	struct pairrank_p p;

	/* One side is all above the other: sum d = 2 n^2 and d < 4 n, so that |z| > sqrt(n / 2). */
	if (!pr->flip && dist_normal_tail(sqrt((double)pr->n / 2)) <= alpha)
		return false;
	pairrank_on_scale(pr, &with, true, &p);
	return (lower ? p.p_greater : p.p_less) > alpha;
}

/* The bound as the one of all differences that the test turns at. */
static int find_difference(struct pairrank *pr, double alpha, bool lower, double *v)
{
	uint64_t out = 0, in = (uint64_t)pr->n * pr->n, k;
	int err;

	narrow_range(pr, alpha, lower, &out, &in);
	err = sort_differences(pr);
	if (!err)
		err = bisect(pr, out, in, alpha, lower, false, &k);
	if (!err && pr->flip)
		err = gallop(pr, k, alpha, lower, &k);
	return err ? err : difference(pr, k, lower, v);
}

static int bound(struct pairrank *pr, double alpha, bool lower, double *bound_out)
{
	double outermost = pair_range_whole(pr, lower).outer, v = lower ? -INFINITY : INFINITY;
	int err = 0;

	if (!(alpha > 0 && alpha < 1))
		return -EINVAL;
	if (!isfinite(outermost))
		return -ERANGE;
	if (!pr->flip && !pr->walk) {
		pr->walk = pairwalk_new(pr->scale_a, pr->scale_b, pr->pair_a, pr->pair_b, pr->n);
		if (!pr->walk)
			return -ENOMEM;
	}
	if (!is_unbounded(pr, outermost, alpha, lower)) {
		if (pr->n > PAIRRANK_MANY)
			v = pairrank_bound_of_many(pr, alpha, lower);
		else
			err = find_difference(pr, alpha, lower, &v);
	}
	if (!err)
		*bound_out = pr->logs ? exp(v) : v;
	return err;
}

int pairrank_lower(struct pairrank *pr, double alpha, double *out)
{
	return bound(pr, alpha, true, out);
}

int pairrank_upper(struct pairrank *pr, double alpha, double *out)
{
	return bound(pr, alpha, false, out);
}

int pairrank_interval(struct pairrank *pr, double level, double *low, double *high)
{
	double lower, upper;
	int err;

	if (!(level > 0 && level < 1))
		return -EINVAL;
	err = pairrank_lower(pr, (1 - level) / 2, &lower);
	if (!err)
		err = pairrank_upper(pr, (1 - level) / 2, &upper);
	if (!err) {
		*low = lower;
		*high = upper;
	}
	return err;
}
