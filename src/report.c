/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as data: its life, its warnings, its words. */
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence.h"

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
	for (size_t i = 0; i < r->n_variants; i++)
		free(r->variants[i].cells);
	for (size_t i = 0; i < r->n_comparisons; i++) {
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

long report_primary(const struct report *r)
{
	for (size_t i = 0; i < r->n_metrics; i++)
		if (r->metrics[i].primary)
			return (long)i;
	return -1;
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
