/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairrank.c - randomisation test on pooled ranks, and its estimate.
 */
#include "pairrank.h"

#include "pairsorted.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "diffselect.h"
#include "dist.h"
#include "pairwalk.h"
#include "signflip.h"
#include "sortvalues.h"
#include "summary.h"

static int sort_side(const double *x, size_t n, double *sorted, size_t *pair)
{
	struct place *p = sort_places(x, n);

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		sorted[i] = p[i].value;
		pair[i] = p[i].index;
	}
	free(p);
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
	pairwalk_free(pr->walk);
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

static void tails_of_z(double z, struct pairrank_p *p)
{
	/* No pair differs: no evidence. */
	p->p_greater = isnan(z) ? 1 : dist_normal_tail(z);
	p->p_less = isnan(z) ? 1 : dist_normal_cdf(z);
	p->p = fmin(1, 2 * fmin(p->p_greater, p->p_less));
}

static void normal_tails(const struct pairrank *pr, struct pairrank_p *p)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < pr->n; i++) {
		sum += (double)pr->d[i];
		squares += (double)pr->d[i] * (double)pr->d[i];
	}
	tails_of_z(squares > 0 ? sum / sqrt(squares) : NAN, p);
}

static void tails(struct pairrank *pr, bool exact, struct pairrank_p *p)
{
	if (!exact || !pr->flip) {
		normal_tails(pr, p);
		return;
	}
	signflip_tails(pr->flip, pr->d, pr->n, &p->p_greater, &p->p_less);
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

void pairrank_on_scale(struct pairrank *pr, const struct side_rule *rule, bool exact,
		       struct pairrank_p *p)
{
	if (pr->walk && !(rule->ratio > 0) && rule->tie != SIDE_EQUAL) {
		tails_of_z(pairwalk_z(pr->walk, rule->shift, rule->tie), p);
		return;
	}
	rank_pairs(pr, pr->scale_a, pr->scale_b, rule);
	tails(pr, exact, p);
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
