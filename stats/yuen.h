/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yuen.h - the difference of two trimmed means.
 *
 * Yuen, Biometrika 61 (1974): Welch's test with trimmed means and Winsorised variances, so that a
 * few outliers a side do no harm. The trimmed mean of a skewed sample is not its mean.
 */
#ifndef ABSTAT_STATS_YUEN_H
#define ABSTAT_STATS_YUEN_H

#include <stddef.h>

struct yuen {
	double mean_a, mean_b; /* trimmed */
	double diff, se, df, t, p;
	double low, high;
};

/*
 * Trims floor(trim n) values from each end, trim in [0, 0.5). Allocates 8 (n_a + n_b) bytes.
 * -EDOM where fewer than 2 values are left on a side, -EINVAL, -ENOMEM. se = 0: as welch.h.
 */
int yuen_of(struct yuen *y, const double *a, size_t n_a, const double *b, size_t n_b, double trim,
	    double level);

#endif
