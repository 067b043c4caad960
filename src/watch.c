/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user sees while it is measured. */
#include "watch.h"

#include <math.h>
#include <stdio.h>

#include "analyse-look.h"
#include "analyse.h"
#include "format.h"
#include "monotonic.h"
#include "output.h"

/* What takes longer than this is announced. */
#define LONG_NS 30e9
/* The interval on the progress line may take this share of the time. */
#define ANALYSIS_SHARE 50

void watch_init(struct watch *w, const struct judge_options *judge, bool compare, bool quiet)
{
	*w = (struct watch){.judge = judge, .compare = compare, .quiet = quiet};
	progress_init(&w->progress, stderr, !quiet);
}

/* The time that a block took in the warm-up, ns; 0: there was none. */
static double warmup_block_ns(const struct record *record)
{
	double sum = 0;

	for (size_t i = 0; i < record->n_runs; i++)
		sum += (double)record->runs[i].duration_ns;
	return record->plan.warmup ? sum / record->plan.warmup : 0;
}

void watch_planned(struct watch *w, const struct record *record)
{
	const struct record_plan *plan = &record->plan;
	const char *unit = w->compare ? "blocks" : "runs";
	double block_ns = warmup_block_ns(record);
	double most_ns = block_ns * plan->max_blocks;
	char count[FORMAT_SIZE], most[FORMAT_SIZE], first[FORMAT_SIZE], text[4 * FORMAT_SIZE];

	if (plan->max_time_ns && most_ns > (double)plan->max_time_ns)
		most_ns = (double)plan->max_time_ns + block_ns;
	if (most_ns < LONG_NS || w->quiet)
		return;
	format_count(count, sizeof(count), plan->max_blocks);
	format_span(most, sizeof(most), most_ns / 1e9);
	format_span(first, sizeof(first), block_ns * (double)look_next(plan, 0) / 1e9);
	if (plan->fixed)
		snprintf(text, sizeof(text), "%s %s, about %s", count, unit, most);
	else if (!w->compare)
		snprintf(text, sizeof(text), "at most %s %s, about %s", count, unit, most);
	else
		snprintf(text, sizeof(text), "at most %s %s, about %s; first look after about %s", count,
			 unit, most, first);
	progress_erase(&w->progress);
	output_message(text);
}

/* How the primary metric stands: the second variant against the first, or the spread of the only one. */
static void update_interval(struct watch *w, const struct record *record)
{
	struct report report;
	char err[200];
	uint64_t begin = monotonic_ns();

	if (begin < w->next_ns || record->plan.blocks < 6)
		return;
	if (!analyse_record(&report, record, w->judge, w->compare,
			    w->compare ? ANALYSE_PRIMARY : ANALYSE_ALL, err, sizeof(err)))
		for (size_t i = 0; i < report.n_metrics; i++) {
			if (!report.metrics[i].primary)
				continue;
			if (report.n_comparisons) {
				const struct report_change *c = &report.comparisons[0].changes[i];

				/* Before the first look no interval may be bounded. */
				if (!isfinite(c->low) || !isfinite(c->high))
					break;

				w->state.change = (struct format_change){
					.absolute = c->absolute,
					.unit = record->metrics.v[record->primary].unit,
					.estimate = c->estimate,
					.low = c->low,
					.high = c->high,
				};
			} else {
				w->state.spread = report.variants[0].cells[i].sem_percent;
			}
			w->state.metric = record->metrics.v[record->primary].name;
		}
	report_release(&report);
	uint64_t end = monotonic_ns();

	w->next_ns = end + (end - begin) * ANALYSIS_SHARE;
}

void watch_blocks(struct watch *w, const struct record *record, bool warmup, uint32_t done, uint32_t most,
		  uint64_t elapsed_ns)
{
	if (!progress_due(&w->progress))
		return;
	w->state.spread = NAN;
	update_interval(w, record);
	w->state.warmup = warmup;
	w->state.variants = record->n_variants;
	w->state.block = done;
	w->state.blocks = most;
	w->state.at_most = !warmup && !record->plan.fixed;
	w->state.seconds_left = NAN;
	if (!warmup && done && most)
		w->state.seconds_left = (double)elapsed_ns / 1e9 / done * (most - done);
	progress_draw(&w->progress, &w->state);
}

void watch_end(struct watch *w)
{
	progress_erase(&w->progress);
}
