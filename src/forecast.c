/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forecasting the runs that an effect takes. */
#include "forecast.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse-sample.h"
#include "format.h"
#include "judge.h"

#define SPREAD_LEVEL 0.95

static const char bounded[] = "its values are upper bounds only";

const char *spread_source_text(enum spread_source source)
{
	static const char *const words[] = {
	    [SPREAD_UNKNOWN] = "not known",
	    [SPREAD_INTERVAL] = "the 95 % interval of the change",
	    [SPREAD_MEANS] = "the standard deviations of both sides",
	    [SPREAD_VARIANT] = "the standard deviation of the runs",
	    [SPREAD_NONE] = "deterministic",
	};

	return words[source];
}

const char *spread_source_token(enum spread_source source)
{
	static const char *const tokens[] = {
	    [SPREAD_UNKNOWN] = NULL,      [SPREAD_INTERVAL] = "interval",  [SPREAD_MEANS] = "means",
	    [SPREAD_VARIANT] = "variant", [SPREAD_NONE] = "deterministic",
	};

	return tokens[source];
}

/* What two samples, or one, say about the spread of a run. */
struct spread {
	enum spread_source source;
	uint64_t n; /* of the smaller side */
	double sd, df;
	double shown;
	bool logs; /* sd is that of logarithms */
	const char *reason;
};

static struct spread spread_unknown(const char *reason)
{
	return (struct spread){.sd = NAN, .df = NAN, .shown = NAN, .reason = reason};
}

static double relative(const struct sample *s)
{
	return s->mean != 0 ? s->sd / fabs(s->mean) : NAN;
}

/* What N runs a side show with 80 %, where a run varies by SD and ranks are compared. */
static double visible_with(double n, double sd, double alpha)
{
	double se = sd * sqrt(2 / n) * sqrt(POWER_RANK_FACTOR);

	return expm1(smallest_visible(se, 2 * n - 2, alpha, POWER_AIM));
}

static struct spread spread_of_one(const struct sample *s, double alpha)
{
	if (!s->n)
		return spread_unknown(s->reason ? s->reason : "it has no values");
	if (s->upper_bound)
		return spread_unknown(bounded);
	if (s->n < 2)
		return spread_unknown("one run does not show how much runs vary");
	if (isnan(s->sd))
		return spread_unknown("its standard deviation is not known");
	if (s->sd == 0)
		return (struct spread){.source = SPREAD_NONE, .n = s->n, .sd = 0, .shown = 0};
	if (s->mean == 0)
		return spread_unknown("its mean is 0, so that there is no relative change");
	return (struct spread){
	    .source = SPREAD_VARIANT,
	    .n = s->n,
	    .sd = relative(s),
	    .df = (double)s->n - 1,
	    .shown = visible_with((double)s->n, relative(s), alpha),
	    .logs = true,
	};
}

static struct spread spread_of_means(const struct sample *a, const struct sample *b,
				     const struct judgement *j)
{
	double sd = sqrt((relative(a) * relative(a) + relative(b) * relative(b)) / 2);

	if (a->sd == 0 && b->sd == 0)
		return (struct spread){.source = SPREAD_NONE, .n = a->n < b->n ? a->n : b->n};
	if (!isfinite(sd))
		return spread_unknown("a side's mean is 0, so that there is no relative change");
	return (struct spread){
	    .source = SPREAD_MEANS,
	    .n = a->n < b->n ? a->n : b->n,
	    .sd = sd,
	    .df = (double)(a->n + b->n) - 2,
	    .shown = j->smallest_visible > 0 ? j->smallest_visible : NAN,
	    .logs = true,
	};
}

static struct judge_side side_of(const struct sample *s)
{
	return s->summary ? (struct judge_side){.n = s->n, .mean = s->mean, .sd = s->sd}
			  : (struct judge_side){.values = s->series.values, .n = s->n};
}

static struct spread spread_of_two(const struct sample *a, const struct sample *b, bool paired,
				   double alpha)
{
	const struct judge_rules rules = {
	    .alpha = alpha,
	    .level = 1 - SPREAD_LEVEL,
	    .same_level = 1 - SPREAD_LEVEL,
	    .margin = 0.01,
	    .gate = -1,
	};
	struct judge_data data = {side_of(a), side_of(b), paired};
	struct judgement j;

	if (!a->n || !b->n)
		return spread_unknown(!a->n && a->reason ? a->reason
				      : b->reason        ? b->reason
							 : "no block has a value on both sides");
	if (a->upper_bound || b->upper_bound)
		return spread_unknown(bounded);
	if (a->n < 2 || b->n < 2)
		return spread_unknown("one run a side does not show how much runs vary");
	if (a->summary && (isnan(a->sd) || isnan(b->sd)))
		return spread_unknown("a side's standard deviation is not known");
	int r = judge(&j, &data, &rules, JUDGE_ALL);

	if (r)
		return spread_unknown(r == -ENOMEM ? "out of memory"
						   : "the values cannot be computed with");
	if (j.method == JUDGE_EXACT)
		return (struct spread){.source = SPREAD_NONE, .n = a->n < b->n ? a->n : b->n};
	bool ratio = j.unit == JUDGE_RATIO;
	double low = ratio ? log1p(j.change.low) : j.change.low;
	double high = ratio ? log1p(j.change.high) : j.change.high;
	double n = 2 / (1 / (double)a->n + 1 / (double)b->n);
	double sd = sd_of_interval(low, high, (size_t)n, SPREAD_LEVEL);

	/* Fieller's interval has degrees of freedom of its own; ties leave no width, too few runs
	 * no end. */
	if ((j.method != JUDGE_RANK && j.method != JUDGE_MANN_WHITNEY) || !(sd > 0))
		return spread_of_means(a, b, &j);
	return (struct spread){
	    .source = SPREAD_INTERVAL,
	    .n = a->n < b->n ? a->n : b->n,
	    .sd = sd,
	    .df = (double)(a->n + b->n) - 2,
	    .shown = j.smallest_visible,
	    .logs = ratio,
	};
}

