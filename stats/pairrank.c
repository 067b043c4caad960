/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairrank.c - randomisation test on pooled ranks, its estimate and its interval.
 */
#include "pairrank.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "diffselect.h"
#include "dist.h"
#include "sidemerge.h"
#include "signflip.h"
#include "summary.h"

struct pairrank {
	size_t n;
	bool logs;
	double *a, *b;         /* sorted, as given */
	double *scale_a;       /* sorted, on the scale of the estimate: a or its logarithms */
	double *scale_b;
	size_t *pair_a;        /* pair_a[k]: the pair that the k-th smallest a belongs to */
	size_t *pair_b;
	int64_t *d;            /* 2 (rank of b - rank of a), a pair */
	struct signflip *flip; /* NULL where n > PAIRRANK_EXACT_MAX */
	double *differences;   /* all n^2, sorted; made for the first bound, where flip is there */
};

struct ranked {
	double value;
	size_t pair;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *l = left, *r = right;

	return (l->value > r->value) - (l->value < r->value);
}

static int sort_side(const double *x, size_t n, double *sorted, size_t *pair)
{
	struct ranked *r = malloc(n * sizeof(*r));

	if (!r)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){x[i], i};
	qsort(r, n, sizeof(*r), compare_ranked);
	for (size_t i = 0; i < n; i++) {
		sorted[i] = r[i].value;
		pair[i] = r[i].pair;
	}
	free(r);
	return 0;
}

static int check(const double *x, size_t n, bool logs)
{
	int err = check_finite(x, n);

	for (size_t i = 0; !err && logs && i < n; i++)
		if (x[i] <= 0)
			err = -EINVAL;
	return err;
}

static int fill(struct pairrank *pr, const double *a, const double *b)
{
	size_t n = pr->n;
	int err;

	err = sort_side(a, n, pr->a, pr->pair_a);
	if (!err)
		err = sort_side(b, n, pr->b, pr->pair_b);
	for (size_t i = 0; !err && i < n; i++) {
		pr->scale_a[i] = pr->logs ? log(pr->a[i]) : pr->a[i];
		pr->scale_b[i] = pr->logs ? log(pr->b[i]) : pr->b[i];
	}
	return err;
}

int pairrank_new(struct pairrank **out, const double *a, const double *b, size_t n, bool logs)
{
	struct pairrank *pr;
	int err;

	if (n == 0)
		return -EDOM;
	err = check(a, n, logs);
	if (!err)
		err = check(b, n, logs);
	if (err)
		return err;
	pr = calloc(1, sizeof(*pr));
	if (!pr)
		return -ENOMEM;
	pr->n = n;
	pr->logs = logs;
	pr->a = calloc(n, 4 * sizeof(*pr->a));
	pr->pair_a = calloc(n, 2 * sizeof(*pr->pair_a));
	pr->d = calloc(n, sizeof(*pr->d));
	/* Ranks of 2n values: the |d| add up to 2 n^2 at most, the lesser side to half of it. */
	if (n <= PAIRRANK_EXACT_MAX)
		pr->flip = signflip_new(n * n);
	if (!pr->a || !pr->pair_a || !pr->d || (n <= PAIRRANK_EXACT_MAX && !pr->flip)) {
		pairrank_free(pr);
		return -ENOMEM;
	}
	pr->b = pr->a + n;
	pr->scale_a = pr->a + 2 * n;
	pr->scale_b = pr->a + 3 * n;
	pr->pair_b = pr->pair_a + n;
	err = fill(pr, a, b);
	if (err) {
		pairrank_free(pr);
		return err;
	}
	*out = pr;
	return 0;
}

void pairrank_free(struct pairrank *pr)
{
	if (!pr)
		return;
	signflip_free(pr->flip);
	free(pr->a);
	free(pr->pair_a);
	free(pr->d);
	free(pr->differences);
	free(pr);
}

