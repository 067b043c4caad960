/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairmany.c - bounds of so many pairs that which of the differences is the bound concerns nobody.
 *
 * z is nearly a straight line in the shift: a few tests, each where the last ones say that the
 * bound is, find it to FINE of a standard error. A bound is still one of the differences, so that
 * counts have bounds that are whole.
 */
#include "pairsorted.h"

#include <math.h>

#include "dist.h"
#include "pairwalk.h"

static const double FINE = 1e-5;

/* Tests of so many are enough where the line is straight. */
enum { STRAIGHT = 4 };

struct hunt {
	struct pairrank *pr;
	struct pair_range range;
	bool lower;
	double aim; /* z at the bound */
};

/* The z of a true value just beyond v. */
static double z_beyond(struct hunt *h, double v)
{
	return pairwalk_z(h->pr->walk, v, h->lower ? SIDE_BELOW : SIDE_ABOVE);
}

/* The last difference that is not beyond v: up to there, the test says what it says at v. */
static double last_within(struct hunt *h, double v)
{
	z_beyond(h, v);
	return h->lower ? pairwalk_below(h->pr->walk) : pairwalk_above(h->pr->walk);
}

/* Is there but one value left of those that the bound may be? */
static bool is_one_left(struct hunt *h)
{
	double first;

	z_beyond(h, h->range.outer);
	first = h->lower ? pairwalk_above(h->pr->walk) : pairwalk_below(h->pr->walk);
	return first == last_within(h, h->range.inner);
}

static bool is_bracketed(const struct pair_range *r)
{
	return !isnan(r->f_outer) && !isnan(r->f_inner);
}

/* From the last test on along the line; further and further where that is not enough. */
static double guess(const struct hunt *h, unsigned tries)
{
	const struct pair_range *r = &h->range;
	double step = (h->pr->last.z - h->aim) * h->pr->last.width;
	double v;
	bool within;

	if (tries >= STRAIGHT)
		step = ldexp(step, (int)tries - STRAIGHT + 1);
	v = h->pr->last.shift + step;
	within = h->lower ? v > r->outer && v < r->inner : v < r->outer && v > r->inner;
	return within ? v : pair_range_next(r, true);
}

/* Tests v, and learns from it where to test next. Returns how far z is inside its aim. */
static double test(struct hunt *h, double v)
{
	double z = z_beyond(h, v), f = h->lower ? h->aim - z : z - h->aim;
	double step = v - h->pr->last.shift, width = step / (h->pr->last.z - z);

	pair_range_move(&h->range, v, f, f > 0);
	/* A short step shows no slope, and one over tied values a wrong one. */
	if (fabs(step) > 0.01 * h->pr->last.width && width > 0)
		h->pr->last.width *= fmin(2, fmax(0.5, width / h->pr->last.width));
	h->pr->last.shift = v;
	h->pr->last.z = z;
	return f;
}

double pairrank_bound_of_many(struct pairrank *pr, double alpha, bool lower)
{
	double aim = dist_normal_quantile_upper(alpha);
	struct hunt h = {pr, pair_range_whole(pr, lower), lower, lower ? aim : -aim};

	if (pr->last.width == 0)
		pair_means(pr, &pr->last.shift, &pr->last.width);
	for (unsigned i = 0;; i++) {
		bool bracketed = is_bracketed(&h.range);
		double v = bracketed && i >= STRAIGHT ? pair_range_next(&h.range, i % 4 == 3)
						      : guess(&h, i);

		if (v == h.range.outer || v == h.range.inner)
			break;
		if (fabs(test(&h, v)) <= FINE)
			return last_within(&h, v);
		if (fabs(h.range.inner - h.range.outer) <= FINE * pr->last.width)
			break;
		if (i % 4 == 3 && is_bracketed(&h.range) && is_one_left(&h))
			break;
	}
	return last_within(&h, h.range.inner);
}
