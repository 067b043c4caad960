/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signflip.c - exact tail probabilities of a sum under sign-flips.
 */
#include "signflip.h"

#include <stdlib.h>
#include <string.h>

struct signflip {
	double *chance, *next;
};

struct signflip *signflip_new(size_t max_tail)
{
	struct signflip *flip = calloc(1, sizeof(*flip));

	if (!flip)
		return NULL;
	flip->chance = malloc((max_tail + 1) * sizeof(*flip->chance));
	flip->next = malloc((max_tail + 1) * sizeof(*flip->next));
	if (!flip->chance || !flip->next) {
		signflip_free(flip);
		return NULL;
	}
	return flip;
}

void signflip_free(struct signflip *flip)
{
	if (!flip)
		return;
	free(flip->chance);
	free(flip->next);
	free(flip);
}

static uint64_t magnitude(int64_t d)
{
	return d < 0 ? (uint64_t)-d : (uint64_t)d;
}

static uint64_t common_divisor(const int64_t *d, size_t n)
{
	uint64_t divisor = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t x = magnitude(d[i]);

		while (x) {
			uint64_t rest = divisor % x;

			divisor = x;
			x = rest;
		}
	}
	return divisor;
}

/*
 * next[s] = (chance[s] + chance[s - w]) / 2 for s up to end, where chance is known up to top.
 * Two arrays, so that the compiler may use vectors.
 */
static void flip_one(const double *restrict chance, double *restrict next, size_t top, size_t w,
		     size_t end)
{
	size_t s, alone = w < end + 1 ? w : end + 1;

	if (alone > top + 1) {
		memset(next + top + 1, 0, (alone - top - 1) * sizeof(*next));
		alone = top + 1;
	}
	for (s = 0; s < alone; s++)
		next[s] = 0.5 * chance[s];
	if (w > end)
		return;
	for (s = w; s <= top && s <= end; s++)
		next[s] = 0.5 * (chance[s] + chance[s - w]);
	for (s = w > top ? w : top + 1; s <= end; s++)
		next[s] = 0.5 * chance[s - w];
}

/* P(S* <= end) and P(S* < end), S* in units of divisor; only sums up to end are followed. */
static void lower_tail(struct signflip *flip, const int64_t *d, size_t n, uint64_t divisor,
		       size_t end, double *at_most, double *below)
{
	size_t top = 0;

	flip->chance[0] = 1;
	for (size_t i = 0; i < n; i++) {
		size_t w = (size_t)(magnitude(d[i]) / divisor), last;
		double *swap;

		if (w == 0)
			continue;
		last = top + w < end ? top + w : end;
		flip_one(flip->chance, flip->next, top, w, last);
		swap = flip->chance;
		flip->chance = flip->next;
		flip->next = swap;
		top = last;
	}
	*below = 0;
	for (size_t s = 0; s < end && s <= top; s++)
		*below += flip->chance[s];
	*at_most = *below + (end <= top ? flip->chance[end] : 0);
}

void signflip_tails(struct signflip *flip, const int64_t *d, size_t n, double *greater,
		    double *less)
{
	uint64_t divisor = common_divisor(d, n), positive = 0, negative = 0;
	double at_most, below;
	size_t end;

	if (divisor == 0) {
		*greater = *less = 1;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (d[i] > 0)
			positive += magnitude(d[i]) / divisor;
		else
			negative += magnitude(d[i]) / divisor;
	}
	/* S* and M - S* have the same distribution: the shorter tail gives both. */
	end = (size_t)(positive < negative ? positive : negative);
	lower_tail(flip, d, n, divisor, end, &at_most, &below);
	if (positive < negative) {
		*less = at_most;
		*greater = 1 - below;
	} else {
		*greater = at_most;
		*less = 1 - below;
	}
}