/* Midranks of both sides by merging them; d[] gets twice their differences. */
static void rank_pairs(struct pairrank *pr, const double *a, const double *b,
		       const struct side_rule *with)
{
	size_t n = pr->n, i = 0, j = 0;

	for (size_t k = 0; k < n; k++)
		pr->d[k] = 0;
	while (i < n || j < n) {
		size_t first = i + j, end_a, end_b;
		int64_t doubled;

		side_group(with, a, n, i, b, n, j, &end_a, &end_b);
		/* Ranks first + 1 ... end_a + end_b: twice their mean. */
		doubled = (int64_t)(first + 1 + end_a + end_b);
		for (; i < end_a; i++)
			pr->d[pr->pair_a[i]] -= doubled;
		for (; j < end_b; j++)
			pr->d[pr->pair_b[j]] += doubled;
	}
}

static void normal_tails(const struct pairrank *pr, struct pairrank_p *p)
{
	double sum = 0, squares = 0, z;

	for (size_t i = 0; i < pr->n; i++) {
		sum += (double)pr->d[i];
		squares += (double)pr->d[i] * (double)pr->d[i];
	}
	if (squares == 0) {
		p->p_greater = p->p_less = 1;
		return;
	}
	z = sum / sqrt(squares);
	p->p_greater = dist_normal_tail(z);
	p->p_less = dist_normal_cdf(z);
}

static void tails(struct pairrank *pr, bool exact, struct pairrank_p *p)
{
	if (exact && pr->flip)
		signflip_tails(pr->flip, pr->d, pr->n, &p->p_greater, &p->p_less);
	else
		normal_tails(pr, p);
	p->p = fmin(1, 2 * fmin(p->p_greater, p->p_less));
}

void pairrank_test(struct pairrank *pr, double shift, struct pairrank_p *p)
{
	rank_pairs(pr, pr->a, pr->b, &(struct side_rule){.shift = shift});
	tails(pr, true, p);
}

void pairrank_test_ratio(struct pairrank *pr, double ratio, struct pairrank_p *p)
{
	rank_pairs(pr, pr->a, pr->b, &(struct side_rule){.ratio = ratio});
	tails(pr, true, p);
}

int pairrank_estimate(struct pairrank *pr, double *estimate)
{
	double value;
	int err;

	err = diff_median(pr->scale_a, pr->n, pr->scale_b, pr->n, &value);
	if (!err)
		*estimate = pr->logs ? exp(value) : value;
	return err;
}

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

	rank_pairs(pr, pr->scale_a, pr->scale_b, &with);
	tails(pr, exact, &p);
	return lower ? p.p_greater : p.p_less;
}

/*
 * Is the k-th difference inside? p_greater only grows with the tested shift: over subsets of
 * pairs it is the share for which the sum of d is <= 0, and every d falls. So this is false up to
 * some k and true from there on.
 */
static int inside(struct pairrank *pr, uint64_t k, double alpha, bool lower, bool exact,
		  double *v, bool *is)
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

static int bound(struct pairrank *pr, double alpha, bool lower, double *bound_out)
{
	double outermost, v, unbounded = lower ? -INFINITY : INFINITY;
	struct side_rule with = {.tie = lower ? SIDE_ABOVE : SIDE_BELOW};
	uint64_t all = (uint64_t)pr->n * pr->n, k;
	struct pairrank_p p;
	int err;

	if (!(alpha > 0 && alpha < 1))
		return -EINVAL;
	outermost = lower ? pr->scale_b[0] - pr->scale_a[pr->n - 1]
			  : pr->scale_b[pr->n - 1] - pr->scale_a[0];
	if (!isfinite(outermost))
		return -ERANGE;
	with.shift = outermost;
	rank_pairs(pr, pr->scale_a, pr->scale_b, &with);
	tails(pr, true, &p);
	if ((lower ? p.p_greater : p.p_less) > alpha) {
		*bound_out = pr->logs ? exp(unbounded) : unbounded;
		return 0;
	}
	err = sort_differences(pr);
	if (!err)
		err = bisect(pr, 0, all, alpha, lower, false, &k);
	if (!err && pr->flip)
		err = gallop(pr, k, alpha, lower, &k);
	if (!err)
		err = difference(pr, k, lower, &v);
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
