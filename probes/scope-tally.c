/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of calls, with what probing added subtracted, and their percentiles.
 *
 * A sum is exact: it is kept as integers, with the numbers of calls by what probing each costs, and
 * the constants are applied when the run is over.
 */
#include "scope-tally.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost-bucket.h"

/* What remains of the least value in a block. */
static unsigned least_of(unsigned block)
{
	return block ? COST_PER_OCTAVE : 0;
}

/* A block has the values of which as many bits are left out as its number says. */
static void locate(uint64_t value, unsigned *block, unsigned *slot)
{
	*block = cost_shift(value);
	*slot = (unsigned)(value >> *block) - least_of(*block);
}

static double value_of(unsigned block, unsigned slot)
{
	return cost_middle(least_of(block) + slot, block);
}

static unsigned slots(unsigned block)
{
	return COST_EXACT - least_of(block);
}

int histogram_add(struct histogram *h, double value)
{
	unsigned block, slot;

	if (!(value > 0))
		value = 0;
	locate(value < 0x1p63 ? (uint64_t)llround(value) : INT64_MAX, &block, &slot);
	if (!h->blocks[block]) {
		h->blocks[block] = calloc(slots(block), sizeof(uint64_t));
		if (!h->blocks[block])
			return -ENOMEM;
	}
	h->blocks[block][slot]++;
	if (h->n == 0 || value < h->min)
		h->min = value;
	if (h->n == 0 || value > h->max)
		h->max = value;
	h->n++;
	return 0;
}

double histogram_quantile(const struct histogram *h, double q)
{
	uint64_t rank = (uint64_t)ceil(q * (double)h->n), seen = 0;

	if (!h->n)
		return NAN;
	rank = rank ? rank : 1;
	for (unsigned b = 0; b < HISTOGRAM_BLOCKS; b++) {
		for (unsigned i = 0; h->blocks[b] && i < slots(b); i++) {
			seen += h->blocks[b][i];
			if (seen >= rank)
				return fmin(fmax(value_of(b, i), h->min), h->max);
		}
	}
	return h->max;
}

void histogram_reset(struct histogram *h)
{
	for (unsigned b = 0; b < HISTOGRAM_BLOCKS; b++)
		if (h->blocks[b])
			memset(h->blocks[b], 0, slots(b) * sizeof(uint64_t));
	h->n = 0;
}

void histogram_release(struct histogram *h)
{
	for (unsigned b = 0; b < HISTOGRAM_BLOCKS; b++)
		free(h->blocks[b]);
	*h = (struct histogram){0};
}

/* A pair_sum that is kept: cost, calls, nested. */
struct tally {
	const struct pair_layout *layout;
	const struct scope_config *config;
	size_t n_costs;
	size_t stride; /* of a sum */
	bool failed;
	uint64_t *outermost;
	uint64_t *totals;             /* [scope × stride] */
	double *self;                 /* [scope × cost] */
	struct histogram *histograms; /* [scope × cost] */
	/* Of CPUs that are told apart: */
	unsigned *cpu_rows; /* [CPU]: its place among those, from 1; 0: it is none */
	size_t n_cpu_rows;
	uint64_t *cpu_calls;  /* [place × scope] */
	uint64_t *cpu_totals; /* [place × scope × stride] */
};

/* Of CPUs that are told apart; of others nothing is kept. */
static int make_cpus(struct tally *t)
{
	const struct scope_config *config = t->config;
	size_t n = config->n_told * t->layout->n_scopes;

	for (size_t i = 0; i < config->n_told; i++)
		if ((size_t)config->told[i] >= t->n_cpu_rows)
			t->n_cpu_rows = (size_t)config->told[i] + 1;
	t->cpu_rows = calloc(t->n_cpu_rows + 1, sizeof(*t->cpu_rows));
	t->cpu_calls = calloc(n + 1, sizeof(*t->cpu_calls));
	t->cpu_totals = calloc(n + 1, t->stride * sizeof(*t->cpu_totals));
	if (!t->cpu_rows || !t->cpu_calls || !t->cpu_totals)
		return -ENOMEM;
	for (size_t i = 0; i < config->n_told; i++)
		t->cpu_rows[config->told[i]] = (unsigned)i + 1;
	return 0;
}

