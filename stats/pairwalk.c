/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairwalk.c - the normal test of very many pairs at one shift after the other.
 */
#include "pairwalk.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct pairwalk {
	const double *a, *b;
	size_t n;
	size_t *below_a; /* below_a[i]: how many b lie below a[i] + shift; ascends with i */
	size_t *below_b; /* below_b[j]: how many a + shift lie below b[j]; ascends with j */
	size_t *partner; /* partner[i]: the place in b of the value paired with a[i] */
	int64_t *own;    /* of a[i]'s pair, 2 (rank of b within b - rank of a within a) */
	double shift;
	enum side_tie tie;
};

static void pair_up(struct pairwalk *w, const size_t *pair_a, const size_t *pair_b)
{
	/* The counts are not needed yet: room for places by pair, and doubled ranks within b. */
	size_t *place_b = w->below_a, *doubled = w->below_b, n = w->n;

	for (size_t j = 0, end; j < n; j = end) {
		end = side_tied(w->b, n, j);
		for (size_t k = j; k < end; k++) {
			place_b[pair_b[k]] = k;
			doubled[k] = j + 1 + end;
		}
	}
	for (size_t i = 0, end; i < n; i = end) {
		end = side_tied(w->a, n, i);
		for (size_t k = i; k < end; k++) {
			w->partner[k] = place_b[pair_a[k]];
			w->own[k] = (int64_t)doubled[w->partner[k]] - (int64_t)(i + 1 + end);
		}
	}
}

struct pairwalk *pairwalk_new(const double *a, const double *b, const size_t *pair_a,
			      const size_t *pair_b, size_t n)
{
	struct pairwalk *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	*w = (struct pairwalk){.a = a, .b = b, .n = n, .shift = -INFINITY, .tie = SIDE_ABOVE};
	w->below_a = calloc(n, 3 * sizeof(*w->below_a));
	w->own = calloc(n, sizeof(*w->own));
	if (!w->below_a || !w->own) {
		pairwalk_free(w);
		return NULL;
	}
	w->below_b = w->below_a + n;
	w->partner = w->below_a + 2 * n;
	pair_up(w, pair_a, pair_b);
	/* Where the shift is -infinity, all of b lie above. */
	for (size_t i = 0; i < n; i++) {
		w->below_a[i] = 0;
		w->below_b[i] = n;
	}
	return w;
}

void pairwalk_free(struct pairwalk *w)
{
	if (!w)
		return;
	free(w->below_a);
	free(w->own);
	free(w);
}

static bool is_below(const struct pairwalk *w, double difference)
{
	return w->tie == SIDE_BELOW ? difference <= w->shift : difference < w->shift;
}

/* The shift has grown: more of b lie below a + shift, and fewer the other way round. */
static void walk_up(struct pairwalk *w)
{
	size_t at = 0, n = w->n;

	for (size_t i = 0; i < n; i++) {
		if (at < w->below_a[i])
			at = w->below_a[i];
		while (at < n && is_below(w, w->b[at] - w->a[i]))
			at++;
		w->below_a[i] = at;
	}
	at = n;
	for (size_t j = n; j-- > 0;) {
		if (at > w->below_b[j])
			at = w->below_b[j];
		while (at > 0 && is_below(w, w->b[j] - w->a[at - 1]))
			at--;
		w->below_b[j] = at;
	}
}

static void walk_down(struct pairwalk *w)
{
	size_t at = w->n, n = w->n;

	for (size_t i = n; i-- > 0;) {
		if (at > w->below_a[i])
			at = w->below_a[i];
		while (at > 0 && !is_below(w, w->b[at - 1] - w->a[i]))
			at--;
		w->below_a[i] = at;
	}
	at = 0;
	for (size_t j = 0; j < n; j++) {
		if (at < w->below_b[j])
			at = w->below_b[j];
		while (at < n && !is_below(w, w->b[j] - w->a[at]))
			at++;
		w->below_b[j] = at;
	}
}

double pairwalk_z(struct pairwalk *w, double shift, enum side_tie tie)
{
	bool up = shift > w->shift || (shift == w->shift && tie == SIDE_BELOW);
	double sum = 0, squares = 0;

	w->shift = shift;
	w->tie = tie;
	if (up)
		walk_up(w);
	else
		walk_down(w);
	for (size_t i = 0; i < w->n; i++) {
		int64_t crossed = (int64_t)w->below_b[w->partner[i]] - (int64_t)w->below_a[i];
		double d = (double)(w->own[i] + 2 * crossed);

		sum += d;
		squares += d * d;
	}
	return sum / sqrt(squares);
}

/* As fmax(), but without its care of NaN. */
static double larger(double x, double y)
{
	return x > y ? x : y;
}

double pairwalk_below(const struct pairwalk *w)
{
	double largest = -INFINITY;

	for (size_t i = 0; i < w->n; i++)
		if (w->below_a[i] > 0)
			largest = larger(largest, w->b[w->below_a[i] - 1] - w->a[i]);
	return largest;
}

double pairwalk_above(const struct pairwalk *w)
{
	double least = INFINITY;

	for (size_t i = 0; i < w->n; i++)
		if (w->below_a[i] < w->n)
			least = -larger(-least, w->a[i] - w->b[w->below_a[i]]);
	return least;
}
