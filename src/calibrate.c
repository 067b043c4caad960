/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calibrating: stretches of equal commands, judged in random blocks and as AAAA-BBBB. */
#include "calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "format.h"
#include "judge.h"
#include "series.h"
#include "summary.h"
#include "unpaired.h"

const size_t calibrate_sizes[CALIBRATE_SIZES] = {10, 20, 50, 100};

enum { TYPICAL_SIZE = 20 };
#define INTERVAL_LEVEL 0.95

struct timed {
	size_t run;
	double value;
};

/* What is filled for one metric at a time. */
struct bench {
	struct series a, b;       /* pairs */
	struct timed *order;      /* of one stretch, by time */
	double *first, *last;     /* its two halves */
	double *widths, *visible; /* one a stretch */
};

static void bench_release(struct bench *bench)
{
	series_release(&bench->a);
	series_release(&bench->b);
	free(bench->order);
	free(bench->first);
	free(bench->last);
	free(bench->widths);
	free(bench->visible);
}

static int bench_init(struct bench *bench, const struct record *record, size_t metric,
		      const bool *failed, size_t n_failed)
{
	size_t most = calibrate_sizes[CALIBRATE_SIZES - 1];

	*bench = (struct bench){0};
	if (series_take(&bench->a, record, 0, metric, failed, n_failed) ||
	    series_take(&bench->b, record, 1, metric, failed, n_failed))
		return -ENOMEM;
	series_pair(&bench->a, &bench->b);
	bench->order = calloc(2 * most, sizeof(*bench->order));
	bench->first = calloc(most, sizeof(*bench->first));
	bench->last = calloc(most, sizeof(*bench->last));
	bench->widths = calloc(bench->a.n + 1, sizeof(*bench->widths));
	bench->visible = calloc(bench->a.n + 1, sizeof(*bench->visible));
	return bench->order && bench->first && bench->last && bench->widths && bench->visible
		   ? 0
		   : -ENOMEM;
}

static int by_time(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	return (x->run > y->run) - (x->run < y->run);
}

/* The runs of N pairs from BEGIN on, in the order run: the first half as A's, the last half as B's.
 */
static void split_by_time(struct bench *bench, size_t begin, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bench->order[2 * i] =
		    (struct timed){bench->a.runs[begin + i], bench->a.values[begin + i]};
		bench->order[2 * i + 1] =
		    (struct timed){bench->b.runs[begin + i], bench->b.values[begin + i]};
	}
	qsort(bench->order, 2 * n, sizeof(*bench->order), by_time);
	for (size_t i = 0; i < n; i++) {
		bench->first[i] = bench->order[i].value;
		bench->last[i] = bench->order[n + i].value;
	}
}

static int try_stretch(struct bench *bench, struct calibrate_row *row,
		       const struct judge_rules *rules)
{
	size_t begin = row->stretches * row->n;
	struct judge_data data = {
	    .a = {.values = bench->a.values + begin, .n = row->n},
	    .b = {.values = bench->b.values + begin, .n = row->n},
	    .paired = true,
	};
	struct judgement j;
	struct mann_whitney mw;
	int r = judge(&j, &data, rules, JUDGE_ALL);

	if (r)
		return r;
	split_by_time(bench, begin, row->n);
	r = mann_whitney(&mw, bench->first, row->n, bench->last, row->n);
	if (r)
		return r;
	row->blocks.alarms += j.p <= rules->level;
	row->sequence.alarms += mw.p <= rules->level;
	/* What is not known is as wide as can be; a NaN would make the median one. */
	double half = judge_half_width(&j);

	bench->widths[row->stretches] = isnan(half) ? INFINITY : half;
	/* An interval without a width comes from ties, and says nothing of what is seen. */
	double visible = j.method == JUDGE_EXACT && !isnan(half) ? 0
			 : j.smallest_visible > 0                ? j.smallest_visible
								 : INFINITY;

	bench->visible[row->stretches] = visible;
	row->stretches++;
	return 0;
}

