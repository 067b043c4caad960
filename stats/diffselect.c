/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diffselect.c - selection among the differences of two sorted samples.
 *
 * Row i holds y[0] - x[i], ..., y[n-1] - x[i], ascending. The candidates of row i are its columns
 * first[i] .. end[i] - 1; below counts the differences known to be smaller than any candidate.
 */
#include "diffselect.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum {
	SAMPLE = 512,  /* candidates looked at to choose the pivots */
	FORM = 2048,   /* as many candidates are always formed and searched directly */
	FORM_EACH = 2, /* ... and this many for each row and column */
};

struct search {
	const double *x, *y;
	size_t m, n;
	size_t *first, *end;
	uint64_t below;
	uint64_t left; /* number of candidates */
	uint64_t random;
};

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static double uniform(uint64_t *state)
{
	return (double)(next_random(state) >> 11) * 0x1p-53;
}

static int compare(const void *left, const void *right)
{
	double l = *(const double *)left, r = *(const double *)right;

	return (l > r) - (l < r);
}

/* The k-th smallest (0-based) of v[0..n-1], which is reordered. Hoare, 1961. */
static double quickselect(double *v, size_t n, size_t k, uint64_t *random)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		double pivot = v[low + (size_t)(uniform(random) * (double)(high - low + 1))];
		size_t i = low, j = high;

		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			double swap = v[i];
			v[i++] = v[j];
			v[j--] = swap;
		}
		/* Everything before i is <= pivot, everything after j is >= pivot. */
		if (i == j && v[i] == pivot) {
			if (k == i)
				return pivot;
			if (k < i)
				high = i - 1;
			else
				low = i + 1;
		} else if (k <= j) {
			high = j;
		} else {
			low = j + 1;
		}
	}
	return v[low];
}

/* Number of differences < v, or <= v where or_equal. */
static uint64_t count(const struct search *s, double v, bool or_equal)
{
	uint64_t total = 0;
	size_t j = 0;

	for (size_t i = 0; i < s->m; i++) {
		while (j < s->n &&
		       (s->y[j] - s->x[i] < v || (or_equal && s->y[j] - s->x[i] == v)))
			j++;
		total += j;
	}
	return total;
}

/* Leaves the candidates that are >= v (> v where beyond), or else those that are not. */
static void cut(struct search *s, double v, bool beyond, bool keep_above)
{
	size_t j = 0;

	s->left = 0;
	for (size_t i = 0; i < s->m; i++) {
		while (j < s->n && (s->y[j] - s->x[i] < v || (beyond && s->y[j] - s->x[i] == v)))
			j++;
		if (keep_above && s->first[i] < j)
			s->first[i] = j;
		if (!keep_above && s->end[i] > j)
			s->end[i] = j;
		if (s->end[i] < s->first[i])
			s->end[i] = s->first[i];
		s->left += s->end[i] - s->first[i];
	}
}

/* Sorted values of SAMPLE candidates, one at random from each SAMPLE-th part of them. */
static void draw(struct search *s, double sample[SAMPLE])
{
	uint64_t passed = 0;
	size_t row = 0;

	for (size_t k = 0; k < SAMPLE; k++) {
		double place = ((double)k + uniform(&s->random)) / SAMPLE;
		uint64_t rank = (uint64_t)(place * (double)s->left);

		if (rank >= s->left)
			rank = s->left - 1;
		while (rank >= passed + (s->end[row] - s->first[row])) {
			passed += s->end[row] - s->first[row];
			row++;
		}
		sample[k] = s->y[s->first[row] + (size_t)(rank - passed)] - s->x[row];
	}
	qsort(sample, SAMPLE, sizeof(*sample), compare);
}

/* Narrows to one side of v, or finds that v is the one: true. */
static bool split(struct search *s, uint64_t k, double v)
{
	uint64_t less = count(s, v, false);

	if (k <= less) {
		cut(s, v, false, false);
		return false;
	}
	less = count(s, v, true);
	if (k <= less)
		return true;
	s->below = less;
	cut(s, v, true, true);
	return false;
}

