/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as data: its life, its warnings, its words. */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence.h"

const struct report_cell report_no_cell = {
    .mean = NAN,
    .sd = NAN,
    .sem_percent = NAN,
    .median = NAN,
    .min = NAN,
    .max = NAN,
    .ci = {NAN, NAN, NAN},
    .running_percent = NAN,
};

const char *verdict_word(enum verdict v)
{
	static const char *const words[] = {
	    [VERDICT_NONE] = "none",   [VERDICT_BETTER] = "better",
	    [VERDICT_WORSE] = "worse", [VERDICT_CHANGED] = "changed",
	    [VERDICT_SAME] = "same",   [VERDICT_UNCLEAR] = "unclear",
	};

	return words[v];
}

const char *change_method_word(enum change_method m)
{
	static const char *const words[] = {
	    [METHOD_NONE] = "none",       [METHOD_RANK] = "rank",
	    [METHOD_WELCH] = "welch",     [METHOD_MANN_WHITNEY] = "mann-whitney",
	    [METHOD_SUMMARY] = "summary", [METHOD_EXACT] = "exact",
	    [METHOD_COMBINED] = "random-effects",
	};

	return words[m];
}

const char *gate_result_word(enum gate_result g)
{
	static const char *const words[] = {
	    [GATE_NONE] = "none",
	    [GATE_PASSED] = "passed",
	    [GATE_WORSE] = "worse",
	    [GATE_UNCLEAR] = "unclear",
	};

	return words[g];
}

void report_init(struct report *r)
{
	memset(r, 0, sizeof(*r));
}

void report_release(struct report *r)
{
	for (size_t i = 0; i < r->n_variants; i++) {
		for (size_t k = 0; k < r->variants[i].n_probing; k++)
			free(r->variants[i].probing[k].change);
		free(r->variants[i].probing);
		free(r->variants[i].cells);
	}
	for (size_t i = 0; i < r->n_comparisons; i++) {
		if (r->comparisons[i].moved) {
			free(r->comparisons[i].moved->parts);
			free(r->comparisons[i].moved->calls);
		}
		free(r->comparisons[i].moved);
		free(r->comparisons[i].changes);
		free(r->comparisons[i].sentence);
	}
	for (size_t i = 0; i < r->n_warnings; i++)
		free(r->warnings[i].text);
	evidence_free(r->evidence);
	free(r->metrics);
	free(r->records);
	free(r->variants);
	free(r->comparisons);
	free(r->warnings);
	free(r->error);
	report_init(r);
}

double report_cell_se(const struct report_cell *c)
{
	return c->n > 1 ? c->sd / sqrt((double)c->n) : NAN;
}

long report_primary(const struct report *r)
{
	for (size_t i = 0; i < r->n_metrics; i++)
		if (r->metrics[i].primary)
			return (long)i;
	return -1;
}

static bool same_event(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* CPU is -1 for what is of all CPUs. */
static long find_scope_metric(const struct report *r, const char *scope, int cpu,
			      enum scope_part part, const char *of)
{
	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct report_metric *m = &r->metrics[i];

		if (m->source == METRIC_SCOPE && m->part == part &&
		    (m->on_cpu ? m->cpu : -1) == cpu && !strcmp(m->scope, scope) &&
		    same_event(m->of, of))
			return (long)i;
	}
	return -1;
}

long report_scope_metric(const struct report *r, const char *scope, enum scope_part part,
			 const char *of)
{
	return find_scope_metric(r, scope, -1, part, of);
}

long report_cpu_metric(const struct report *r, const char *scope, int cpu, enum scope_part part,
		       const char *of)
{
	return find_scope_metric(r, scope, cpu, part, of);
}

bool report_scope_nested(const struct report *r, const struct report_variant *v, const char *scope,
			 const char *of)
{
	long total = report_scope_metric(r, scope, PART_TOTAL, of);
	long self = report_scope_metric(r, scope, PART_SELF, of);

	if (total < 0 || self < 0 || !v->cells[total].n || !v->cells[self].n)
		return false;
	return fabs(v->cells[total].mean - v->cells[self].mean) >
	       1e-9 * fabs(v->cells[total].mean);
}

bool report_scope_begins(const struct report *r, size_t i)
{
	if (r->metrics[i].source != METRIC_SCOPE)
		return false;
	for (size_t k = 0; k < i; k++)
		if (r->metrics[k].source == METRIC_SCOPE && !strcmp(r->metrics[k].scope, r->metrics[i].scope))
			return false;
	return true;
}

const char *report_scope_event(const struct report *r)
{
	long primary = report_primary(r);
	const struct report_metric *p = primary >= 0 ? &r->metrics[primary] : NULL;
	const char *first = NULL;

	if (p && p->of)
		return p->of;
	for (size_t i = 0; i < r->n_metrics; i++) {
		if (r->metrics[i].source != METRIC_SCOPE || !r->metrics[i].of)
			continue;
		if (p && !strcmp(p->name, r->metrics[i].of))
			return r->metrics[i].of;
		if (!first)
			first = r->metrics[i].of;
	}
	return first;
}

bool report_scope_explains(const struct report *r, size_t i)
{
	const struct report_metric *m = &r->metrics[i];
	const char *event = report_scope_event(r);

	if (m->source != METRIC_SCOPE || !m->untested || (m->on_cpu && !m->shown))
		return false;
	if (scope_part_is_cost(m->part))
		return event && !strcmp(m->of, event) &&
		       (m->part == PART_MEAN || m->part == PART_P50 || m->part == PART_P99 ||
			(m->on_cpu && m->part == PART_TOTAL));
	for (size_t v = 0; v < r->n_variants && m->part != PART_CALLS; v++)
		if (m->part != PART_INTERRUPTED && r->variants[v].cells[i].n && r->variants[v].cells[i].mean > 0)
			return true;
	return m->part == PART_CALLS;
}

#define LONGEST_LABEL 16

const char *report_label(const struct report *r, size_t variant, char buf[REPORT_LABEL_SIZE])
{
	const struct report_variant *v = &r->variants[variant];

	if (v->name && *v->name && strlen(v->name) <= LONGEST_LABEL &&
	    (!v->command || strcmp(v->name, v->command)))
		return v->name;
	return report_letter(variant, buf);
}

const char *report_letter(size_t variant, char buf[REPORT_LABEL_SIZE])
{
	char *end = buf + REPORT_LABEL_SIZE - 1;

	*end = '\0';
	do {
		*--end = (char)('A' + variant % 26);
		variant = variant / 26;
	} while (variant-- && end > buf);
	return end;
}

int report_warn(struct report *r, const char *code, const char *metric, const char *format, ...)
{
	struct report_warning *grown = reallocarray(r->warnings, r->n_warnings + 1, sizeof(*grown));
	char *text = NULL;
	va_list args;
	int len;

	if (!grown)
		return -ENOMEM;
	r->warnings = grown;
	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0)
		return -ENOMEM;
	r->warnings[r->n_warnings++] = (struct report_warning){code, metric, text};
	return 0;
}
