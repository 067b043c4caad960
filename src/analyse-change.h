/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what judge() says of two sides to a change of the report.
 */
#ifndef ABSTAT_ANALYSE_CHANGE_H
#define ABSTAT_ANALYSE_CHANGE_H

#include "judge.h"
#include "report.h"

/* A change of which nothing is known. */
void change_unknown(struct report_change *c);

/* Takes over numbers and method of J, which was judged from DATA by RULES; verdict and reasons are
 * for the caller. */
void change_fill(struct report_change *c, const struct judgement *j, const struct judge_data *data,
		 const struct judge_rules *rules, enum direction direction);

#endif
