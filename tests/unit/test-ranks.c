/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-ranks.c - rank tests, estimates and intervals against counting everything by brute force.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "diffselect.h"
#include "pairrank.h"
#include "pairwalk.h"
#include "sortvalues.h"
#include "signedrank.h"
#include "summary.h"
#include "unpaired.h"

enum { MOST = 40 };

static void near(double ours, double expected, double relative)
{
	if (isinf(expected) ? ours != expected
			    : !(fabs(ours - expected) <= relative * fabs(expected)))
		fail_msg("%.17g, expected %.17g", ours, expected);
}

static uint64_t next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Values on a grid of eighths, so that sums are exact; coarse: with many ties. */
static void fill(double *x, size_t n, bool coarse, uint64_t *seed)
{
	for (size_t i = 0; i < n; i++)
		x[i] = 100 + (double)(next(seed) % (coarse ? 5 : 4096)) / (coarse ? 1 : 8);
}

static double doubled_rank(double v, const double *a, const double *b, size_t n, double shift)
{
	double rank = 1;

	for (size_t i = 0; i < n; i++)
		rank += (a[i] < v) * 2 + (a[i] == v) + (b[i] - shift < v) * 2 + (b[i] - shift == v);
	return rank;
}

/* P(S* >= S) and P(S* <= S) over all sign-flips, one by one. */
static void brute_test(const double *a, const double *b, size_t n, double shift, double *greater,
		       double *less)
{
	double d[MOST], seen = 0;
	unsigned long above = 0, below = 0;

	for (size_t i = 0; i < n; i++) {
		d[i] = doubled_rank(b[i] - shift, a, b, n, shift) -
		       doubled_rank(a[i], a, b, n, shift);
		seen += fmax(0, d[i]);
	}
	for (unsigned long flips = 0; flips < 1ul << n; flips++) {
		double s = 0;

		for (size_t i = 0; i < n; i++)
			if (flips >> i & 1)
				s += fabs(d[i]);
		above += s >= seen;
		below += s <= seen;
	}
	*greater = (double)above / (double)(1ul << n);
	*less = (double)below / (double)(1ul << n);
}

static int compare(const void *left, const void *right)
{
	double l = *(const double *)left, r = *(const double *)right;

	return (l > r) - (l < r);
}

static size_t differences(const double *a, size_t m, const double *b, size_t n, double *d)
{
	size_t k = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			d[k++] = b[j] - a[i];
	qsort(d, k, sizeof(*d), compare);
	return k;
}

/* The lower end by its definition, candidate by candidate. */
static double brute_lower(const double *a, const double *b, size_t n, double alpha)
{
	double d[MOST * MOST], greater, less;
	size_t all = differences(a, n, b, n, d);

	brute_test(a, b, n, d[0] - 1, &greater, &less);
	if (greater > alpha)
		return -INFINITY;
	for (size_t k = 0; k < all; k++) {
		if (k + 1 < all && d[k + 1] == d[k])
			continue;
		brute_test(a, b, n, k + 1 < all ? (d[k] + d[k + 1]) / 2 : d[k] + 1, &greater,
			   &less);
		if (greater > alpha)
			return d[k];
	}
	fail();
	return NAN;
}

static void pairs_by_brute_force(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 60; round++) {
		size_t n = 1 + next(&seed) % 8;
		double a[MOST], b[MOST], greater, less, bound;
		double alpha = 0.002 * (1 + round * 3 % 100);
		struct pairrank *pr;
		struct pairrank_p p;

		fill(a, n, round % 2, &seed);
		fill(b, n, round % 2, &seed);
		assert_int_equal(pairrank_new(&pr, a, b, n, false), 0);
		pairrank_test(pr, 0, &p);
		brute_test(a, b, n, 0, &greater, &less);
		near(p.p_greater, greater, 1e-13);
		near(p.p_less, less, 1e-13);
		assert_int_equal(pairrank_lower(pr, alpha, &bound), 0);
		near(bound, brute_lower(a, b, n, alpha), 0);
		/* The upper end is the lower end with the sides exchanged. */
		assert_int_equal(pairrank_upper(pr, alpha, &bound), 0);
		near(-bound, brute_lower(b, a, n, alpha), 0);
		pairrank_free(pr);
	}
}

