/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.c - mean, variance, order statistics and extremes of a sample.
 */
#include "summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int check_finite(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return -EINVAL;
	return 0;
}

int moments_add(struct moments *m, double x)
{
	struct moments next = *m;
	double from_origin, delta;

	if (!isfinite(x))
		return -EINVAL;
	if (m->n == 0) {
		*m = (struct moments){.n = 1, .origin = x, .min = x, .max = x};
		return 0;
	}
	next.n++;
	from_origin = x - next.origin;
	delta = from_origin - next.offset;
	next.offset += delta / (double)next.n;
	next.m2 += delta * (from_origin - next.offset);
	if (!isfinite(next.m2))
		return -ERANGE;
	next.min = fmin(next.min, x);
	next.max = fmax(next.max, x);
	*m = next;
	return 0;
}

int moments_of(struct moments *m, const double *x, size_t n)
{
	struct moments all = {0};

	for (size_t i = 0; i < n; i++) {
		int err = moments_add(&all, x[i]);

		if (err)
			return err;
	}
	*m = all;
	return 0;
}

int moments_merge(struct moments *m, const struct moments *other)
{
	struct moments both = *m;
	double delta, total;

	if (other->n == 0)
		return 0;
	if (m->n == 0) {
		*m = *other;
		return 0;
	}
	both.n += other->n;
	total = (double)both.n;
	delta = (other->origin - m->origin) + (other->offset - m->offset);
	both.offset += delta * ((double)other->n / total);
	both.m2 += other->m2 + delta * delta * ((double)m->n * (double)other->n / total);
	if (!isfinite(both.m2))
		return -ERANGE;
	both.min = fmin(m->min, other->min);
	both.max = fmax(m->max, other->max);
	*m = both;
	return 0;
}

double moments_mean(const struct moments *m)
{
	return m->n ? m->origin + m->offset : NAN;
}

double moments_variance(const struct moments *m)
{
	double off = (moments_mean(m) - m->origin) - m->offset;

	return m->n > 1 ? (m->m2 + (double)m->n * off * off) / (double)(m->n - 1) : NAN;
}

double moments_sd(const struct moments *m)
{
	return sqrt(moments_variance(m));
}

double moments_sem(const struct moments *m)
{
	return m->n > 1 ? sqrt(moments_variance(m) / (double)m->n) : NAN;
}

double sorted_quantile(const double *sorted, size_t n, double p)
{
	double at, below;
	size_t i;

	if (n == 0 || !(p >= 0 && p <= 1))
		return NAN;
	at = (double)(n - 1) * p;
	below = floor(at);
	i = (size_t)below;
	if (i + 1 >= n)
		return sorted[n - 1];
	if (sorted[i] == sorted[i + 1])
		return sorted[i];
	/* Two products, not a difference: that of two extreme values would overflow. */
	if (sorted[i] < 0 && sorted[i + 1] > 0)
		return (1 - (at - below)) * sorted[i] + (at - below) * sorted[i + 1];
	return sorted[i] + (at - below) * (sorted[i + 1] - sorted[i]);
}

double sorted_median(const double *sorted, size_t n)
{
	if (n == 0)
		return NAN;
	if (n % 2)
		return sorted[n / 2];
	return 0.5 * sorted[n / 2 - 1] + 0.5 * sorted[n / 2];
}

double mad_about(const double *x, size_t n, double centre, double *scratch)
{
	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(x[i] - centre);
	sort_doubles(scratch, n);
	return sorted_median(scratch, n);
}

static void order_statistics(struct summary *s, const double *x, double *scratch)
{
	size_t n = s->n;

	memcpy(scratch, x, n * sizeof(*x));
	sort_doubles(scratch, n);
	s->median = sorted_median(scratch, n);
	s->q25 = sorted_quantile(scratch, n, 0.25);
	s->q75 = sorted_quantile(scratch, n, 0.75);
	s->q90 = sorted_quantile(scratch, n, 0.90);
	s->q95 = sorted_quantile(scratch, n, 0.95);
	s->q99 = sorted_quantile(scratch, n, 0.99);
	s->mad = mad_about(x, n, s->median, scratch);
}

int summary_of(struct summary *s, const double *x, size_t n, double *scratch)
{
	struct moments m;
	double *own = NULL;
	int err;

	if (n == 0)
		return -EDOM;
	err = moments_of(&m, x, n);
	if (err)
		return err;
	if (!scratch) {
		own = malloc(n * sizeof(*own));
		if (!own)
			return -ENOMEM;
	}
	*s = (struct summary){.n = n,
			      .mean = moments_mean(&m),
			      .variance = moments_variance(&m),
			      .sd = moments_sd(&m),
			      .sem = moments_sem(&m),
			      .min = m.min,
			      .max = m.max};
	s->sem_percent = s->mean != 0 ? 100 * s->sem / fabs(s->mean) : NAN;
	order_statistics(s, x, own ? own : scratch);
	free(own);
	return 0;
}