static int take_two(const struct forecast *f, size_t variant, const char *metric,
		    struct spread *out)
{
	const struct record *record = f->record;
	struct analyse_source sources[2] = {{record, 0}, {record, variant}};
	struct analyse_side sides[2] = {{record->variants[0].name, &sources[0], 1},
					{record->variants[variant].name, &sources[1], 1}};
	bool paired = record->plan.interleaved && !record->summaries;
	struct sample a, b;

	if (sample_take(&a, &sides[0], metric))
		return -ENOMEM;
	if (sample_take(&b, &sides[1], metric)) {
		sample_release(&a);
		return -ENOMEM;
	}
	if (paired) {
		series_pair(&a.series, &b.series);
		a.n = b.n = a.series.n;
	}
	*out = spread_of_two(&a, &b, paired, f->alpha);
	sample_release(&a);
	sample_release(&b);
	return 0;
}

static int take_one(const struct forecast *f, const char *metric, struct spread *out)
{
	struct analyse_source source = {f->record, 0};
	struct analyse_side side = {f->record->variants[0].name, &source, 1};
	struct sample s;

	if (sample_take(&s, &side, metric))
		return -ENOMEM;
	*out = spread_of_one(&s, f->alpha);
	sample_release(&s);
	return 0;
}

/* The larger spread of X and Y: any known one is larger than none. */
static bool is_noisier(const struct spread *x, const struct spread *y)
{
	if (x->source == SPREAD_UNKNOWN || y->source == SPREAD_UNKNOWN)
		return y->source == SPREAD_UNKNOWN;
	return x->sd > y->sd;
}

static int take_spread(const struct forecast *f, struct forecast_metric *m, struct spread *spread)
{
	int r;

	if (f->record->n_variants < 2)
		return take_one(f, m->name, spread);
	m->variant = 1;
	r = take_two(f, 1, m->name, spread);
	for (size_t v = 2; v < f->record->n_variants && !r; v++) {
		struct spread other;

		r = take_two(f, v, m->name, &other);
		if (r || !is_noisier(&other, spread))
			continue;
		*spread = other;
		m->variant = v;
	}
	return r;
}

/* The time that a block takes for VARIANT: with scopes it is run twice. */
static double mean_duration(const struct record *record, size_t variant)
{
	struct analyse_source source = {record, variant};
	struct analyse_side side = {record->variants[variant].name, &source, 1};
	double sum = 0, mean = NAN;
	size_t n = 0;
	struct sample s;

	for (size_t i = 0; i < record->n_runs; i++) {
		const struct record_run *run = &record->runs[i];

		if (run->warmup || run->variant != variant || run->outcome != RUN_OK)
			continue;
		sum += (double)run->duration_ns;
		n++;
	}
	if (sum > 0)
		return sum / (double)n / 1e9 * (double)record_block_runs(record) /
		       (double)record->n_variants;
	/* Other tools' files have it as a metric only. */
	if (sample_take(&s, &side, "duration_time"))
		return NAN;
	long index = metric_find(&record->metrics, "duration_time");

	if (s.n && index >= 0 && !strcmp(record->metrics.v[index].unit, "ns"))
		mean = s.mean / 1e9;
	sample_release(&s);
	return mean;
}

/* Where events take turns, a metric has a value in one block of so many. */
static size_t turns_of(const struct record *record, const struct metric *m)
{
	return m->group >= 0 && record->plan.groups > 1 ? (size_t)record->plan.groups : 1;
}

