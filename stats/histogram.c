/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histogram.c - bins of equal width, and bins of equal relative width.
 */
#include "histogram.h"

#include <errno.h>
#include <math.h>

/* How many doublings below the first value there are bins for. */
static const int BELOW_FIRST = 10;

int histogram_fill(size_t *counts, size_t bins, double low, double high, const double *x, size_t n)
{
	if (bins == 0 || !(low <= high))
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (isnan(x[i]))
			return -EINVAL;
	for (size_t b = 0; b < bins; b++)
		counts[b] = 0;
	for (size_t i = 0; i < n; i++) {
		double place = high > low ? (x[i] - low) / (high - low) * (double)bins : 0;
		double last = (double)(bins - 1);

		counts[(size_t)fmax(0, fmin(last, floor(place)))]++;
	}
	return 0;
}

int stream_histogram_add(struct stream_histogram *h, double x)
{
	const int last = STREAM_DOUBLINGS * STREAM_BINS_EACH - 1;
	double mantissa;
	int doublings, bin;

	if (!(x >= 0) || isinf(x))
		return -EINVAL;
	h->min = h->n ? fmin(h->min, x) : x;
	h->max = h->n ? fmax(h->max, x) : x;
	h->n++;
	if (x == 0) {
		h->zeros++;
		return 0;
	}
	if (h->unit == 0) {
		frexp(x, &doublings);
		h->unit = ldexp(1, doublings - 1 - BELOW_FIRST);
		/* A denormal first value would have no unit. */
		if (h->unit < 0x1p-1022)
			h->unit = 0x1p-1022;
	}
	mantissa = frexp(x / h->unit, &doublings); /* in [1/2, 1) 2^doublings */
	if (doublings < 1)
		bin = 0;
	else if (isinf(x / h->unit) || doublings > STREAM_DOUBLINGS)
		bin = last;
	else
		bin = (doublings - 1) * STREAM_BINS_EACH +
		      (int)((mantissa * 2 - 1) * STREAM_BINS_EACH);
	h->bins[bin]++;
	return 0;
}

double stream_histogram_quantile(const struct stream_histogram *h, double p)
{
	uint64_t rank, passed = h->zeros;

	if (h->n == 0 || !(p >= 0 && p <= 1))
		return NAN;
	rank = (uint64_t)ceil(p * (double)h->n);
	if (rank <= 1)
		return h->min;
	if (rank >= h->n)
		return h->max;
	if (rank <= passed)
		return 0;
	for (int b = 0; b < STREAM_DOUBLINGS * STREAM_BINS_EACH; b++) {
		passed += h->bins[b];
		if (rank <= passed) {
			double inside = 1 + (b % STREAM_BINS_EACH + 0.5) / STREAM_BINS_EACH;
			double middle = ldexp(h->unit * inside, b / STREAM_BINS_EACH);

			return fmin(h->max, fmax(h->min, middle));
		}
	}
	return h->max;
}
