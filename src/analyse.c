/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Analysing.
 *
 *   records → sides → metrics that they share → a cell a side and metric → comparisons → warnings, sentences, status
 */
#include "analyse.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse-compare.h"
#include "analyse-pairs.h"
#include "analyse-sample.h"
#include "analyse-scopes.h"
#include "analyse-scope-warn.h"
#include "analyse-warn.h"
#include "command.h"
#include "dist.h"
#include "sentence.h"
#include "summary.h"

static bool has_metric(const struct analyse_side *side, const char *name)
{
	for (size_t i = 0; i < side->n_sources; i++) {
		const struct metric_list *list = &side->sources[i].record->metrics;

		for (size_t k = 0; k < list->n; k++)
			if (!strcmp(list->v[k].name, name))
				return true;
	}
	return false;
}

static bool is_taken(const struct report *report, const char *name)
{
	for (size_t i = 0; i < report->n_metrics; i++)
		if (!strcmp(report->metrics[i].name, name))
			return true;
	return false;
}

/* Where nothing is compared, a built-in ratio is a note on the row of its event, and no row of its own. */
static void add_metric(struct report *report, const struct metric *m, bool compare)
{
	report->metrics[report->n_metrics++] = (struct report_metric){
		.name = m->name,
		.event = m->event,
		.unit = m->unit,
		.direction = m->direction,
		.source = m->source,
		.formula = m->formula,
		.beside = m->beside,
		.note = m->note,
		.shown = m->shown && (compare || !m->beside),
		.margin = m->margin,
		.probed = m->probed,
		.scope = m->scope,
		.of = m->of,
		.part = m->part,
		.on_cpu = m->cpu >= 0,
		.cpu = m->cpu,
	};
}

/* The metrics of all records, those of the first one first. */
static int list_metrics(struct report *report, const struct analyse_input *in)
{
	size_t most = 0;

	for (size_t i = 0; i < in->n_records; i++)
		most += in->records[i]->metrics.n;
	report->metrics = calloc(most + 1, sizeof(*report->metrics));
	if (!report->metrics)
		return -ENOMEM;
	for (size_t i = 0; i < in->n_records; i++)
		for (size_t k = 0; k < in->records[i]->metrics.n; k++) {
			const struct metric *m = &in->records[i]->metrics.v[k];

			/* The first record's names are unique: only later ones are looked up. */
			if (i == 0 || !is_taken(report, m->name))
				add_metric(report, m, in->compare);
		}
	return 0;
}

static bool is_common(const struct analyse_input *in, const char *name)
{
	for (size_t i = 0; i < in->n_sides; i++)
		if (!has_metric(&in->sides[i], name))
			return false;
	return true;
}

/* --primary, else the recorded one, else the first that all sides share. */
static int choose_primary(struct report *report, const struct analyse_input *in, char *err,
			  size_t err_size)
{
	const char *asked = in->judge->primary ? in->judge->primary : in->judge->gate_metric;
	const struct record *first = in->records[0];
	const char *recorded = first->primary >= 0 ? first->metrics.v[first->primary].name : NULL;
	struct report_metric *found = NULL;

	for (size_t pass = 0; pass < 2 && asked && !found; pass++)
		for (size_t i = 0; i < report->n_metrics && !found; i++) {
			struct report_metric *m = &report->metrics[i];

			if (!strcmp(pass ? m->event : m->name, asked))
				found = m;
		}
	if (asked && !found) {
		snprintf(err, err_size, "%s: no metric '%s' in these results",
			 in->judge->primary ? "--primary" : "--gate", asked);
		return -EINVAL;
	}
	for (size_t i = 0; i < report->n_metrics && !found && recorded; i++)
		if (!strcmp(report->metrics[i].name, recorded) && is_common(in, recorded))
			found = &report->metrics[i];
	for (size_t i = 0; i < report->n_metrics && !found; i++)
		if (is_common(in, report->metrics[i].name))
			found = &report->metrics[i];
	if (!found && in->compare) {
		snprintf(err, err_size,
			 "the results have no metric in common, so there is nothing to compare");
		return -EINVAL;
	}
	if (found)
		found->primary = true;
	return 0;
}

