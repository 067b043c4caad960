/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same comparison on several machines.
 *
 *   records → a report each → the primary metric's changes, a row a machine → a combined row →
 * sentence
 *
 * The result is a report like any other, whose rows are machines instead of metrics, so that every
 * format shows it.
 */
#include "machines.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse.h"
#include "combine.h"
#include "command.h"
#include "dist.h"
#include "format.h"
#include "multiple.h"
#include "output.h"
#include "report.h"

/* Between machines, heterogeneity with a p below this is more than chance. */
#define HETEROGENEITY_P 0.1

struct machines {
	struct side_list *list;
	struct judge_options judge; /* with the primary metric that all are judged by */
	size_t n;
	struct report *parts; /* one a machine */
	size_t *primary;      /* of each part: the index of its primary metric */
	char **names;
	struct report report;
	struct combined *combined; /* one a comparison; k is 0 where there is none */
	char *err;
	size_t err_size;
};

static int no_memory(struct machines *m)
{
	snprintf(m->err, m->err_size, "out of memory");
	return STATUS_CANNOT_MEASURE;
}

/* Host names, or where two are the same, the files. */
static int name_machines(struct machines *m)
{
	bool unique = true;

	for (size_t i = 0; i < m->n; i++)
		for (size_t k = 0; k < i; k++) {
			const char *a = m->list->records[i]->machine.hostname;
			const char *b = m->list->records[k]->machine.hostname;

			unique &= a && b && strcmp(a, b) != 0;
		}
	for (size_t i = 0; i < m->n; i++) {
		const char *slash = strrchr(m->list->files[i]->path, '/');
		const char *file = slash ? slash + 1 : m->list->files[i]->path;

		m->names[i] = strdup(unique ? m->list->records[i]->machine.hostname : file);
		if (!m->names[i])
			return no_memory(m);
	}
	return 0;
}

static int judge_parts(struct machines *m)
{
	for (size_t i = 0; i < m->n; i++) {
		char why[500];
		int status = analyse_record(&m->parts[i], m->list->records[i], &m->judge, true,
					    ANALYSE_ALL, why, sizeof(why));
		long primary = report_primary(&m->parts[i]);

		if (status) {
			snprintf(m->err, m->err_size, "%s: %s", m->list->files[i]->path, why);
			return status;
		}
		if (primary < 0 || !m->parts[i].n_comparisons) {
			snprintf(
			    m->err, m->err_size,
			    "%s holds one variant, and no comparison: 'abstat diff' compares files",
			    m->list->files[i]->path);
			return STATUS_USAGE;
		}
		m->primary[i] = (size_t)primary;
		m->judge.primary = m->parts[i].metrics[primary].name;
	}
	return 0;
}

/* The comparison in part I that is number C of the first. NULL: there is none. */
static const struct report_comparison *find_comparison(const struct machines *m, size_t i, size_t c)
{
	const struct report *first = &m->parts[0], *part = &m->parts[i];
	const struct report_comparison *wanted = &first->comparisons[c];

	for (size_t k = 0; k < part->n_comparisons; k++) {
		const struct report_comparison *found = &part->comparisons[k];

		if (!strcmp(part->variants[found->baseline].name,
			    first->variants[wanted->baseline].name) &&
		    !strcmp(part->variants[found->variant].name,
			    first->variants[wanted->variant].name))
			return found;
	}
	return NULL;
}

/* The standard error of the logarithm of a ratio, from its interval. False where there is none. */
static bool log_error(const struct report_change *c, double *estimate, double *se)
{
	bool by_t = c->method == METHOD_WELCH || c->method == METHOD_SUMMARY;
	double upper = 1 - (1 - c->level) / 2, q;

	if (c->absolute || !isfinite(c->low) || !isfinite(c->high) || !(c->low > -1) ||
	    !(c->estimate > -1))
		return false;
	q = by_t ? dist_t_quantile(upper, c->welch.df) : dist_normal_quantile(upper);
	*estimate = log1p(c->estimate);
	*se = (log1p(c->high) - log1p(c->low)) / (2 * q);
	return isfinite(*se) && *se > 0;
}