static void selection_by_brute_force(void **state)
{
	uint64_t seed = 3;
	static double d[200 * 200], x[200], y[200];

	(void)state;
	for (int round = 0; round < 40; round++) {
		size_t m = 1 + next(&seed) % (round < 30 ? 30 : 200);
		size_t n = 1 + next(&seed) % (round < 30 ? 30 : 200), all;
		double value;

		fill(x, m, round % 3 == 0, &seed);
		fill(y, n, round % 3 == 0, &seed);
		sort_doubles(x, m);
		sort_doubles(y, n);
		all = differences(x, m, y, n, d);
		for (size_t k = 1; k <= all; k += 1 + all / 50) {
			assert_int_equal(diff_select(x, m, y, n, k, &value), 0);
			near(value, d[k - 1], 0);
		}
		assert_int_equal(diff_median(x, m, y, n, &value), 0);
		near(value, sorted_median(d, all), 0);
		assert_int_equal(diff_select(x, m, y, n, 0, &value), -EDOM);
		assert_int_equal(diff_select(x, m, y, n, all + 1, &value), -EDOM);
	}
	x[0] = -1e308;
	y[0] = 1e308;
	assert_int_equal(diff_median(x, 1, y, 1, d), -ERANGE);
}

/* Just below and just above the size at which the exact test gives way to the normal one. */
static void exact_meets_normal(void **state)
{
	static double a[PAIRRANK_EXACT_MAX + 1], b[PAIRRANK_EXACT_MAX + 1];
	double low[2], high[2];
	struct pairrank_p p[2];
	uint64_t seed = 11;

	(void)state;
	for (size_t i = 0; i <= PAIRRANK_EXACT_MAX; i++) {
		a[i] = 1000 + (double)(next(&seed) % 1000) / 10;
		b[i] = 1004 + (double)(next(&seed) % 1000) / 10;
	}
	for (size_t more = 0; more < 2; more++) {
		struct pairrank *pr;

		assert_int_equal(pairrank_new(&pr, a, b, PAIRRANK_EXACT_MAX + more, true), 0);
		pairrank_test(pr, 0, &p[more]);
		assert_int_equal(pairrank_interval(pr, 0.95, &low[more], &high[more]), 0);
		pairrank_free(pr);
	}
	near(p[1].p, p[0].p, 0.2);
	near(low[1] - 1, low[0] - 1, 0.2);
	near(high[1] - 1, high[0] - 1, 0.2);
}

/* Just inside a bound the test does not reject, just outside it does: exact and normal alike. */
static void bounds_are_where_the_test_turns(void **state)
{
	const size_t sizes[] = {30, 120, 200, 201, 700, 2001, 4500};
	static double a[4500], b[4500];
	uint64_t seed = 13;

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		double alpha = s % 2 ? 0.002 : 0.04, low, high;
		struct pairrank *pr;
		struct pairrank_p in, out;

		fill(a, sizes[s], false, &seed);
		fill(b, sizes[s], false, &seed);
		assert_int_equal(pairrank_new(&pr, a, b, sizes[s], false), 0);
		assert_int_equal(pairrank_lower(pr, alpha, &low), 0);
		assert_int_equal(pairrank_upper(pr, alpha, &high), 0);
		pairrank_test(pr, low + 1.0 / 16, &in);
		pairrank_test(pr, low - 1.0 / 16, &out);
		assert_true(in.p_greater > alpha && out.p_greater <= alpha);
		pairrank_test(pr, high - 1.0 / 16, &in);
		pairrank_test(pr, high + 1.0 / 16, &out);
		assert_true(in.p_less > alpha && out.p_less <= alpha);
		pairrank_free(pr);
	}
}

/* Thousands of pairs: bounds of counts are whole; where the means say nothing, they are found. */
static void bounds_of_many(void **state)
{
	enum { MANY = 3000 };
	static double a[MANY], b[MANY];
	uint64_t seed = 17;

	(void)state;
	for (int round = 0; round < 12; round++) {
		double alpha = round % 2 ? 0.025 : 0.003, low, high, off;
		struct pairrank *pr;
		struct pairrank_p in, out;

		fill(a, MANY, round % 3 == 0, &seed);
		fill(b, MANY, round % 3 == 0, &seed);
		for (size_t i = 0; i < MANY && round % 3; i++) {
			a[i] = round % 3 == 1 ? 1e4 / (a[i] - 99.9) : a[i] + (double)i / MANY;
			b[i] = round % 3 == 1 ? 1e4 / (b[i] - 99.9) : b[i] - (double)i / MANY;
		}
		assert_int_equal(pairrank_new(&pr, a, b, MANY, false), 0);
		assert_int_equal(pairrank_interval(pr, 1 - 2 * alpha, &low, &high), 0);
		off = round % 3 ? 2e-5 * (high - low) : 0.5;
		assert_true(round % 3 || (low == floor(low) && high == floor(high)));
		pairrank_test(pr, low + off, &in);
		pairrank_test(pr, low - off, &out);
		assert_true(in.p_greater > alpha && out.p_greater <= alpha);
		pairrank_test(pr, high - off, &in);
		pairrank_test(pr, high + off, &out);
		assert_true(in.p_less > alpha && out.p_less <= alpha);
		pairrank_free(pr);
	}
}

