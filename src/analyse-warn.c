/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about the runs. */
#include "analyse-warn.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse-sample.h"
#include "diagnose.h"
#include "format.h"

/* Below this share of the time a scaled count is mostly a guess. */
#define SCALED_PERCENT 90.0
/* Shares of the variants that differ by more than this scale differently. */
#define SCALED_DIFFERENCE 5.0

struct sequence {
	double *values;
	size_t *groups;
	size_t n;
};

/* The values of METRIC of all sides that come from RECORD, in the order in which they were run. */
static int take_sequence(struct sequence *q, const struct analyse_input *in, const struct record *record,
			 size_t metric)
{
	size_t n_failed;
	bool *failed = series_failed_blocks(record, &n_failed);

	*q = (struct sequence){
		.values = calloc(record->n_runs + 1, sizeof(*q->values)),
		.groups = calloc(record->n_runs + 1, sizeof(*q->groups)),
	};
	if (!failed || !q->values || !q->groups) {
		free(failed);
		return -ENOMEM;
	}
	for (size_t i = 0; i < record->n_runs; i++) {
		const struct record_run *run = &record->runs[i];
		double value = record_reading(record, i, metric)->value;

		if (run->warmup || isnan(value) || failed[run->block] || !record_counts(record, i, metric))
			continue;
		for (size_t s = 0; s < in->n_sides; s++)
			if (in->sides[s].n_sources == 1 && in->sides[s].sources[0].record == record &&
			    in->sides[s].sources[0].variant == run->variant) {
				q->values[q->n] = value;
				q->groups[q->n++] = s;
				break;
			}
	}
	free(failed);
	return 0;
}

static int warn_of_order(struct report *report, const struct analyse_input *in,
			 const struct record *record, size_t index, const char *metric)
{
	struct sequence q;
	struct sequence_diagnosis d = {0};
	int r = take_sequence(&q, in, record, index);

	if (!r && q.n)
		r = diagnose_sequence(&d, q.values, q.groups, q.n, in->n_sides);
	free(q.values);
	free(q.groups);
	if (r)
		return r == -ENOMEM ? r : 0;
	if (d.autocorrelated)
		r = report_warn(report, "autocorrelation", metric,
				"runs that follow each other are alike (rank von Neumann z = %.1f), so there are "
				"fewer independent runs than it seems. Random blocks keep the comparison fair; "
				"look for what changes slowly: the clock's frequency, heat, other load",
				d.rvn_z);
	if (!r && d.drifting)
		r = report_warn(report, "drift", metric,
				"the runs %s over the measurement (Mann-Kendall p = %.2g). Random blocks keep the "
				"comparison fair; a mean alone depends on when it was taken. Let the machine settle, "
				"or look for what fills up or empties",
				d.drift_z > 0 ? "rise" : "fall", d.drift_p);
	if (!r && d.warmup)
		r = report_warn(report, "warm-up", metric,
				"the first measured run is the largest by far (modified z = %.1f): use --warmup with "
				"a larger number",
				d.first_z);
	return r;
}

static int warn_of_sample(struct report *report, const struct analyse_side *side,
			  const struct report_metric *m)
{
	const char *metric = m->name;
	char low[FORMAT_SIZE], high[FORMAT_SIZE];
	struct sample_diagnosis d = {0};
	struct sample s;
	int r = sample_take(&s, side, metric);

	if (r)
		return r;
	if (!s.summary && s.n)
		r = diagnose_sample(&d, s.series.values, s.n);
	sample_release(&s);
	if (r)
		return r == -ENOMEM ? r : 0;
	if (d.outliers)
		r = report_warn(report, "outliers", metric,
				"'%s': %zu of %zu runs are far above the others (the largest at modified z = %.1f). "
				"None is left out; the rank test does not mind them, the mean does. Look for what "
				"interrupts the runs",
				side->name, d.outliers, s.n, d.largest_z);
	if (!r && d.two_modes)
		r = report_warn(report, "two-modes", metric,
				"'%s': the runs fall into two groups, around %s (%.0f %% of them) and around %s. "
				"The mean describes neither. Look for what differs between runs: memory layout, CPU, "
				"alignment; --cpus or --layout=block may show which",
				side->name, format_value(low, sizeof(low), m->unit, d.mode_low, d.mode_low / 100),
				100 * d.mode_low_share,
				format_value(high, sizeof(high), m->unit, d.mode_high, d.mode_high / 100));
	return r;
}

/* The least and the greatest share of the time, in %, that METRIC was counted on any side; false: never scaled much. */
static bool is_scaled(const struct report *report, size_t metric, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < report->n_variants; i++) {
		double percent = report->variants[i].cells[metric].running_percent;

		if (report->variants[i].cells[metric].n && !isnan(percent)) {
			*low = fmin(*low, percent);
			*high = fmax(*high, percent);
		}
	}
	return *low < SCALED_PERCENT && report->metrics[metric].source != METRIC_EXPR;
}

/* Counts that are scaled differently on two sides are worse than counts that are scaled. */
static int warn_of_different_scaling(struct report *report, size_t metric)
{
	double low, high;

	if (!is_scaled(report, metric, &low, &high) || high - low <= SCALED_DIFFERENCE)
		return 0;
	return report_warn(report, "scaled-differently", report->metrics[metric].name,
			   "was counted for %.0f %% of the time on one side and for %.0f %% on another, and scaled: a "
			   "difference may come from the scaling alone. Count fewer events at a time, or leave out "
			   "--multiplex",
			   low, high);
}