/* Narrows to the values from low to high, if the k-th is among them. */
static void squeeze(struct search *s, uint64_t k, double low, double high)
{
	uint64_t less = count(s, low, false), most = count(s, high, true);

	if (less < k) {
		s->below = less;
		cut(s, low, false, true);
	}
	if (k <= most)
		cut(s, high, true, false);
}

static double finish(struct search *s, uint64_t k, double *form)
{
	size_t filled = 0;

	for (size_t i = 0; i < s->m; i++)
		for (size_t j = s->first[i]; j < s->end[i]; j++)
			form[filled++] = s->y[j] - s->x[i];
	return quickselect(form, filled, (size_t)(k - s->below - 1), &s->random);
}

static double narrow(struct search *s, uint64_t k, double *form, uint64_t form_size)
{
	double sample[SAMPLE];

	while (s->left > form_size) {
		uint64_t before = s->left;
		double share = (double)(k - s->below) / (double)s->left;
		double spread = 1 + 1.5 * sqrt(SAMPLE * share * (1 - share));
		double at = share * (SAMPLE - 1);
		size_t low = (size_t)fmax(0, at - spread);
		size_t high = (size_t)fmin(SAMPLE - 1, at + spread);

		draw(s, sample);
		if (sample[low] < sample[high])
			squeeze(s, k, sample[low], sample[high]);
		/* Ties, or an unlucky sample: a single pivot always removes something. */
		if (s->left > before / 2 && split(s, k, sample[(size_t)at]))
			return sample[(size_t)at];
	}
	return finish(s, k, form);
}

int diff_select(const double *x, size_t m, const double *y, size_t n, uint64_t k, double *value)
{
	struct search s = {.x = x, .y = y, .m = m, .n = n, .random = 1};
	uint64_t form_size;
	size_t *bounds;
	double *form;

	if (m == 0 || n == 0 || n > UINT64_MAX / m || k < 1 || k > (uint64_t)m * n)
		return -EDOM;
	if (!isfinite(y[0] - x[m - 1]) || !isfinite(y[n - 1] - x[0]))
		return -ERANGE;
	s.left = (uint64_t)m * n;
	form_size = FORM + FORM_EACH * ((uint64_t)m + n);
	if (form_size > s.left)
		form_size = s.left;
	bounds = calloc(m, 2 * sizeof(*bounds));
	form = calloc((size_t)form_size, sizeof(*form));
	if (!bounds || !form) {
		free(bounds);
		free(form);
		return -ENOMEM;
	}
	s.first = bounds;
	s.end = bounds + m;
	for (size_t i = 0; i < m; i++)
		s.end[i] = n;
	*value = narrow(&s, k, form, form_size);
	free(bounds);
	free(form);
	return 0;
}

uint64_t diff_count(const double *x, size_t m, const double *y, size_t n, double v, bool or_equal)
{
	return count(&(struct search){.x = x, .y = y, .m = m, .n = n}, v, or_equal);
}

/* The least difference above v, which is not the largest. */
static double next_above(const struct search *s, double v)
{
	double least = INFINITY;
	size_t j = 0;

	for (size_t i = 0; i < s->m; i++) {
		while (j < s->n && s->y[j] - s->x[i] <= v)
			j++;
		if (j < s->n && s->y[j] - s->x[i] < least)
			least = s->y[j] - s->x[i];
	}
	return least;
}

int diff_median(const double *x, size_t m, const double *y, size_t n, double *value)
{
	struct search s = {.x = x, .y = y, .m = m, .n = n};
	uint64_t all = (uint64_t)m * n;
	double low, high;
	int err;

	err = diff_select(x, m, y, n, (all + 1) / 2, &low);
	if (err)
		return err;
	high = low;
	if (all % 2 == 0 && count(&s, low, true) == all / 2)
		high = next_above(&s, low);
	*value = 0.5 * low + 0.5 * high;
	return 0;
}