/* Machines whose changes point in opposite directions, by more than chance, have no effect in
 * common. */
static bool machines_disagree(const struct report_change *rows, size_t n, const struct combined *c)
{
	bool up = false, down = false, surely_up = false, surely_down = false;

	for (size_t i = 0; i < n; i++) {
		up |= rows[i].estimate > 0;
		down |= rows[i].estimate < 0;
		surely_up |= rows[i].low > 0;
		surely_down |= rows[i].high < 0;
	}
	return up && down && ((surely_up && surely_down) || (c->k && c->q_p < HETEROGENEITY_P));
}

/* One-sided p of an effect beyond FRACTION, from the combined estimate. */
static double beyond(const struct combined *c, double fraction, bool above)
{
	double t = (c->estimate - log1p(fraction)) / c->se;

	return dist_t_tail(above ? t : -t, (double)c->k - 1);
}

/* Combines the rows of a comparison. *C has k = 0 where that is not possible. */
static int combine_rows(struct machines *m, const struct report_change *rows, struct combined *c,
			double level)
{
	double *values = calloc(2 * m->n, sizeof(*values));
	size_t k = 0;
	int r;

	*c = (struct combined){0};
	if (!values)
		return no_memory(m);
	for (size_t i = 0; i < m->n; i++)
		k += log_error(&rows[i], &values[k], &values[m->n + k]);
	r = k == m->n ? combine(c, values, values + m->n, k, level) : -EDOM;
	free(values);
	if (r)
		*c = (struct combined){0};
	return 0;
}

/* The combined row. P is adjusted for the number of comparisons. */
static void fill_combined(struct report_comparison *to, struct report_change *row,
			  const struct combined *c, const struct report_change *first,
			  enum direction direction, double p)
{
	double margin = first->equivalence.margin;
	bool larger_better = direction == DIRECTION_HIGHER;
	double same = fmax(beyond(c, -margin, true), beyond(c, margin, false));

	to->heterogeneity.machines = c->k;
	to->heterogeneity.q = c->q;
	to->heterogeneity.p = c->q_p;
	to->heterogeneity.i2 = c->i2;
	to->heterogeneity.tau2 = c->tau2;
	row->n = row->n_baseline = row->n_variant = c->k;
	row->estimate = expm1(c->estimate);
	row->low = expm1(c->low);
	row->high = expm1(c->high);
	row->level = 1 - first->alpha;
	row->method = METHOD_COMBINED;
	row->p = c->p;
	row->p_adjusted = p;
	row->alpha = first->alpha;
	row->equivalence.margin = margin;
	row->equivalence.p = same;
	row->within_margin = same <= first->alpha;
	if (p <= first->alpha && direction == DIRECTION_NEUTRAL)
		row->verdict = VERDICT_CHANGED;
	else if (p <= first->alpha)
		row->verdict = (c->estimate > 0) == larger_better ? VERDICT_BETTER : VERDICT_WORSE;
	else
		row->verdict = same <= first->alpha ? VERDICT_SAME : VERDICT_UNCLEAR;
}

static void fill_gate(struct report_comparison *to, const struct report_comparison *first,
		      const struct combined *c, enum direction direction, double alpha)
{
	double threshold = direction == DIRECTION_HIGHER ? -first->gate_margin : first->gate_margin;

	to->gate = first->gate == GATE_NONE ? GATE_NONE : GATE_UNCLEAR;
	if (to->gate == GATE_NONE || !c->k)
		return;
	to->gate_margin = first->gate_margin;
	to->gate_metric = first->gate_metric;
	to->gate_p_worse = beyond(c, threshold, direction != DIRECTION_HIGHER);
	to->gate_p_ruled_out = 1 - to->gate_p_worse;
	if (to->gate_p_worse <= alpha)
		to->gate = GATE_WORSE;
	else if (to->gate_p_ruled_out <= alpha)
		to->gate = GATE_PASSED;
}