static int set_directions(struct report *report, const struct string_list *names,
			  enum direction direction, char *err, size_t err_size)
{
	for (size_t i = 0; i < names->n; i++) {
		bool found = false;

		for (size_t k = 0; k < report->n_metrics; k++)
			if (!strcmp(report->metrics[k].name, names->v[i]) ||
			    !strcmp(report->metrics[k].event, names->v[i])) {
				report->metrics[k].direction = direction;
				found = true;
			}
		if (!found) {
			snprintf(err, err_size, "--%s-is-better: no metric '%s' in these results",
				 direction == DIRECTION_HIGHER ? "higher" : "lower", names->v[i]);
			return -EINVAL;
		}
	}
	return 0;
}

static int check_margins(const struct report *report, const struct judge_options *judge, char *err,
			 size_t err_size)
{
	for (size_t i = 0; i < judge->n_margins; i++) {
		bool found = false;

		for (size_t k = 0; k < report->n_metrics && !found; k++)
			found = !strcmp(report->metrics[k].name, judge->margins[i].metric) ||
				!strcmp(report->metrics[k].event, judge->margins[i].metric);
		if (found)
			continue;
		snprintf(err, err_size, "--margin: no metric '%s' in these results",
			 judge->margins[i].metric);
		return -EINVAL;
	}
	return 0;
}

static void fill_interval(struct report_cell *cell)
{
	double sem = cell->sd / sqrt((double)cell->n);
	double half = cell->n > 1 ? dist_t_quantile(0.975, (double)cell->n - 1) * sem : NAN;

	cell->ci = (struct interval){cell->mean - half, cell->mean + half, 0.95};
	cell->sem_percent = cell->mean != 0 ? 100 * sem / fabs(cell->mean) : NAN;
}

static int fill_cell(struct report_cell *cell, const struct sample *s)
{
	struct summary sum;

	*cell = (struct report_cell){
		.n = s->n,
		.mean = s->mean,
		.sd = s->sd,
		.median = NAN,
		.min = NAN,
		.max = NAN,
		.running_percent = s->running_percent,
		.upper_bound = s->upper_bound,
		.missing = s->missing,
		.reason = s->reason,
	};
	int r = s->n && !s->summary ? summary_of(&sum, s->series.values, s->n, NULL) : -EDOM;

	if (r == 0) {
		cell->median = sum.median;
		cell->min = sum.min;
		cell->max = sum.max;
	}
	fill_interval(cell);
	return r == -ENOMEM ? r : 0;
}

static int fill_variant(struct report *report, struct report_variant *v,
			const struct analyse_side *side, bool cells)
{
	const struct record_variant *rv = &side->sources[0].record->variants[side->sources[0].variant];
	struct sample s;

	*v = (struct report_variant){
		.name = side->name,
		.command = rv->command,
		.argv = rv->argv,
		.cells = calloc(report->n_metrics + 1, sizeof(*v->cells)),
	};
	if (!v->cells)
		return -ENOMEM;
	for (size_t i = 0; i < report->n_metrics; i++) {
		if (!cells && i > 0)
			break;
		int r = sample_take(&s, side, report->metrics[i].name);

		if (r)
			return r;
		if (s.runs > v->runs)
			v->runs = s.runs;
		if (s.failed > v->failed)
			v->failed = s.failed;
		r = fill_cell(&v->cells[i], &s);
		sample_release(&s);
		if (r)
			return r;
	}
	return 0;
}

static int fill_variants(struct report *report, const struct analyse_input *in)
{
	report->variants = calloc(in->n_sides + 1, sizeof(*report->variants));
	if (!report->variants)
		return -ENOMEM;
	for (size_t i = 0; i < in->n_sides; i++) {
		int r;

		report->n_variants++;
		r = fill_variant(report, &report->variants[i], &in->sides[i], in->detail == ANALYSE_ALL);
		if (r)
			return r;
	}
	return 0;
}

