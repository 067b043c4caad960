/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equivalence.h - is the difference smaller than a margin? Two one-sided tests.
 *
 * TOST (Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15, 1987): both "b is below the
 * lower margin" and "b is above the upper margin" must be rejected, each at alpha. It is the
 * interval of level 1 - 2 alpha lying between the margins. Not to reject is not to be different.
 */
#ifndef ABSTAT_STATS_EQUIVALENCE_H
#define ABSTAT_STATS_EQUIVALENCE_H

struct pairrank;
struct welch;

struct tost {
	double p_lower; /* against "b - a <= -margin" */
	double p_upper; /* against "b - a >= margin" */
	double p;       /* the larger of both */
};

/* Means, the margin in units of the data, > 0, else -EINVAL. From samples and from summaries. */
int tost_welch(struct tost *t, const struct welch *w, double margin);

/*
 * Means, the margin a fraction of the baseline's mean taken as it was measured: p as by
 * tost_welch(). -EDOM where mean_a = 0.
 */
int tost_welch_percent(struct tost *t, const struct welch *w, double fraction);

/*
 * Ratio of the means against 1 - fraction and 1 + fraction; agrees with Fieller's interval.
 * fraction in (0, 1), else -EINVAL.
 */
int tost_welch_ratio(struct tost *t, const struct welch *w, double fraction);

/* Pooled ranks of pairs: b against a (1 - fraction) and a (1 + fraction). fraction in (0, 1). */
int tost_rank_ratio(struct tost *t, struct pairrank *pr, double fraction);

/* Pooled ranks of pairs: b against a - margin and a + margin. */
int tost_rank_shift(struct tost *t, struct pairrank *pr, double margin);

#endif
