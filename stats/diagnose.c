/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnose.c - autocorrelation, drift, warm-up, outliers, two modes.
 */
#include "diagnose.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "summary.h"
#include "trend.h"

static size_t distinct(const double *sorted, size_t n)
{
	size_t count = n > 0;

	for (size_t i = 1; i < n; i++)
		count += sorted[i] != sorted[i - 1];
	return count;
}

/* Takes from each run the median of its group; part holds n doubles. -EINVAL for a bad group. */
static int remove_medians(double *residual, const double *x, const size_t *group, size_t n,
			  size_t groups, double *part)
{
	for (size_t i = 0; i < n; i++)
		if (group[i] >= groups)
			return -EINVAL;
	for (size_t g = 0; g < groups; g++) {
		size_t count = 0;
		double median;

		for (size_t i = 0; i < n; i++)
			if (group[i] == g)
				part[count++] = x[i];
		sort_doubles(part, count);
		median = sorted_median(part, count);
		for (size_t i = 0; i < n; i++)
			if (group[i] == g)
				residual[i] = x[i] - median;
	}
	return check_finite(residual, n) ? -ERANGE : 0;
}

static int order(struct sequence_diagnosis *d, const double *residual, size_t n)
{
	struct rank_von_neumann rvn;
	struct mann_kendall mk;
	int err;

	if (n < DIAGNOSE_SEQUENCE_LEAST)
		return 0;
	err = rank_von_neumann(&rvn, residual, n);
	if (err)
		return err == -EDOM ? 0 : err; /* all equal: nothing to say */
	err = mann_kendall(&mk, residual, n);
	if (err)
		return err;
	d->order_tested = true;
	d->rvn_z = rvn.z;
	d->autocorrelated = rvn.z < DIAGNOSE_AUTOCORRELATION_Z;
	d->drift_z = mk.z;
	d->drift_p = mk.p;
	d->drifting = mk.p < DIAGNOSE_DRIFT_P;
	return 0;
}

/* scale: the median of the first run's group, for the relative floor. */
static void warmup(struct sequence_diagnosis *d, const double *residual, size_t n, double scale,
		   double *sorted)
{
	double median, mad;
	size_t different;

	memcpy(sorted, residual, n * sizeof(*sorted));
	sort_doubles(sorted, n);
	median = sorted_median(sorted, n);
	different = distinct(sorted, n);
	mad = mad_about(residual, n, median, sorted);
	if (mad == 0 || different < DIAGNOSE_DISTINCT_LEAST)
		return;
	d->warmup_tested = true;
	d->first_z = (residual[0] - median) / (MAD_TO_SD * mad);
	d->warmup = d->first_z > DIAGNOSE_WARMUP_Z &&
		    residual[0] > DIAGNOSE_RELATIVE_FLOOR * fabs(scale);
	for (size_t i = 1; i < n; i++)
		if (residual[i] >= residual[0])
			d->warmup = false;
}

int diagnose_sequence(struct sequence_diagnosis *d, const double *x, const size_t *group, size_t n,
		      size_t groups)
{
	struct sequence_diagnosis result = {
		.rvn_z = NAN, .drift_z = NAN, .drift_p = NAN, .first_z = NAN};
	double *residual, *part;
	int err;

	if (n == 0)
		return -EDOM;
	err = check_finite(x, n);
	if (err)
		return err;
	residual = calloc(n, 2 * sizeof(*residual));
	if (!residual)
		return -ENOMEM;
	part = residual + n;
	err = remove_medians(residual, x, group, n, groups, part);
	if (!err)
		err = order(&result, residual, n);
	if (!err) {
		warmup(&result, residual, n, x[0] - residual[0], part);
		*d = result;
	}
	free(residual);
	return err;
}

static void outliers(struct sample_diagnosis *d, const double *x, size_t n, double median,
		     double mad)
{
	d->outliers_tested = true;
	d->largest_z = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		double z = (x[i] - median) / (MAD_TO_SD * mad);

		d->largest_z = fmax(d->largest_z, z);
		if (z > DIAGNOSE_OUTLIER_Z &&
		    x[i] - median > DIAGNOSE_RELATIVE_FLOOR * fabs(median))
			d->outliers++;
	}
}

/*
 * The split of the sorted runs with the largest share of the variance between its parts, among
 * those with enough runs on both sides.
 */
static int modes(struct sample_diagnosis *d, const double *sorted, size_t n)
{
	double least = DIAGNOSE_MODES_SHARE * (double)n, sum = 0;
	struct moments all;
	int err;

	err = moments_of(&all, sorted, n);
	if (err || all.m2 == 0)
		return err;
	d->modes_tested = true;
	d->eta2 = 0;
	for (size_t low = 1; low < n; low++) {
		double below = (double)low, above = (double)(n - low), between;

		sum += sorted[low - 1] - all.origin - all.offset;
		/* The parts' sums of deviations are sum and -sum. */
		between = sum * sum * (1 / below + 1 / above) / all.m2;
		if (sorted[low] == sorted[low - 1] || below < least || above < least ||
		    between <= d->eta2)
			continue;
		d->eta2 = between;
		d->mode_low = moments_mean(&all) + sum / below;
		d->mode_high = moments_mean(&all) - sum / above;
		d->mode_low_share = below / (double)n;
	}
	d->two_modes = d->eta2 > DIAGNOSE_MODES_ETA2;
	return 0;
}

int diagnose_sample(struct sample_diagnosis *d, const double *x, size_t n)
{
	struct sample_diagnosis result = {.largest_z = NAN,
					  .eta2 = NAN,
					  .mode_low = NAN,
					  .mode_high = NAN,
					  .mode_low_share = NAN};
	double *sorted, median, mad;
	int err;

	if (n == 0)
		return -EDOM;
	err = check_finite(x, n);
	if (err)
		return err;
	sorted = calloc(n, 2 * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, x, n * sizeof(*x));
	sort_doubles(sorted, n);
	median = sorted_median(sorted, n);
	mad = mad_about(x, n, median, sorted + n);
	if (mad > 0 && isfinite(mad) && distinct(sorted, n) >= DIAGNOSE_DISTINCT_LEAST) {
		outliers(&result, x, n, median, mad);
		if (n >= DIAGNOSE_MODES_LEAST)
			err = modes(&result, sorted, n);
	}
	free(sorted);
	if (!err)
		*d = result;
	return err;
}
