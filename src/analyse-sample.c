/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples: one metric on one side. */
#include "analyse-sample.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "summary.h"

struct tally {
	size_t by_reason[NULL_REASONS];
	double enabled, running;
	const char *metric_reason;
};

static void count_readings(struct sample *s, const struct analyse_source *source, size_t metric,
			   const bool *failed, size_t n_failed, struct tally *t)
{
	const struct record *record = source->record;
	const struct metric *m = &record->metrics.v[metric];
	bool is_rss = m->source == METRIC_TOOL && m->slot == TOOL_MAX_RSS;

	if (m->reason)
		t->metric_reason = m->reason;
	for (size_t i = 0; i < record->n_runs; i++) {
		const struct record_run *run = &record->runs[i];
		const struct reading *r = record_reading(record, i, metric);

		/* A run that the user interrupted neither ended nor failed. */
		if (run->warmup || run->variant != source->variant || run->outcome == RUN_INTERRUPTED ||
		    !record_counts(record, i, metric))
			continue;
		s->runs++;
		s->failed += run->outcome != RUN_OK;
		if (run->block < n_failed && failed[run->block])
			continue;
		t->by_reason[r->reason < NULL_REASONS ? r->reason : NULL_UNKNOWN]++;
		t->enabled += (double)r->enabled;
		t->running += (double)r->running;
		s->upper_bound |= is_rss && run->rss_upper_bound;
	}
}

/* Adds all of FROM, which may be left empty, to the end of TO. */
static int append(struct series *to, struct series *from)
{
	size_t n = to->n + from->n;

	if (!to->values) {
		*to = *from;
		*from = (struct series){0};
		return 0;
	}
	double *values = reallocarray(to->values, n + 1, sizeof(*values));
	uint32_t *blocks = reallocarray(to->blocks, n + 1, sizeof(*blocks));
	size_t *runs = reallocarray(to->runs, n + 1, sizeof(*runs));

	to->values = values ? values : to->values;
	to->blocks = blocks ? blocks : to->blocks;
	to->runs = runs ? runs : to->runs;
	if (!values || !blocks || !runs)
		return -ENOMEM;
	if (from->n) {
		memcpy(values + to->n, from->values, from->n * sizeof(*values));
		memcpy(blocks + to->n, from->blocks, from->n * sizeof(*blocks));
		memcpy(runs + to->n, from->runs, from->n * sizeof(*runs));
	}
	to->n = n;
	return 0;
}

static void take_summary(struct sample *s, const struct analyse_source *source, size_t metric,
			 struct tally *t)
{
	const struct record *record = source->record;
	const struct record_summary *summary =
		&record->summaries[source->variant * record->metrics.n + metric];

	s->summary = true;
	s->n = s->runs = summary->n;
	s->mean = summary->mean;
	s->sd = summary->sd;
	s->sd_borrowed = summary->sd_borrowed;
	if (!isnan(summary->running)) {
		t->enabled = 1;
		t->running = summary->running;
	}
	if (isnan(summary->mean)) {
		s->n = 0;
		t->by_reason[summary->reason < NULL_REASONS ? summary->reason : NULL_UNKNOWN] = 1;
	}
}

static int take_source(struct sample *s, const struct analyse_source *source, const char *metric,
		       struct tally *t)
{
	long index = metric_find_counted(&source->record->metrics, metric);
	struct series series;
	size_t n_failed;

	if (index < 0)
		return 0;
	if (source->record->summaries) {
		take_summary(s, source, (size_t)index, t);
		return 0;
	}
	bool *failed = series_failed_blocks(source->record, &n_failed);

	if (!failed)
		return -ENOMEM;
	count_readings(s, source, (size_t)index, failed, n_failed, t);
	int r = series_take(&series, source->record, source->variant, (size_t)index, failed, n_failed);

	free(failed);
	if (r)
		return r;
	r = append(&s->series, &series);
	series_release(&series);
	return r;
}

static void explain(struct sample *s, const struct tally *t)
{
	size_t most = 0;

	/* That other runs counted other groups explains nothing where the event failed in its own turn. */
	if (t->by_reason[NULL_OTHER_GROUP]) {
		most = 1;
		s->missing = NULL_OTHER_GROUP;
	}
	for (size_t i = NULL_NONE + 1; i < NULL_REASONS; i++)
		if (i != NULL_OTHER_GROUP && t->by_reason[i] >= (most ? most : 1)) {
			most = t->by_reason[i];
			s->missing = (enum null_reason)i;
		}
	if (most)
		s->reason = t->metric_reason ? t->metric_reason : null_reason_text(s->missing);
	else if (!s->n)
		s->reason = s->runs ? "every run is in a block with a failed run" : "not measured here";
	s->running_percent = t->enabled > 0 ? 100 * t->running / t->enabled : NAN;
}

int sample_take(struct sample *s, const struct analyse_side *side, const char *metric)
{
	struct tally t = {0};

	*s = (struct sample){.mean = NAN, .sd = NAN, .running_percent = NAN};
	for (size_t i = 0; i < side->n_sources; i++) {
		int r = take_source(s, &side->sources[i], metric, &t);

		if (r) {
			sample_release(s);
			return r;
		}
	}
	if (!s->summary) {
		struct moments m;

		s->n = s->series.n;
		if (moments_of(&m, s->series.values, s->n) == 0) {
			s->mean = moments_mean(&m);
			s->sd = moments_sd(&m);
		}
	}
	explain(s, &t);
	return 0;
}

static bool same_boot(const struct record *a, const struct record *b)
{
	return a == b || (a->machine.boot_id && b->machine.boot_id &&
			  !strcmp(a->machine.boot_id, b->machine.boot_id));
}

/* The first source of SIDE that ran in the same boot as source I. */
static size_t first_of_boot(const struct analyse_side *side, size_t i)
{
	size_t k = 0;

	while (!same_boot(side->sources[k].record, side->sources[i].record))
		k++;
	return k;
}

size_t side_boots(const struct analyse_side *side)
{
	size_t n = 0;

	for (size_t i = 0; i < side->n_sources; i++)
		n += first_of_boot(side, i) == i;
	return n;
}

int sample_by_boot(struct sample *s, const struct analyse_side *side, const char *metric)
{
	struct moments *boots = calloc(side->n_sources, sizeof(*boots));
	size_t n = 0;
	int r = boots ? 0 : -ENOMEM;

	for (size_t i = 0; i < side->n_sources && !r; i++) {
		struct analyse_side one = {.sources = &side->sources[i], .n_sources = 1};
		struct moments m;
		struct sample part;

		r = sample_take(&part, &one, metric);
		if (r)
			break;
		if (!part.summary && moments_of(&m, part.series.values, part.n) == 0)
			r = moments_merge(&boots[first_of_boot(side, i)], &m);
		sample_release(&part);
	}
	for (size_t i = 0; i < side->n_sources && !r; i++)
		if (boots[i].n && n < s->series.n)
			s->series.values[n++] = moments_mean(&boots[i]);
	if (!r)
		s->series.n = s->n = n;
	free(boots);
	return r;
}

struct judge_side sample_side(const struct sample *s)
{
	return (struct judge_side){
		.values = s->summary ? NULL : s->series.values,
		.n = s->n,
		.mean = s->mean,
		.sd = s->summary ? s->sd : NAN,
	};
}

void sample_release(struct sample *s)
{
	series_release(&s->series);
}
