/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An experiment.
 *
 *   options → variants, metrics → measured record → report → renderer
 */
#include "experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse.h"
#include "command.h"
#include "evidence.h"
#include "interrupt.h"
#include "output.h"
#include "record.h"
#include "report.h"

const struct argp_child experiment_argp_children[] = {
    {&event_argp, 0, NULL, 1}, {&plan_argp, 0, NULL, 3},
    {&run_argp, 0, NULL, 4},   {&primary_argp, 0, NULL, 5},
    {&save_argp, 0, NULL, 7},  {&output_argp, 0, NULL, 8},
    {&scope_argp, 0, NULL, 2}, {0},
};

const struct argp_child experiment_compare_children[] = {
    {&event_argp, 0, NULL, 1},   {&plan_argp, 0, NULL, 3},  {&run_argp, 0, NULL, 4},
    {&primary_argp, 0, NULL, 5}, {&save_argp, 0, NULL, 7},  {&output_argp, 0, NULL, 8},
    {&scope_argp, 0, NULL, 2},   {&judge_argp, 0, NULL, 6}, {0},
};

void experiment_set_inputs(struct experiment *e, struct argp_state *state)
{
	state->child_inputs[0] = &e->event;
	state->child_inputs[1] = &e->plan;
	state->child_inputs[2] = &e->run;
	state->child_inputs[3] = &e->judge;
	state->child_inputs[4] = &e->save;
	state->child_inputs[5] = &e->output;
	state->child_inputs[6] = &e->scope;
	if (e->compare)
		state->child_inputs[7] = &e->judge;
}

void experiment_init(struct experiment *e, bool compare)
{
	*e = (struct experiment){.compare = compare};
	event_options_init(&e->event);
	plan_options_init(&e->plan);
	run_options_init(&e->run);
	judge_options_init(&e->judge);
	output_options_init(&e->output);
	record_init(&e->resumed);
}

void experiment_release(struct experiment *e)
{
	event_options_release(&e->event);
	scope_options_release(&e->scope);
	run_options_release(&e->run);
	judge_options_release(&e->judge);
	free(e->commands.v);
	record_release(&e->resumed);
}

/* In text, a measurement that failed has its message and no table, which would look like a result.
 */
static bool is_shown(const struct experiment *e, const struct record *record, int status)
{
	if (status == 0)
		return true;
	if (strcmp(e->output.format, "json") == 0)
		return true;
	return status == STATUS_INTERRUPTED && record->plan.blocks > 0;
}

/* Whether the primary metric has a value in at least one run of each variant; if not, says so. */
static bool primary_has_values(const struct report *report, char *err, size_t err_size)
{
	for (size_t i = 0; i < report->n_metrics; i++) {
		if (!report->metrics[i].primary)
			continue;
		for (size_t v = 0; v < report->n_variants; v++) {
			const struct report_variant *variant = &report->variants[v];

			if (variant->cells[i].n || variant->failed >= variant->runs)
				continue;
			snprintf(err, err_size,
				 "the primary metric '%s' has no value in any run of '%s': %s. "
				 "Choose another by "
				 "--primary, as --primary=duration_time",
				 report->metrics[i].name, variant->name,
				 variant->cells[i].reason ? variant->cells[i].reason
							  : "not measured");
			return false;
		}
	}
	return true;
}

/* The PATH that the runs saw. */
static const char *search_path(const struct run_options *run)
{
	const char *path = getenv("PATH");

	for (size_t i = 0; i < run->env.n; i++)
		if (!strncmp(run->env.v[i], "PATH=", strlen("PATH=")))
			path = run->env.v[i] + strlen("PATH=");
	return path;
}

static int show(struct experiment *e, const struct record *record, int status, char *err,
		size_t err_size)
{
	struct report report;
	char why[1000];
	int r =
	    analyse_record(&report, record, &e->judge, e->compare, ANALYSE_ALL, why, sizeof(why));

	if (r && !status) {
		snprintf(err, err_size, "%s", why);
		status = r;
	}

	bool shown = is_shown(e, record, status);

	if (!status && !primary_has_values(&report, err, err_size))
		status = STATUS_CANNOT_MEASURE;
	/* Results do not hang on it: where memory runs out, what was found until then is shown. */
	if (!r && !status && e->compare && !e->no_evidence && !e->run.shell)
		(void)evidence_collect(&report, e->run.config.cwd, search_path(&e->run));
	if (status) {
		report.error = strdup(err);
		report.status = status;
	}
	if (shown && output_report(&report, &e->output, why, sizeof(why))) {
		if (!status)
			snprintf(err, err_size, "%s", why);
		report.status = status ? status : STATUS_CANNOT_MEASURE;
	}
	status = report.status;
	report_release(&report);
	return status;
}

int experiment_run(struct experiment *e)
{
	struct record record;
	char err[EXPERIMENT_ERROR_SIZE];

	record_init(&record);
	int status = experiment_measure(e, &record, err, sizeof(err));

	/* What could not even begin has nothing to analyse. */
	if (record.plan.stopped != STOPPED_NOT)
		status = show(e, &record, status, err, sizeof(err));
	else
		output_failure(&record, &e->output, status, err);
	if (*err)
		output_message(err);
	interrupt_restore();
	record_release(&record);
	return status;
}