static void nothing_known(struct report_change *c)
{
	*c = (struct report_change){
	    .estimate = NAN,
	    .low = NAN,
	    .high = NAN,
	    .level = NAN,
	    .p = NAN,
	    .p_adjusted = NAN,
	    .alpha = NAN,
	    .welch = {NAN, NAN, NAN, NAN, NAN, NAN, NAN},
	    .equivalence = {NAN, NAN, NAN, NAN, NAN},
	    .ruled_out_above = NAN,
	    .smallest_visible = NAN,
	    .runs_needed = NAN,
	};
}

static int fill_comparison(struct machines *m, size_t c)
{
	const struct report_comparison *first = &m->parts[0].comparisons[c];
	struct report_comparison *to = &m->report.comparisons[c];

	*to = (struct report_comparison){
	    .baseline = first->baseline,
	    .variant = first->variant,
	    .interleaved = first->interleaved,
	    .gate_margin = NAN,
	    .gate_p_worse = NAN,
	    .gate_p_ruled_out = NAN,
	    .changes = calloc(m->n + 1, sizeof(*to->changes)),
	};
	if (!to->changes)
		return no_memory(m);
	m->report.n_comparisons++;
	for (size_t i = 0; i < m->n; i++) {
		const struct report_comparison *found = find_comparison(m, i, c);

		if (!found) {
			snprintf(
			    m->err, m->err_size,
			    "%s and %s do not hold the same comparison: '%s' is in the first only",
			    m->list->files[0]->path, m->list->files[i]->path,
			    m->parts[0].variants[first->variant].name);
			return STATUS_USAGE;
		}
		to->changes[i] = found->changes[m->primary[i]];
		to->interleaved &= found->interleaved;
	}
	nothing_known(&to->changes[m->n]);
	return combine_rows(m, to->changes, &m->combined[c], 1 - to->changes[0].alpha);
}

/* "+5.0 % on a, −4.8 % on b". Returns false if out of memory. */
static bool list_changes(FILE *out, const struct machines *m, const struct report_change *rows)
{
	for (size_t i = 0; i < m->n; i++) {
		struct format_change change = {rows[i].absolute, m->report.metrics[i].unit,
					       rows[i].estimate, rows[i].low, rows[i].high};
		char text[FORMAT_SIZE];

		fprintf(out, "%s%s on %s", i ? i + 1 == m->n ? " and " : ", " : "",
			isnan(rows[i].estimate) ? "without a value"
						: format_change(text, sizeof(text), &change),
			m->names[i]);
	}
	return !ferror(out);
}

static void put_heterogeneity(FILE *out, const struct combined *c)
{
	char p[FORMAT_SIZE];

	fprintf(out,
		". Random effects over %zu machines; heterogeneity Q = %.2f, p %s%s, I² = %.0f %%: "
		"they ",
		c->k, c->q, c->q_p < 0.0001 ? "" : "= ", format_p(p, sizeof(p), c->q_p),
		100 * c->i2);
	fputs(c->q_p < HETEROGENEITY_P ? "differ by more than their own errors explain."
				       : "differ by no more than their own errors explain.",
	      out);
	if (c->k < 5)
		fprintf(out,
			" With %zu machines the spread between machines is hardly known, and the "
			"interval is wide for "
			"it.",
			c->k);
}