static double median(double *x, size_t n)
{
	sort_doubles(x, n);
	double m = sorted_median(x, n);

	return isfinite(m) ? m : NAN;
}

static void fill_rate(struct calibrate_rate *rate, size_t stretches)
{
	if (stretches >= CALIBRATE_FEW)
		proportion_of(&rate->share, rate->alarms, stretches, INTERVAL_LEVEL);
}

static int fill_row(struct calibrate_row *row, struct bench *bench, double alpha)
{
	struct judge_plan plan;
	struct judge_rules rules = {.margin = 0.01, .gate = -1};
	int r = judge_plan_fixed(&plan, row->n, alpha);

	if (!r)
		r = judge_plan_rules(&plan, 0, &rules);
	while (!r && (row->stretches + 1) * row->n <= bench->a.n)
		r = try_stretch(bench, row, &rules);
	if (row->stretches) {
		row->half_width = median(bench->widths, row->stretches);
		row->visible = median(bench->visible, row->stretches);
		fill_rate(&row->blocks, row->stretches);
		fill_rate(&row->sequence, row->stretches);
	}
	return r;
}

static bool is_constant(const struct series *a, const struct series *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->values[i] != a->values[0] || b->values[i] != a->values[0])
			return false;
	return a->n > 0;
}

/* Constant, but only because no run came above the spawner's own peak. */
static bool is_bound(const struct record *record, const struct metric *metric,
		     const struct series *s)
{
	if (metric->source != METRIC_TOOL || metric->slot != TOOL_MAX_RSS)
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (record->runs[s->runs[i]].rss_upper_bound)
			return true;
	return false;
}

static void summarise(struct calibrate_metric *m, const struct bench *bench)
{
	struct moments all, b;

	m->mean = m->sd = NAN;
	if (moments_of(&all, bench->a.values, m->pairs) ||
	    moments_of(&b, bench->b.values, m->pairs) || moments_merge(&all, &b) || !m->pairs)
		return;
	m->mean = moments_mean(&all);
	m->sd = moments_sd(&all);
}

/* Why no block has a value of METRIC on both sides. */
static const char *reason_of(const struct record *record, size_t metric)
{
	if (record->metrics.v[metric].reason)
		return record->metrics.v[metric].reason;
	for (size_t i = 0; i < record->n_runs; i++) {
		const struct reading *r = record_reading(record, i, metric);

		if (!record->runs[i].warmup && r->reason != NULL_NONE &&
		    r->reason != NULL_OTHER_GROUP)
			return null_reason_text(r->reason);
	}
	return "no block has a value of both runs";
}

static int fill_metric(struct calibration *c, struct calibrate_metric *m, size_t index,
		       const bool *failed, size_t n_failed)
{
	const struct metric *metric = &c->record->metrics.v[index];
	struct bench bench;
	int r = bench_init(&bench, c->record, index, failed, n_failed);

	*m = (struct calibrate_metric){
	    .name = metric->name,
	    .event = metric->event,
	    .unit = metric->unit,
	    .primary = c->record->primary == (long)index,
	    .pairs = bench.a.n,
	};
	for (size_t i = 0; i < CALIBRATE_SIZES; i++)
		m->rows[i] = (struct calibrate_row){
		    .n = calibrate_sizes[i],
		    .half_width = NAN,
		    .visible = NAN,
		    .blocks.share = {NAN, NAN, NAN, INTERVAL_LEVEL},
		    .sequence.share = {NAN, NAN, NAN, INTERVAL_LEVEL},
		};
	if (!r) {
		summarise(m, &bench);
		m->deterministic = is_constant(&bench.a, &bench.b);
		if (!m->pairs)
			m->reason = reason_of(c->record, index);
		else if (m->deterministic && is_bound(c->record, metric, &bench.a))
			m->reason = "its values are upper bounds only";
		if (m->reason)
			m->pairs = 0;
	}
	for (size_t i = 0; i < CALIBRATE_SIZES && !r && !m->deterministic && m->pairs; i++)
		r = fill_row(&m->rows[i], &bench, c->alpha);
	bench_release(&bench);
	/* Values that cannot be computed with are this metric's misfortune, not the others'. */
	if (r && r != -ENOMEM) {
		m->reason = "the values cannot be computed with";
		m->pairs = 0;
		r = 0;
	}
	return r;
}

