/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same comparison on several machines.
 *
 *   records → a report each → their changes, a row a machine → a combined row → a sentence
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

#include "analyse-change.h"
#include "analyse.h"
#include "command.h"
#include "machines-combine.h"
#include "multiple.h"
#include "output.h"
#include "report.h"

int machines_no_memory(struct machines *m)
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
			return machines_no_memory(m);
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
		return machines_no_memory(m);
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
	change_unknown(&to->changes[m->n]);
	return machines_combine(m, to->changes, &m->combined[c], 1 - to->changes[0].alpha);
}

/* Judges the combined rows, as one family. */
static int judge_combined(struct machines *m)
{
	size_t n = m->report.n_comparisons, k = 0, used = 0;
	enum direction direction = m->report.metrics[0].direction;
	double *p = calloc(n + 1, sizeof(*p));
	int status = p ? 0 : machines_no_memory(m);

	for (size_t i = 0; i < n && !status; i++)
		if (m->combined[i].k)
			p[k++] = m->combined[i].p;
	if (!status && k && holm_adjust(p, k, p))
		status = machines_no_memory(m);
	for (size_t i = 0; i < n && !status; i++) {
		struct report_comparison *c = &m->report.comparisons[i];
		bool disagree = machines_disagree(c->changes, m->n, &m->combined[i]);
		double adjusted = m->combined[i].k ? p[used++] : NAN;

		if (m->combined[i].k && !disagree)
			machines_fill_combined(c, &c->changes[m->n], &m->combined[i],
					       &c->changes[0], direction, adjusted);
		else
			c->changes[m->n].reason =
			    disagree ? "the machines disagree"
				     : "not on every machine a ratio with an interval";
		c->verdict = c->changes[m->n].verdict;
		machines_fill_gate(c, &m->parts[0].comparisons[i],
				   disagree ? &(struct combined){0} : &m->combined[i], direction,
				   c->changes[0].alpha);
		status = machines_compose(m, i, disagree);
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
		return machines_no_memory(m);
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
			return machines_no_memory(m);
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
			return machines_no_memory(m);
		for (size_t k = 0; k < part->n_warnings; k++)
			if (report_warn(&m->report, part->warnings[k].code,
					part->warnings[k].metric, "%s: %s", m->names[i],
					part->warnings[k].text))
				return machines_no_memory(m);
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
		status = machines_no_memory(m);
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
	status = m.parts && m.primary && m.names ? build(&m) : machines_no_memory(&m);
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