static int warn_of_scaling(struct report *report)
{
	double least = INFINITY, low, high;
	char *names = NULL;
	size_t size;
	FILE *list = open_memstream(&names, &size);
	int r = 0;

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < report->n_metrics; i++)
		if (is_scaled(report, i, &low, &high)) {
			fprintf(list, "%s%s", isfinite(least) ? ", " : "", report->metrics[i].name);
			least = fmin(least, low);
		}
	if (fclose(list))
		r = -ENOMEM;
	else if (isfinite(least))
		r = report_warn(report, "scaled", NULL,
				"%s: counted for as little as %.0f %% of the time, and scaled. The kernel's "
				"extrapolation adds an error that no interval shows: count fewer events at a time",
				names, least);
	free(names);
	return r;
}

static int warn_of_missing(struct report *report, size_t metric)
{
	for (size_t i = 0; i < report->n_variants; i++) {
		const struct report_cell *c = &report->variants[i].cells[metric];
		const char *name = report->metrics[metric].name;
		const char *variant = report->variants[i].name;

		if (c->missing == NULL_DROPPED)
			return report_warn(report, "events-dropped", name,
					   "'%s': the kernel drops the events of setuid, setgid and unreadable "
					   "programs when they are executed, so what they do is not counted. "
					   "Measure a copy without these bits, or use times only",
					   variant);
		if (c->missing == NULL_NO_MATCH)
			return report_warn(report, "no-match", name,
					   "'%s': %" PRIu64 " of %" PRIu64 " runs have a value: nothing that %s "
					   "printed matched the regular expression '%s'",
					   variant, c->n, report->variants[i].runs,
					   c->n ? "the others" : "they",
					   report->metrics[metric].formula ? report->metrics[metric].formula
									   : "");
		if (c->missing == NULL_NOT_COUNTED || c->missing == NULL_PARTLY_COUNTED)
			return report_warn(report, "not-counted", name,
					   "'%s': %" PRIu64 " of %" PRIu64 " runs have a value: in the others the event "
					   "had no counter all the time. Another process, or the NMI watchdog, may hold "
					   "counters; close it, or count fewer events",
					   variant, c->n, report->variants[i].runs);
	}
	return 0;
}

static int warn_of_failures(struct report *report)
{
	int r = 0;

	for (size_t i = 0; i < report->n_comparisons && !r; i++) {
		const struct report_variant *a = &report->variants[report->comparisons[i].baseline];
		const struct report_variant *b = &report->variants[report->comparisons[i].variant];

		if (a->failed == b->failed)
			continue;
		r = report_warn(report, "failures-differ", NULL,
				"%" PRIu64 " of %" PRIu64 " runs of '%s' failed, and %" PRIu64 " of %" PRIu64
				" of '%s': blocks with a failed run are left out, and what remains may not be "
				"comparable%s",
				a->failed, a->runs, a->name, b->failed, b->runs, b->name,
				(double)b->failed * (double)a->runs > (double)a->failed * (double)b->runs
					? "; nothing is called better"
					: "");
	}
	return r;
}

static bool has_probed_runs(const struct record *record)
{
	for (size_t i = 0; i < record->n_runs; i++)
		if (record->runs[i].probed)
			return true;
	return false;
}

static int warn_of_stragglers(struct report *report, const struct record *record)
{
	size_t killed = 0, late = 0;

	for (size_t i = 0; i < record->n_runs; i++) {
		killed += record->runs[i].stragglers_killed > 0;
		late += record->runs[i].stragglers > 0;
	}
	if (killed)
		return report_warn(report, "stragglers", NULL,
				   "%zu of %zu runs left processes behind that were killed after their time of grace; "
				   "they were counted until the command's own exit%s. --stragglers=wait waits for them",
				   killed, record->n_runs,
				   has_probed_runs(record) ? ", and not at all in probed runs" : "");
	if (late)
		return report_warn(report, "stragglers", NULL,
				   "%zu of %zu runs left processes behind that ended a little later: they are in the "
				   "counts, but not in duration_time",
				   late, record->n_runs);
	return 0;
}

static int warn_of_machine(struct report *report, const struct record *record)
{
	if (record->machine.aslr == 0 && !record->plan.layout_block)
		return report_warn(report, "aslr-off", NULL,
				   "address space randomisation is off (kernel.randomize_va_space is 0): all runs have "
				   "one memory layout, and a verdict holds for that layout only. Turn it on, by "
				   "'sysctl kernel.randomize_va_space=2'");
	if (record->plan.layout_block)
		return report_warn(report, "one-layout", NULL,
				   "--layout=block: the verdict holds for one placement of text and heap; another "
				   "build or another order of linking may do otherwise");
	return 0;
}

int warn_of_runs(struct report *report, const struct analyse_input *in)
{
	const struct report_metric *primary = NULL;
	int r = 0;

	for (size_t i = 0; i < report->n_metrics && !r; i++) {
		if (report->metrics[i].primary)
			primary = &report->metrics[i];
		if (report->metrics[i].source == METRIC_EXPR || report->metrics[i].source == METRIC_SCOPE)
			continue;
		r = warn_of_different_scaling(report, i);
		if (!r)
			r = warn_of_missing(report, i);
	}
	if (!r)
		r = warn_of_scaling(report);
	for (size_t i = 0; i < in->n_records && !r && primary; i++) {
		long index = metric_find_counted(&in->records[i]->metrics, primary->name);

		if (index >= 0 && !in->records[i]->summaries)
			r = warn_of_order(report, in, in->records[i], (size_t)index, primary->name);
	}
	for (size_t i = 0; i < in->n_sides && !r && primary; i++)
		r = warn_of_sample(report, &in->sides[i], primary);
	if (!r)
		r = warn_of_failures(report);
	for (size_t i = 0; i < in->n_records && !r; i++) {
		r = warn_of_stragglers(report, in->records[i]);
		if (!r)
			r = warn_of_machine(report, in->records[i]);
	}
	return r;
}