static void plan_metric(const struct forecast *f, struct forecast_metric *m,
			const struct metric *metric, const struct spread *s)
{
	double delta = s->logs ? log1p(f->effect) : f->effect;
	size_t turns = turns_of(f->record, metric);

	m->source = s->source;
	m->n = s->n;
	m->sd = s->sd;
	m->shown = s->shown;
	m->reason = s->reason;
	m->inflation = NAN;
	if (s->source == SPREAD_NONE) {
		m->runs = (struct run_plan){2 * turns, 2 * turns, 2 * (double)turns};
		m->inflation = 1;
	} else if (s->source != SPREAD_UNKNOWN) {
		m->inflation = pilot_inflation_of(s->df);
		if (plan_runs(&m->runs, delta, s->sd * m->inflation, f->alpha)) {
			m->runs = (struct run_plan){0};
			m->reason = "it would take more than 1,000,000,000 runs";
		}
		m->runs.fixed *= turns;
		m->runs.max_blocks *= turns;
		m->runs.expected *= (double)turns;
	}
}

static int fill_metric(struct forecast *f, size_t index)
{
	const struct metric *metric = &f->record->metrics.v[index];
	struct forecast_metric *m = &f->metrics[f->n_metrics++];
	struct spread spread;

	*m = (struct forecast_metric){
	    .name = metric->name,
	    .event = metric->event ? metric->event : metric->name,
	    .unit = metric->unit,
	    .block_seconds = NAN,
	};
	if (take_spread(f, m, &spread))
		return -ENOMEM;
	plan_metric(f, m, metric, &spread);
	/* A comparison takes two variants, also where one was measured. */
	m->block_seconds =
	    mean_duration(f->record, m->baseline) + mean_duration(f->record, m->variant);
	return 0;
}

/* The index of the metric that the closing sentence is about, -1 with a message in ERR. */
static long choose_primary(const struct record *record, const char *asked, char *err,
			   size_t err_size)
{
	long index = asked ? metric_find(&record->metrics, asked) : record->primary;

	if (asked && index < 0)
		snprintf(err, err_size, "--primary: no metric '%s' in these results", asked);
	return asked || index >= 0 ? index : 0;
}

/* Of a scope, the total is what can be tested. */
static bool is_planned(const struct metric *m)
{
	return m->shown && (m->source != METRIC_SCOPE || (m->part == PART_TOTAL && m->cpu < 0));
}

int forecast_make(struct forecast *f, const struct record *record, const char *primary,
		  double effect, double alpha, char *err, size_t err_size)
{
	int r = 0;

	*f = (struct forecast){.record = record, .effect = effect, .alpha = alpha};
	if (isnan(alpha))
		f->alpha = record->plan.alpha > 0 ? record->plan.alpha : 0.05;
	if (!record->metrics.n || !record->n_variants) {
		snprintf(err, err_size, "nothing was measured in these results");
		return -ENODATA;
	}
	long chosen = choose_primary(record, primary, err, err_size);

	if (chosen < 0)
		return -ENOENT;
	f->metrics = calloc(record->metrics.n + 1, sizeof(*f->metrics));
	if (!f->metrics)
		r = -ENOMEM;
	for (size_t i = 0; i < record->metrics.n && !r; i++) {
		if (chosen == (long)i)
			f->primary = f->n_metrics;
		if (is_planned(&record->metrics.v[i]) || chosen == (long)i)
			r = fill_metric(f, i);
	}
	if (r)
		snprintf(err, err_size, "out of memory");
	else
		f->metrics[f->primary].primary = true;
	return r;
}

void forecast_release(struct forecast *f)
{
	free(f->metrics);
	*f = (struct forecast){0};
}

/* " (about 12 min)", or nothing. */
static const char *about(char *buf, size_t size, double seconds)
{
	char span[FORMAT_SIZE];

	*buf = '\0';
	if (!isnan(seconds))
		snprintf(buf, size, " (about %s)", format_span(span, sizeof(span), seconds));
	return buf;
}

static int describe_runs(char **text, const struct forecast_metric *m, const char *effect)
{
	char fixed[FORMAT_SIZE + 16], expected[FORMAT_SIZE + 16], count[FORMAT_SIZE];

	about(fixed, sizeof(fixed), m->block_seconds * (double)m->runs.fixed);
	about(expected, sizeof(expected), m->block_seconds * m->runs.expected);
	format_count(count, sizeof(count), (uint64_t)ceil(m->runs.expected));
	return asprintf(text,
			"To see a change of %s of %s in 8 of 10 comparisons, use -r %zu%s; or "
			"--max-runs %zu, which "
			"stops after about %s blocks%s where there is such a change.",
			effect, m->name, m->runs.fixed, fixed, m->runs.max_blocks, count, expected);
}

char *forecast_sentence(const struct forecast *f)
{
	const struct forecast_metric *m = &f->metrics[f->primary];
	char effect[FORMAT_SIZE], *text;
	int r;

	format_fraction(effect, sizeof(effect), f->effect);
	if (m->reason)
		r = asprintf(&text, "How many runs it takes to see %s of %s is not known: %s.",
			     effect, m->name, m->reason);
	else if (m->source == SPREAD_NONE)
		r = asprintf(&text,
			     "%s is deterministic in these results: every run has the same value, "
			     "so %zu runs "
			     "suffice to see any change.",
			     m->name, m->runs.fixed);
	else
		r = describe_runs(&text, m, effect);
	return r < 0 ? NULL : text;
}
