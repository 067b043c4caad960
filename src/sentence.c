/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts in plain words. */
#include "sentence.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "report.h"
#include "sentence-moved.h"

/* A text that grows; open_memstream() does the work and remembers a failure until it is closed. */
static int finish(FILE *text, char **out)
{
	int failed = ferror(text);

	if (fclose(text) || failed) {
		free(*out);
		*out = NULL;
		return -ENOMEM;
	}
	return 0;
}

const char *sentence_worsening(const struct report_metric *metric)
{
	switch (metric->direction) {
	case DIRECTION_LOWER:
		return strcmp(metric->unit, "ns") ? "an increase" : "a slowdown";
	case DIRECTION_HIGHER:
		return "a decrease";
	default:
		return "a change";
	}
}

/* "−0.27 % [−0.40, −0.14] %", and for a large one how many times that is. */
static void put_change(FILE *text, const struct report_metric *metric,
		       const struct report_change *c)
{
	struct format_change f = {c->absolute, metric->unit, c->estimate, c->low, c->high};
	char change[FORMAT_SIZE], interval[FORMAT_SIZE];

	format_change(change, sizeof(change), &f);
	format_interval(interval, sizeof(interval), &f);
	fprintf(text, "%s %s", metric->name, change);
	if (c->method != METHOD_EXACT)
		fprintf(text, " %s", interval);
	if (c->absolute)
		fputs(" (a shift, not a ratio: there are zeros among the values)", text);
	else if (c->estimate >= 1)
		fprintf(text, " (%.3g times as much)", 1 + c->estimate);
	else if (c->estimate <= -0.5 && c->estimate > -1)
		fprintf(text, " (%.3g times less)", 1 / (1 + c->estimate));
}

static void put_margin(FILE *text, double margin)
{
	char buf[FORMAT_SIZE];

	fprintf(text, "±%s", format_fraction(buf, sizeof(buf), margin));
}

static void put_p(FILE *text, const struct report_change *c)
{
	char buf[FORMAT_SIZE];

	if (isnan(c->p_adjusted) && isnan(c->p))
		return;
	format_p(buf, sizeof(buf), isnan(c->p_adjusted) ? c->p : c->p_adjusted);
	fprintf(text, ", p %s%s", *buf == '<' ? "" : "= ", buf);
}

static void put_ruled_out(FILE *text, const struct report_metric *metric,
			  const struct report_change *c)
{
	char buf[FORMAT_SIZE];

	format_fraction(buf, sizeof(buf), c->ruled_out_above);
	fprintf(text, "%s above %s is ruled out", sentence_worsening(metric), buf);
}

static void put_difference(FILE *text, const struct report_metric *metric,
			   const struct report_change *c)
{
	put_change(text, metric, c);
	if (c->method == METHOD_EXACT)
		fputs(", exactly: neither side varies from run to run", text);
	else
		put_p(text, c);
	if (c->within_margin) {
		fputs(", but smaller than the margin of ", text);
		put_margin(text, c->equivalence.margin);
	}
}

static void put_same(FILE *text, const struct report_metric *metric, const struct report_change *c)
{
	if (c->method == METHOD_EXACT && c->estimate == 0) {
		fprintf(text, "%s is equal in every run", metric->name);
		return;
	}
	/* Where the interval of a difference leaves the margin, that by which it was judged, which
	 * is narrower. */
	struct format_change f = {false, "", c->estimate, c->equivalence.low, c->equivalence.high};
	char change[FORMAT_SIZE], level[FORMAT_SIZE], interval[FORMAT_SIZE];
	double margin = c->equivalence.margin;

	if (c->absolute || isnan(f.low) || (c->low >= -margin && c->high <= margin)) {
		put_change(text, metric, c);
		return;
	}
	fprintf(text, "%s %s (%s interval %s)", metric->name,
		format_change(change, sizeof(change), &f),
		format_level(level, sizeof(level), c->equivalence.level),
		format_interval(interval, sizeof(interval), &f));
}

static void put_unclear(FILE *text, const struct report_metric *metric,
			const struct report_change *c)
{
	/* An interval without an end says nothing that the reason does not. */
	if (c->reason && (isnan(c->estimate) || !isfinite(c->high))) {
		fprintf(text, "%s: %s", metric->name, c->reason);
		return;
	}
	put_change(text, metric, c);
	if (c->reason) {
		fprintf(text, ": %s", c->reason);
		return;
	}
	fputs(" may be a difference, or none beyond ", text);
	put_margin(text, c->equivalence.margin);
	if (!isnan(c->ruled_out_above)) {
		fputs("; ", text);
		put_ruled_out(text, metric, c);
	}
}

static void put_verdict(FILE *text, const struct report_metric *metric,
			const struct report_change *c, const char *a, const char *b)
{
	switch (c->verdict) {
	case VERDICT_BETTER:
	case VERDICT_WORSE:
		fprintf(text, "%s is %s than %s: ", b, verdict_word(c->verdict), a);
		put_difference(text, metric, c);
		break;
	case VERDICT_CHANGED:
		fprintf(text, "%s is changed against %s: ", b, a);
		put_difference(text, metric, c);
		fputs("; more of it is neither better nor worse", text);
		break;
	case VERDICT_SAME:
		fprintf(text, "%s is the same as %s within ", b, a);
		put_margin(text, c->equivalence.margin);
		fputs(": ", text);
		put_same(text, metric, c);
		break;
	case VERDICT_UNCLEAR:
		fprintf(text, "It is unclear whether %s differs from %s: ", b, a);
		put_unclear(text, metric, c);
		break;
	case VERDICT_NONE:
		fprintf(text, "There is no verdict on %s against %s: %s: %s", b, a, metric->name,
			c->reason ? c->reason : "no values");
		break;
	}
	fputc('.', text);
}