static void put_combined(FILE *out, const struct machines *m, const struct report_comparison *c,
			 const struct combined *combined)
{
	static const char *const verdicts[] = {
	    [VERDICT_NONE] = "is not judged against",
	    [VERDICT_BETTER] = "is better than",
	    [VERDICT_WORSE] = "is worse than",
	    [VERDICT_CHANGED] = "is changed against",
	    [VERDICT_SAME] = "is the same as",
	    [VERDICT_UNCLEAR] = "is not clearly different from",
	};
	const struct report_change *row = &c->changes[m->n];
	struct format_change change = {false, "", row->estimate, row->low, row->high};
	char a[REPORT_LABEL_SIZE], b[REPORT_LABEL_SIZE], text[FORMAT_SIZE], interval[FORMAT_SIZE],
	    p[FORMAT_SIZE];

	fprintf(out, "On all machines together, %s %s %s: %s %s %s, p %s%s",
		report_label(&m->report, c->variant, b), verdicts[row->verdict],
		report_label(&m->report, c->baseline, a), m->report.metrics[0].event,
		format_change(text, sizeof(text), &change),
		format_interval(interval, sizeof(interval), &change),
		row->p_adjusted < 0.0001 ? "" : "= ", format_p(p, sizeof(p), row->p_adjusted));
	put_heterogeneity(out, combined);
}

static int compose(struct machines *m, size_t i, bool disagree)
{
	struct report_comparison *c = &m->report.comparisons[i];
	size_t size;
	FILE *out = open_memstream(&c->sentence, &size);
	char a[REPORT_LABEL_SIZE], b[REPORT_LABEL_SIZE];

	if (!out)
		return no_memory(m);
	if (!disagree && m->combined[i].k) {
		put_combined(out, m, c, &m->combined[i]);
	} else {
		fprintf(out,
			disagree ? "The machines disagree on %s against %s: %s is "
				 : "The machines cannot be combined on %s against %s: %s is ",
			report_label(&m->report, c->variant, b),
			report_label(&m->report, c->baseline, a), m->report.metrics[0].event);
		list_changes(out, m, c->changes);
		fputs(
		    disagree
			? ". No single number is true of all of them, so there is none."
			: ". Without an interval of a ratio on each there is no combined estimate.",
		    out);
	}
	return fclose(out) ? no_memory(m) : 0;
}

/* Judges the combined rows, as one family. */
static int judge_combined(struct machines *m)
{
	size_t n = m->report.n_comparisons, k = 0, used = 0;
	enum direction direction = m->report.metrics[0].direction;
	double *p = calloc(n + 1, sizeof(*p));
	int status = p ? 0 : no_memory(m);

	for (size_t i = 0; i < n && !status; i++)
		if (m->combined[i].k)
			p[k++] = m->combined[i].p;
	if (!status && k && holm_adjust(p, k, p))
		status = no_memory(m);
	for (size_t i = 0; i < n && !status; i++) {
		struct report_comparison *c = &m->report.comparisons[i];
		bool disagree = machines_disagree(c->changes, m->n, &m->combined[i]);
		double adjusted = m->combined[i].k ? p[used++] : NAN;

		if (m->combined[i].k && !disagree)
			fill_combined(c, &c->changes[m->n], &m->combined[i], &c->changes[0],
				      direction, adjusted);
		else
			c->changes[m->n].reason =
			    disagree ? "the machines disagree"
				     : "not on every machine a ratio with an interval";
		c->verdict = c->changes[m->n].verdict;
		fill_gate(c, &m->parts[0].comparisons[i],
			  disagree ? &(struct combined){0} : &m->combined[i], direction,
			  c->changes[0].alpha);
		status = compose(m, i, disagree);
	}
	free(p);
	return status;
}

