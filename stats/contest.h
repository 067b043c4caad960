/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contest.h - the one interface of the methods that judge() chooses from.
 *
 * For use inside stats/. An effect is a ratio b / a, or a shift b - a, by unit.
 */
#ifndef ABSTAT_STATS_CONTEST_H
#define ABSTAT_STATS_CONTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "judge.h"
#include "welch.h"

struct pairrank;
struct unpaired;

struct contest {
	const struct contest_method *method;
	enum judge_unit unit;
	double base;        /* of a shift's fraction */
	bool has_welch;     /* two or more runs a side */
	struct welch welch; /* always computed where it can be */
	struct pairrank *pairs;
	struct unpaired *samples;
};

struct contest_method {
	enum judge_method name;
	/* Evidence that b is above, below a changed by fraction (of a, or of base). */
	int (*against)(struct contest *c, double fraction, double *p_greater, double *p_less);
	/* Two-sided p of no change. */
	int (*two_sided)(struct contest *c, double *p, double *p_greater, double *p_less);
	int (*estimate)(struct contest *c, double *effect);
	/* The one-sided bound at alpha. */
	int (*bound)(struct contest *c, double alpha, bool lower, double *effect);
};

extern const struct contest_method contest_rank, contest_mann_whitney, contest_welch,
	contest_summary, contest_exact, contest_none;

/* Chooses unit and method and prepares them; released by contest_release() on success too. */
int contest_init(struct contest *c, const struct judge_data *data);
void contest_release(struct contest *c);

#endif