static size_t count_blocks(const struct record *record, const bool *failed, size_t n_failed)
{
	size_t n = 0;

	for (size_t i = record->plan.first_block; i < n_failed; i++)
		n += !failed[i];
	return record->plan.blocks < n ? record->plan.blocks : n;
}

int calibrate(struct calibration *c, const struct record *record, double alpha)
{
	size_t n_failed = 0;
	bool *failed = series_failed_blocks(record, &n_failed);
	int r = 0;

	*c = (struct calibration){.record = record, .alpha = alpha};
	c->metrics = calloc(record->metrics.n + 1, sizeof(*c->metrics));
	if (!failed || !c->metrics) {
		free(failed);
		return -ENOMEM;
	}
	c->blocks = count_blocks(record, failed, n_failed);
	for (size_t i = 0; i < record->metrics.n && !r; i++)
		if (record->metrics.v[i].shown)
			r = fill_metric(c, &c->metrics[c->n_metrics++], i, failed, n_failed);
	free(failed);
	return r;
}

void calibration_release(struct calibration *c)
{
	free(c->metrics);
	*c = (struct calibration){0};
}

const struct calibrate_row *calibrate_typical(const struct calibrate_metric *m)
{
	const struct calibrate_row *found = NULL;

	for (size_t i = 0; i < CALIBRATE_SIZES; i++)
		if (m->rows[i].stretches >= CALIBRATE_FEW && m->rows[i].n <= TYPICAL_SIZE)
			found = &m->rows[i];
	return found;
}

static void describe_share(char *buf, size_t size, const struct proportion *p)
{
	snprintf(buf, size, "%.1f [%.1f, %.1f] %%", 100 * p->share, 100 * p->low, 100 * p->high);
}

static char *describe_row(const struct calibrate_metric *m, const struct calibrate_row *row)
{
	char blocks[FORMAT_SIZE], sequence[FORMAT_SIZE], visible[FORMAT_SIZE];
	char *text, *rates;
	int r;

	describe_share(blocks, sizeof(blocks), &row->blocks.share);
	describe_share(sequence, sizeof(sequence), &row->sequence.share);
	if (asprintf(&rates,
		     "equal commands were called different in %s of %zu comparisons in random "
		     "blocks, and "
		     "in %s of the same in AAAA-BBBB order.",
		     blocks, row->stretches, sequence) < 0)
		return NULL;
	if (isnan(row->visible))
		r = asprintf(&text, "With %zu runs a side, %s", row->n, rates);
	else
		r = asprintf(
		    &text, "With %zu runs a side, changes below ±%s of %s cannot be seen here; %s",
		    row->n, format_fraction(visible, sizeof(visible), row->visible), m->name,
		    rates);
	free(rates);
	return r < 0 ? NULL : text;
}

char *calibration_sentence(const struct calibration *c)
{
	const struct calibrate_metric *m = NULL;
	const struct calibrate_row *row;
	char *text = NULL;
	int r;

	for (size_t i = 0; i < c->n_metrics; i++)
		if (c->metrics[i].primary)
			m = &c->metrics[i];
	row = m ? calibrate_typical(m) : NULL;
	if (row)
		return describe_row(m, row);
	if (!m || !m->pairs)
		r = asprintf(&text, "Nothing can be said of the primary metric: %s.",
			     m ? m->reason : "it was not measured");
	else if (m->deterministic)
		r = asprintf(
		    &text,
		    "%s has no noise here: every run has the same value, so that any change of it "
		    "is seen with 2 runs a side.",
		    m->name);
	else
		r = asprintf(
		    &text,
		    "%zu blocks are too few to tell how often equal commands are called different: "
		    "it takes at least %zu.",
		    m->pairs, CALIBRATE_FEW * calibrate_sizes[0]);
	return r < 0 ? NULL : text;
}