static int check_gate(const struct report *report, const struct analyse_input *in, char *err,
		      size_t err_size)
{
	for (size_t i = 0; i < report->n_metrics && in->judge->gate; i++) {
		const struct report_metric *m = &report->metrics[i];

		if (!m->primary || m->direction != DIRECTION_NEUTRAL)
			continue;
		snprintf(err, err_size,
			 "--gate asks whether '%s' got worse, but neither more nor less of it is better: "
			 "say --lower-is-better or --higher-is-better '%s'",
			 m->name, m->name);
		return -EINVAL;
	}
	return 0;
}

static int compare(struct report *report, const struct analyse_input *in, char *err, size_t err_size)
{
	size_t *pairs, n;
	int r = check_gate(report, in, err, err_size);

	if (!r)
		r = analyse_pairs(in->sides, in->n_sides, in->judge, &pairs, &n, err, err_size);
	if (r)
		return r;
	r = compare_sides(report, in, pairs, n, err, err_size);
	free(pairs);
	if (!r && in->detail == ANALYSE_ALL)
		r = scopes_compare(report, in);
	for (size_t i = 0; i < report->n_comparisons && !r && in->detail == ANALYSE_ALL; i++)
		r = sentence_compose(&report->comparisons[i].sentence, report, &report->comparisons[i]);
	return r;
}

static void set_status(struct report *report, const struct judge_options *judge)
{
	for (size_t i = 0; i < report->n_comparisons; i++) {
		if (report->comparisons[i].gate == GATE_WORSE)
			report->status = STATUS_WORSE;
		else if (report->comparisons[i].gate == GATE_UNCLEAR && report->status != STATUS_WORSE)
			report->status = judge->unclear_status;
	}
}

int analyse(struct report *report, const struct analyse_input *in, char *err, size_t err_size)
{
	report_init(report);
	report->record = in->records[0];
	report->records = calloc(in->n_records + 1, sizeof(*report->records));
	for (size_t i = 0; report->records && i < in->n_records; i++)
		report->records[report->n_records++] = in->records[i];
	int r = report->records ? list_metrics(report, in) : -ENOMEM;

	if (!r)
		r = set_directions(report, &in->judge->higher, DIRECTION_HIGHER, err, err_size);
	if (!r)
		r = set_directions(report, &in->judge->lower, DIRECTION_LOWER, err, err_size);
	if (!r)
		r = check_margins(report, in->judge, err, err_size);
	if (!r)
		r = choose_primary(report, in, err, err_size);
	scopes_mark(report);
	if (!r)
		r = fill_variants(report, in);
	if (!r && in->detail == ANALYSE_ALL)
		scopes_hide_cpus(report);
	if (!r && in->detail == ANALYSE_ALL)
		scopes_drop_shares(report);
	if (!r && in->detail == ANALYSE_ALL)
		r = scopes_probing(report, in);
	if (!r && in->compare)
		r = compare(report, in, err, err_size);
	if (!r && in->detail == ANALYSE_ALL)
		r = warn_of_runs(report, in);
	if (!r && in->detail == ANALYSE_ALL)
		r = warn_of_scopes(report);
	if (r == -ENOMEM)
		snprintf(err, err_size, "out of memory");
	set_status(report, in->judge);
	return r == 0 ? 0 : r == -EINVAL ? STATUS_USAGE : STATUS_CANNOT_MEASURE;
}

int analyse_record(struct report *report, const struct record *record, const struct judge_options *judge,
		   bool compare_them, enum analyse_detail detail, char *err, size_t err_size)
{
	struct analyse_source *sources = calloc(record->n_variants + 1, sizeof(*sources));
	struct analyse_side *sides = calloc(record->n_variants + 1, sizeof(*sides));
	int r = STATUS_CANNOT_MEASURE;

	report_init(report);
	if (sources && sides) {
		for (size_t i = 0; i < record->n_variants; i++) {
			sources[i] = (struct analyse_source){record, i};
			sides[i] = (struct analyse_side){record->variants[i].name, &sources[i], 1};
		}
		r = analyse(report,
			    &(struct analyse_input){
				    .sides = sides,
				    .n_sides = record->n_variants,
				    .records = &record,
				    .n_records = 1,
				    .judge = judge,
				    .compare = compare_them,
				    .detail = detail,
			    },
			    err, err_size);
	} else {
		snprintf(err, err_size, "out of memory");
	}
	free(sources);
	free(sides);
	return r;
}