static double brute_z(const double *a, const double *b, size_t n, double shift)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		double d = doubled_rank(b[i] - shift, a, b, n, shift) -
			   doubled_rank(a[i], a, b, n, shift);

		sum += d;
		squares += d * d;
	}
	return sum / sqrt(squares);
}

/* Wherever the counts have walked to, and from where, they are those of a fresh start. */
static void walks_by_brute_force(void **state)
{
	enum { N = 33 };
	double a[N], b[N], d[N * N];
	uint64_t seed = 19;

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct place *pa, *pb;
		size_t pair_a[N], pair_b[N], all;
		double sorted_a[N], sorted_b[N];
		struct pairwalk *w;

		fill(a, N, round % 2, &seed);
		fill(b, N, round % 2, &seed);
		all = differences(a, N, b, N, d);
		pa = sort_places(a, N);
		pb = sort_places(b, N);
		assert_true(pa && pb);
		for (size_t i = 0; i < N; i++) {
			sorted_a[i] = pa[i].value;
			pair_a[i] = pa[i].index;
			sorted_b[i] = pb[i].value;
			pair_b[i] = pb[i].index;
		}
		free(pa);
		free(pb);
		w = pairwalk_new(sorted_a, sorted_b, pair_a, pair_b, N);
		assert_non_null(w);
		for (int step = 0; step < 8; step++) {
			double v = d[next(&seed) % all], below = -INFINITY, above = INFINITY;
			bool tie_below = next(&seed) % 2;

			/* Differences are eighths: a sixteenth beyond one is between two. */
			near(pairwalk_z(w, v, tie_below ? SIDE_BELOW : SIDE_ABOVE),
			     brute_z(a, b, N, tie_below ? v + 0.0625 : v - 0.0625), 1e-12);
			for (size_t k = 0; k < all; k++) {
				if (d[k] < v || (tie_below && d[k] == v))
					below = fmax(below, d[k]);
				else
					above = fmin(above, d[k]);
			}
			near(pairwalk_below(w), below, 0);
			near(pairwalk_above(w), above, 0);
		}
		pairwalk_free(w);
	}
}

static void pairs_at_their_edges(void **state)
{
	const double same[] = {5, 5, 5, 5, 5, 5}, zero[] = {0, 1, 2, 3, 4, 5};
	double bad[] = {1, 2, NAN}, bound;
	struct pairrank *pr = NULL;
	struct pairrank_p p;

	(void)state;
	assert_int_equal(pairrank_new(&pr, same, same, 0, false), -EDOM);
	assert_int_equal(pairrank_new(&pr, bad, same, 3, false), -EINVAL);
	assert_int_equal(pairrank_new(&pr, same, zero, 6, true), -EINVAL);
	assert_null(pr);
	assert_int_equal(pairrank_new(&pr, same, same, 6, true), 0);
	pairrank_test(pr, 0, &p);
	assert_true(p.p == 1 && p.p_greater == 1 && p.p_less == 1);
	pairrank_test_ratio(pr, 1.01, &p);
	near(p.p_less, 1.0 / 64, 1e-15);
	assert_int_equal(pairrank_lower(pr, 0.5, &bound), 0);
	near(bound, 1, 0);
	assert_int_equal(pairrank_lower(pr, 0, &bound), -EINVAL);
	/* One pair in 64 can be no rarer than that: no bound at 1 %. */
	assert_int_equal(pairrank_lower(pr, 0.01, &bound), 0);
	assert_true(bound == 0);
	assert_int_equal(pairrank_upper(pr, 0.01, &bound), 0);
	assert_true(isinf(bound));
	pairrank_free(pr);
	/* 29 and 100 x 0.29 differ by a rounding: a tie, no evidence. */
	assert_int_equal(pairrank_new(&pr, (double[]){100, 100}, (double[]){29, 29}, 2, true), 0);
	pairrank_test_ratio(pr, 0.29, &p);
	assert_true(p.p == 1);
	pairrank_free(pr);
}

/* Counts of 10^15 that differ by 1 are ranked as they are. */
static void huge_counts(void **state)
{
	double a[8], b[8], low, high;
	struct pairrank *pr;

	(void)state;
	for (int i = 0; i < 8; i++) {
		a[i] = 9e15 + i;
		b[i] = 9e15 + i + 2;
	}
	assert_int_equal(pairrank_new(&pr, a, b, 8, false), 0);
	assert_int_equal(pairrank_interval(pr, 0.95, &low, &high), 0);
	near(low, 2, 0);
	near(high, 2, 0);
	pairrank_free(pr);
}

