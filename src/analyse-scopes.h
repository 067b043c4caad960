/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said of scopes beyond a row a metric: which rows are tested, what probing did to the
 * whole, and whether a cost only moved.
 */
#ifndef ABSTAT_ANALYSE_SCOPES_H
#define ABSTAT_ANALYSE_SCOPES_H

#include "analyse.h"

/* Marks the metrics of scopes that get no verdict: all but the totals of one event. The primary
 * metric is chosen. */
void scopes_mark(struct report *report);

/* CPUs on which no call ended in any variant have no rows of their own. The cells are filled. */
void scopes_hide_cpus(struct report *report);

/*
 * Where in some runs nothing was left to take a share of, the others are a selection, and their
 * mean is no share: there is none, for that reason. The cells are filled.
 */
void scopes_drop_shares(struct report *report);

/* Fills each variant's `probing`. 0 or -ENOMEM. */
int scopes_probing(struct report *report, const struct analyse_input *in);

/*
 * After the metrics were judged: takes verdicts back that rest on what probing adds, fills each comparison's `moved`, and takes p values from what is
 * not tested. 0 or -ENOMEM.
 */
int scopes_compare(struct report *report, const struct analyse_input *in);

#endif
