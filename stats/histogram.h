/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histogram.h - counts of values in bins, for drawing and for quantiles of a stream.
 */
#ifndef ABSTAT_STATS_HISTOGRAM_H
#define ABSTAT_STATS_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

/*
 * Counts x[0..n-1] in bins of equal width from low to high, both included; values outside go to
 * the first or last. low == high: all in the first. -EINVAL for bins = 0, low > high, NaN.
 */
int histogram_fill(size_t *counts, size_t bins, double low, double high, const double *x, size_t n);

/*
 * A histogram of values >= 0 of any size in fixed memory (20 KiB), for millions of calls: 64 bins
 * for each doubling, so that a quantile is off by at most 1/128 of itself. Values from 2^-10 to
 * 2^30 times the first non-zero value have bins of their own; what is beyond is counted in the
 * outermost. The extremes are exact. Start from {0}.
 */
enum { STREAM_DOUBLINGS = 40, STREAM_BINS_EACH = 64 };

struct stream_histogram {
	uint64_t n;
	uint64_t zeros;
	double unit; /* the lower edge of the first bin; 0 while only zeros came */
	double min, max;
	uint64_t bins[STREAM_DOUBLINGS * STREAM_BINS_EACH];
};

/* -EINVAL for a negative value, NaN or infinity. */
int stream_histogram_add(struct stream_histogram *h, double x);

/* The quantile, to a bin's middle; NaN for n = 0 or p outside [0, 1]. */
double stream_histogram_quantile(const struct stream_histogram *h, double p);

#endif