/* Whether CPU is one of those; *PLACE: that of SCOPE on it. */
static bool is_told(const struct tally *t, unsigned cpu, size_t scope, size_t *place)
{
	unsigned row = cpu < t->n_cpu_rows ? t->cpu_rows[cpu] : 0;

	*place = row ? (row - 1) * t->layout->n_scopes + scope : 0;
	return row != 0;
}

struct tally *tally_new(const struct pair_layout *layout, const struct scope_config *config)
{
	struct tally *t = calloc(1, sizeof(*t));
	size_t n = layout->n_scopes;

	if (!t)
		return NULL;
	t->layout = layout;
	t->config = config;
	t->n_costs = layout->n_cost_members + 1;
	t->stride = t->n_costs + 2 * layout->n_rows;
	t->outermost = calloc(t->stride, sizeof(*t->outermost));
	t->totals = calloc(n * t->stride, sizeof(*t->totals));
	t->self = calloc(n * t->n_costs, sizeof(*t->self));
	t->histograms = calloc(n * t->n_costs, sizeof(*t->histograms));
	if (!t->outermost || !t->totals || !t->self || !t->histograms || make_cpus(t)) {
		tally_free(t);
		return NULL;
	}
	return t;
}

void tally_free(struct tally *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->histograms && i < t->layout->n_scopes * t->n_costs; i++)
		histogram_release(&t->histograms[i]);
	free(t->histograms);
	free(t->cpu_rows);
	free(t->cpu_calls);
	free(t->cpu_totals);
	free(t->outermost);
	free(t->totals);
	free(t->self);
	free(t);
}

void tally_reset(struct tally *t)
{
	size_t n = t->layout->n_scopes, told = t->config->n_told * n;

	t->failed = false;
	memset(t->cpu_calls, 0, told * sizeof(*t->cpu_calls));
	memset(t->cpu_totals, 0, told * t->stride * sizeof(*t->cpu_totals));
	memset(t->outermost, 0, t->stride * sizeof(*t->outermost));
	memset(t->totals, 0, n * t->stride * sizeof(*t->totals));
	for (size_t i = 0; i < n * t->n_costs; i++) {
		t->self[i] = 0;
		histogram_reset(&t->histograms[i]);
	}
}

static const struct scope_constant *constant(const struct tally *t, size_t row, size_t cost)
{
	static const struct scope_constant none;

	return t->config->constants ? &t->config->constants[row * t->n_costs + cost] : &none;
}

/* What probing added to the cost of so many calls and those in them. */
static double overhead(const struct tally *t, size_t cost, const uint64_t *calls,
		       const uint64_t *nested)
{
	double sum = 0;

	for (size_t r = 0; r < t->layout->n_rows; r++)
		sum += (double)calls[r] * constant(t, r, cost)->inside +
		       (double)nested[r] * constant(t, r, cost)->around;
	return sum;
}

/* The error of a constant is the same in all calls; those of different constants are independent.
 */
static double overhead_se(const struct tally *t, size_t cost, const uint64_t *calls,
			  const uint64_t *nested)
{
	double sum = 0;

	for (size_t r = 0; r < t->layout->n_rows; r++) {
		double inside = (double)calls[r] * constant(t, r, cost)->inside_se;
		double around = (double)nested[r] * constant(t, r, cost)->around_se;

		sum += inside * inside + around * around;
	}
	return sqrt(sum);
}

/* Whether what probing added is known of all of them. */
static bool is_calibrated(const struct tally *t, size_t cost, const uint64_t *calls,
			  const uint64_t *nested)
{
	for (size_t r = 0; r < t->layout->n_rows; r++)
		if ((calls[r] || nested[r]) && !constant(t, r, cost)->known)
			return false;
	return true;
}

