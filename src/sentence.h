/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verdicts in plain words: one closing sentence a comparison, and what can be said of a metric that
 * stayed unclear or whose two tests disagree. Pure: from the report's numbers to malloc'd UTF-8.
 */
#ifndef ABSTAT_SENTENCE_H
#define ABSTAT_SENTENCE_H

#include <stddef.h>

struct report;
struct report_change;
struct report_comparison;
struct report_metric;

/* All return 0 and a text that the caller frees, or -ENOMEM and NULL. */

/* The closing sentence of COMPARISON: the verdict on its primary metric, on what grounds, the gate.
 */
int sentence_compose(char **out, const struct report *report,
		     const struct report_comparison *comparison);

/* For an unclear metric: what is ruled out, what these runs could have shown, how many it would
 * take. */
int sentence_known(char **out, const struct report_metric *metric,
		   const struct report_change *change);

/* What it means that the rank test and Welch's test answer differently. */
int sentence_disagreement(char **out, const struct report_change *change);

/* The words for a change to the worse: "a slowdown", "an increase", "a decrease", "a change". */
const char *sentence_worsening(const struct report_metric *metric);

#endif
