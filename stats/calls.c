/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - reduction of the calls of a run, components of variance.
 */
#include "calls.h"

#include <errno.h>
#include <math.h>

int call_stream_add(struct call_stream *s, double cost)
{
	int err;

	if (!(cost >= 0))
		return -EINVAL;
	err = moments_add(&s->moments, cost);
	return err ? err : stream_histogram_add(&s->histogram, cost);
}

void call_stream_reduce(const struct call_stream *s, struct run_of_calls *run)
{
	const struct moments *m = &s->moments;

	*run = (struct run_of_calls){.count = m->n,
				     .mean = moments_mean(m),
				     .variance = moments_variance(m),
				     .total = m->n ? moments_mean(m) * (double)m->n : 0,
				     .p50 = stream_histogram_quantile(&s->histogram, 0.5),
				     .p99 = stream_histogram_quantile(&s->histogram, 0.99)};
}

int components_of(struct components *c, const struct run_of_calls *runs, size_t n)
{
	double within = 0, inverse = 0, fewest = INFINITY, most = 0;
	struct moments means = {0};
	size_t with_variance = 0;

	for (size_t i = 0; i < n; i++) {
		int err;

		if (runs[i].count == 0)
			continue;
		err = moments_add(&means, runs[i].mean);
		if (err)
			return err;
		inverse += 1 / (double)runs[i].count;
		fewest = fmin(fewest, (double)runs[i].count);
		most = fmax(most, (double)runs[i].count);
		if (runs[i].count > 1) {
			within += runs[i].variance;
			with_variance++;
		}
	}
	if (means.n < 2 || with_variance < 2)
		return -EDOM;
	*c = (struct components){.runs = means.n,
				 .mean = moments_mean(&means),
				 .within = within / (double)with_variance,
				 .between = moments_variance(&means),
				 .calls = (double)means.n / inverse,
				 .mean_variance = moments_variance(&means) / (double)means.n,
				 .uneven = most > 2 * fewest};
	c->run_variance = fmax(0, c->between - c->within / c->calls);
	return 0;
}

double calls_worth(const struct components *c, double cost_run, double cost_call)
{
	if (!(cost_run > 0 && cost_call > 0))
		return NAN;
	if (c->run_variance == 0)
		return INFINITY;
	return fmax(1, sqrt(cost_run / cost_call * (c->within / c->run_variance)));
}