static void on_call(void *context, const struct pair_call *call)
{
	struct tally *t = context;
	unsigned row = t->layout->scopes[call->scope].row;
	size_t place;

	if (is_told(t, call->cpu, call->scope, &place))
		t->cpu_calls[place]++;
	for (size_t c = 0; c < t->n_costs; c++) {
		size_t i = call->scope * t->n_costs + c;
		double true_cost = (double)call->cost[c] - constant(t, row, c)->inside;
		double self =
		    (double)(call->cost[c] - call->child[c]) - constant(t, row, c)->inside;

		for (size_t r = 0; r < t->layout->n_rows; r++) {
			const struct scope_constant *k = constant(t, r, c);

			true_cost -= (double)(call->kids[r] + call->deeper[r]) * k->around;
			self -= (double)call->kids[r] * (k->around - k->inside);
		}
		t->self[i] += self;
		if (histogram_add(&t->histograms[i], true_cost))
			t->failed = true;
	}
}

static void add(const struct tally *t, uint64_t *to, const struct pair_sum *sum)
{
	size_t rows = t->layout->n_rows;

	for (size_t c = 0; c < t->n_costs; c++)
		to[c] += sum->cost[c];
	for (size_t r = 0; r < rows; r++) {
		to[t->n_costs + r] += sum->calls[r];
		to[t->n_costs + rows + r] += sum->nested[r];
	}
}

static void on_total(void *context, unsigned scope, const struct pair_sum *sum)
{
	struct tally *t = context;

	size_t place;

	add(t, t->totals + scope * t->stride, sum);
	if (is_told(t, sum->cpu, scope, &place))
		add(t, t->cpu_totals + place * t->stride, sum);
}

static void on_outermost(void *context, const struct pair_sum *sum)
{
	struct tally *t = context;

	add(t, t->outermost, sum);
}

struct pair_sink tally_sink(struct tally *t)
{
	return (struct pair_sink){t, on_call, on_total, on_outermost};
}

bool tally_failed(const struct tally *t)
{
	return t->failed;
}

static void take_scope(const struct tally *t, size_t scope, size_t c, struct scope_cost *cost)
{
	const uint64_t *sum = t->totals + scope * t->stride;
	const uint64_t *calls = sum + t->n_costs, *nested = calls + t->layout->n_rows;
	const struct histogram *h = &t->histograms[scope * t->n_costs + c];

	double subtracted = overhead(t, c, calls, nested);
	bool calibrated = is_calibrated(t, c, calls, nested);

	cost->overhead = calibrated ? subtracted : NAN;
	cost->overhead_se = calibrated ? overhead_se(t, c, calls, nested) : NAN;
	cost->total = (double)sum[c] - subtracted;
	cost->self = t->self[scope * t->n_costs + c];
	cost->p50 = t->failed ? NAN : histogram_quantile(h, 0.5);
	cost->p99 = t->failed ? NAN : histogram_quantile(h, 0.99);
}

/* What calls that were summed cost, without what probing added; NAN: no member counts it. */
static double true_sum(const struct tally *t, const uint64_t *sum, size_t c)
{
	const uint64_t *calls = sum + t->n_costs, *nested = calls + t->layout->n_rows;

	if (c < t->layout->n_cost_members && t->layout->cost_members[c] == PAIR_NO_MEMBER)
		return NAN;
	return (double)sum[c] - overhead(t, c, calls, nested);
}

static void take_cpus(const struct tally *t, struct scope_result *result)
{
	size_t n = t->config->n_told * t->layout->n_scopes;

	for (size_t i = 0; i < n; i++) {
		result->cpu_calls[i] = t->cpu_calls[i];
		for (size_t c = 0; c < t->n_costs; c++)
			result->cpu_totals[i * t->n_costs + c] =
			    true_sum(t, t->cpu_totals + i * t->stride, c);
	}
}

void tally_result(const struct tally *t, struct scope_result *result)
{
	for (size_t c = 0; c < t->n_costs; c++) {
		result->outermost[c] = true_sum(t, t->outermost, c);
		for (size_t s = 0; s < t->layout->n_scopes; s++) {
			struct scope_cost *cost = &result->costs[s * t->n_costs + c];

			if (isnan(result->outermost[c]))
				*cost = (struct scope_cost){NAN, NAN, NAN, NAN, 0, 0};
			else
				take_scope(t, s, c, cost);
		}
	}
	take_cpus(t, result);
}