/* What weakens the evidence, each in a sentence of its own. */
static void put_grounds(FILE *text, const struct report_comparison *comparison,
			const struct report_change *c)
{
	if (c->verdict == VERDICT_NONE)
		return;
	if (c->low_n && c->method != METHOD_SUMMARY)
		fprintf(text, " Low n: Welch's test alone, on %" PRIu64 " run%s a side.", c->n,
			c->n == 1 ? "" : "s");
	if (c->method == METHOD_SUMMARY)
		fputs(" From summaries alone: the runs are taken to be independent.", text);
	else if (!comparison->interleaved)
		fputs(" The runs were not interleaved: what changed on the machine in between is "
		      "part of the difference.",
		      text);
	if (comparison->boots == BOOT_ONE_EACH)
		fputs(" This holds within these two boots; what another boot would do is unknown.",
		      text);
	else if (comparison->boots == BOOT_IS_UNIT)
		fputs(" The means of the boots were compared.", text);
}

static void put_gate(FILE *text, const struct report_comparison *comparison)
{
	char buf[FORMAT_SIZE];
	const char *metric = comparison->gate_metric ? comparison->gate_metric : "it";

	format_fraction(buf, sizeof(buf), comparison->gate_margin);
	switch (comparison->gate) {
	case GATE_NONE:
		break;
	case GATE_PASSED:
		fprintf(text, " Gate passed: that %s is worse by more than %s is ruled out.",
			metric, buf);
		break;
	case GATE_WORSE:
		fprintf(text, " Gate failed: %s is worse by more than %s.", metric, buf);
		break;
	case GATE_UNCLEAR:
		fprintf(text,
			" Gate undecided: that %s is worse by more than %s is neither shown nor "
			"ruled out.",
			metric, buf);
		break;
	}
}

int sentence_compose(char **out, const struct report *report,
		     const struct report_comparison *comparison)
{
	char buf_a[REPORT_LABEL_SIZE], buf_b[REPORT_LABEL_SIZE];
	const char *a = report_label(report, comparison->baseline, buf_a);
	const char *b = report_label(report, comparison->variant, buf_b);
	long primary = report_primary(report);
	size_t size = 0;
	FILE *text;

	*out = NULL;
	text = open_memstream(out, &size);
	if (!text)
		return -ENOMEM;
	if (primary < 0) {
		fprintf(text,
			"There is no verdict on %s against %s: they have no metric in common.", b,
			a);
	} else {
		const struct report_change *c = &comparison->changes[primary];

		sentence_calls(text, comparison->moved);
		put_verdict(text, &report->metrics[primary], c, a, b);
		sentence_moved(text, comparison->moved);
		put_grounds(text, comparison, c);
	}
	put_gate(text, comparison);
	return finish(text, out);
}

/* A rank test's interval of one value, which is not known exactly for that. */
static bool is_tied(const struct report_change *c)
{
	return (c->method == METHOD_RANK || c->method == METHOD_MANN_WHITNEY) && c->low == c->high;
}

int sentence_known(char **out, const struct report_metric *metric,
		   const struct report_change *change)
{
	char buf[FORMAT_SIZE];
	const char *separator = "";
	size_t size = 0;
	FILE *text;

	*out = NULL;
	text = open_memstream(out, &size);
	if (!text)
		return -ENOMEM;
	if (change->reason) {
		fputs(change->reason, text);
		separator = "; ";
	}
	if (is_tied(change)) {
		fprintf(text,
			"%sso many values are equal that the interval of typical runs has no "
			"width: the means may still differ",
			separator);
		separator = "; ";
	}
	if (!isnan(change->ruled_out_above)) {
		fputs(separator, text);
		put_ruled_out(text, metric, change);
		separator = "; ";
	}
	if (isfinite(change->smallest_visible) && change->smallest_visible > 0) {
		format_fraction(buf, sizeof(buf), change->smallest_visible);
		fprintf(text, "%sthe smallest change that %" PRIu64 " runs a side could show is %s",
			separator, change->n, buf);
		separator = "; ";
	}
	if (isfinite(change->runs_needed)) {
		format_number(buf, sizeof(buf), ceil(change->runs_needed), 0);
		fprintf(text, "%sa verdict would take about %s runs a side", separator, buf);
		separator = "; ";
	}
	if (!*separator)
		fputs(change->absolute
			  ? "nothing is ruled out in per cent, for there are values of 0"
			  : "nothing is ruled out",
		      text);
	return finish(text, out);
}

int sentence_disagreement(char **out, const struct report_change *change)
{
	/* Each by itself: neither p is adjusted, for Welch's is not. */
	bool rank_sees = change->p <= change->alpha;
	bool welch_sees = change->welch.p <= change->alpha;
	const char *text;

	if (rank_sees && welch_sees)
		text = "typical runs went one way and the mean the other: a few extreme runs "
		       "decide the mean; look at their distribution";
	else if (rank_sees && change->verdict == VERDICT_UNCLEAR)
		text = "typical runs differ, but not beyond what may happen among so many "
		       "comparisons; the means do not clearly";
	else if (rank_sees)
		text = "typical runs differ, the means do not clearly: a few extreme runs drown "
		       "the difference in the mean";
	else
		text = "the means differ, typical runs do not clearly: a few extreme runs make "
		       "the difference in the mean";
	*out = strdup(text);
	return *out ? 0 : -ENOMEM;
}