/* Exact p of U by looking at every choice. */
static void unpaired_by_brute_force(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 30; round++) {
		size_t m = 1 + next(&seed) % 6, n = 1 + next(&seed) % 6;
		double a[MOST], b[MOST], all[MOST], seen = 0;
		unsigned long above = 0, below = 0, total = 0;
		struct mann_whitney mw;

		/* Distinct values: multiples of 13 modulo a prime. */
		for (size_t i = 0; i < m + n; i++)
			all[i] = (double)((next(&seed) % 1000) * 64 + i);
		for (size_t i = 0; i < m; i++)
			a[i] = all[i];
		for (size_t j = 0; j < n; j++)
			b[j] = all[m + j];
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j < n; j++)
				seen += b[j] > a[i];
		for (unsigned long pick = 0; pick < 1ul << (m + n); pick++) {
			double u = 0;

			if ((size_t)__builtin_popcountl(pick) != n)
				continue;
			for (size_t i = 0; i < m + n; i++)
				for (size_t j = 0; j < m + n; j++)
					u += (pick >> j & 1) && !(pick >> i & 1) && all[j] > all[i];
			total++;
			above += u >= seen;
			below += u <= seen;
		}
		assert_int_equal(mann_whitney(&mw, a, m, b, n), 0);
		assert_true(mw.exact && mw.u_b == seen);
		near(mw.p_greater, (double)above / (double)total, 1e-12);
		near(mw.p_less, (double)below / (double)total, 1e-12);
	}
}

static void unpaired_at_its_edges(void **state)
{
	const double one[] = {3}, tied[] = {3, 3, 3}, zero[] = {0, 1};
	struct unpaired_interval ui;
	struct mann_whitney mw;
	struct unpaired *u;

	(void)state;
	assert_int_equal(mann_whitney(&mw, one, 0, one, 1), -EDOM);
	assert_int_equal(mann_whitney(&mw, (double[]){NAN}, 1, one, 1), -EINVAL);
	assert_int_equal(mann_whitney(&mw, tied, 3, one, 1), 0);
	assert_true(!mw.exact && mw.ties && mw.p == 1 && mw.p_greater == 1);
	assert_int_equal(unpaired_new(&u, zero, 2, one, 1, true), -EINVAL);
	assert_int_equal(unpaired_new(&u, zero, 2, one, 1, false), 0);
	assert_int_equal(unpaired_interval_normal(u, 0.95, &ui), 0);
	assert_true(!ui.reached && ui.k == 1 && ui.low == 2 && ui.high == 3);
	assert_int_equal(unpaired_interval_exact(u, 0, &ui), -EINVAL);
	unpaired_free(u);
}

static void signed_ranks_at_their_edges(void **state)
{
	const double zeros[] = {0, 0}, rising[] = {1, 2, 3, 4, 5};
	struct signed_rank sr;
	struct paired_t pt;

	(void)state;
	assert_int_equal(signed_rank_exact(&sr, zeros, 0), -EDOM);
	assert_int_equal(signed_rank_exact(&sr, zeros, 2), 0);
	assert_true(sr.p == 1 && sr.n_nonzero == 0);
	assert_int_equal(signed_rank_asymptotic(&sr, zeros, 2), 0);
	assert_true(sr.p == 1);
	/* With 5 pairs it cannot reject at 5 %. */
	assert_int_equal(signed_rank_exact(&sr, rising, 5), 0);
	near(sr.p, 2.0 / 32, 1e-15);
	assert_int_equal(signed_rank_permutation(&sr, rising, 5, NULL, NULL), 0);
	near(sr.p, 2.0 / 32, 1e-15);
	assert_int_equal(paired_t(&pt, rising, 1, 0.95), -EDOM);
	assert_int_equal(paired_t(&pt, zeros, 2, 0.95), 0);
	assert_true(pt.t == 0 && pt.p == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_by_brute_force),
		cmocka_unit_test(selection_by_brute_force),
		cmocka_unit_test(exact_meets_normal),
		cmocka_unit_test(bounds_are_where_the_test_turns),
		cmocka_unit_test(bounds_of_many),
		cmocka_unit_test(walks_by_brute_force),
		cmocka_unit_test(pairs_at_their_edges),
		cmocka_unit_test(huge_counts),
		cmocka_unit_test(unpaired_by_brute_force),
		cmocka_unit_test(unpaired_at_its_edges),
		cmocka_unit_test(signed_ranks_at_their_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