/* Rows: the machines, and all of them together. */
static int fill_rows(struct machines *m)
{
	struct report *r = &m->report;
	const struct report *first = &m->parts[0];
	const struct report_metric *metric = &first->metrics[m->primary[0]];

	r->record = first->record;
	r->metrics = calloc(m->n + 1, sizeof(*r->metrics));
	r->variants = calloc(first->n_variants + 1, sizeof(*r->variants));
	r->comparisons = calloc(first->n_comparisons + 1, sizeof(*r->comparisons));
	r->records = calloc(m->n + 1, sizeof(*r->records));
	if (!r->metrics || !r->variants || !r->comparisons || !r->records)
		return no_memory(m);
	for (size_t i = 0; i <= m->n; i++) {
		r->metrics[r->n_metrics] = *metric;
		r->metrics[r->n_metrics].name = i < m->n ? m->names[i] : "all machines";
		r->metrics[r->n_metrics].event = metric->name;
		r->metrics[r->n_metrics].beside = NULL;
		r->metrics[r->n_metrics].primary = i == m->n;
		r->metrics[r->n_metrics++].shown = true;
		if (i < m->n)
			r->records[r->n_records++] = m->list->records[i];
	}
	r->n_machines = m->n;
	for (size_t v = 0; v < first->n_variants; v++) {
		struct report_variant *to = &r->variants[v];

		*to = (struct report_variant){.name = first->variants[v].name,
					      .command = first->variants[v].command,
					      .argv = first->variants[v].argv,
					      .cells = calloc(m->n + 1, sizeof(*to->cells))};
		r->n_variants++;
		if (!to->cells)
			return no_memory(m);
		for (size_t i = 0; i < m->n; i++)
			for (size_t k = 0; k < m->parts[i].n_variants; k++) {
				const struct report_variant *from = &m->parts[i].variants[k];

				if (strcmp(from->name, to->name) != 0)
					continue;
				to->cells[i] = from->cells[m->primary[i]];
				to->runs += from->runs;
				to->failed += from->failed;
			}
	}
	return 0;
}

/* What was said of each machine's runs is said with its name. */
static int gather_warnings(struct machines *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct machine *host = &m->list->records[i]->machine;
		const struct report *part = &m->parts[i];

		if (record_note(&m->list->files[0]->record, "%s: %s, kernel %s", m->names[i],
				host->cpu_model ? host->cpu_model : "CPU unknown",
				host->kernel ? host->kernel : "unknown"))
			return no_memory(m);
		for (size_t k = 0; k < part->n_warnings; k++)
			if (report_warn(&m->report, part->warnings[k].code,
					part->warnings[k].metric, "%s: %s", m->names[i],
					part->warnings[k].text))
				return no_memory(m);
	}
	return 0;
}

static int build(struct machines *m)
{
	int status = name_machines(m);

	if (!status)
		status = judge_parts(m);
	if (!status)
		status = fill_rows(m);
	m->combined = calloc(m->parts[0].n_comparisons + 1, sizeof(*m->combined));
	if (!status && !m->combined)
		status = no_memory(m);
	for (size_t c = 0; c < m->parts[0].n_comparisons && !status; c++)
		status = fill_comparison(m, c);
	if (!status)
		status = judge_combined(m);
	if (!status)
		status = gather_warnings(m);
	for (size_t i = 0; i < m->report.n_comparisons && !status; i++) {
		enum gate_result gate = m->report.comparisons[i].gate;

		if (gate == GATE_WORSE)
			m->report.status = STATUS_WORSE;
		else if (gate == GATE_UNCLEAR && m->report.status != STATUS_WORSE)
			m->report.status = m->judge.unclear_status;
	}
	return status;
}

int machines_judge(struct side_list *list, const struct judge_options *judge,
		   const struct output_options *output, char *err, size_t err_size)
{
	struct machines m = {
	    .list = list, .judge = *judge, .n = list->n_files, .err = err, .err_size = err_size};
	int status;

	report_init(&m.report);
	m.parts = calloc(m.n, sizeof(*m.parts));
	m.primary = calloc(m.n, sizeof(*m.primary));
	m.names = calloc(m.n, sizeof(*m.names));
	status = m.parts && m.primary && m.names ? build(&m) : no_memory(&m);
	if (!status) {
		status = m.report.status;
		if (output_report(&m.report, output, err, err_size))
			status = STATUS_CANNOT_MEASURE;
	}
	report_release(&m.report);
	for (size_t i = 0; i < m.n; i++) {
		if (m.parts)
			report_release(&m.parts[i]);
		if (m.names)
			free(m.names[i]);
	}
	free(m.parts);
	free(m.primary);
	free(m.names);
	free(m.combined);
	return status;
}
