/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sequential.h - when to look at a growing experiment, and how strong the evidence must be then.
 *
 * Group-sequential testing with alpha spending: of the type I error of a side, alpha / 2 in all,
 * alpha / 2 (n / N)^rho may have been used up at a look after n of at most N blocks (Lan and
 * DeMets, Biometrika 70, 1983; the power family of Kim and DeMets, 1987). The boundaries follow
 * by numerical integration of the joint distribution of the looks (Armitage, McPherson and Rowe,
 * 1969; Jennison and Turnbull, Group Sequential Methods, 2000, chapter 19). The interval at a
 * look's level is a repeated confidence interval (Jennison and Turnbull, 1989): all of them hold
 * together.
 *
 * Limits: N, alpha and rho must be fixed before the first run. A finished experiment must not be
 * extended. An estimate after an early stop is a little too large.
 */
#ifndef ABSTAT_STATS_SEQUENTIAL_H
#define ABSTAT_STATS_SEQUENTIAL_H

#include <stddef.h>

/* Enough for any N below 10^9: looks grow by a factor of sqrt(2). */
enum { SEQUENTIAL_MAX_LOOKS = 64, SEQUENTIAL_FIRST = 6 };

/* rho unless the caller has a reason. */
#define SEQUENTIAL_RHO 1.5

struct sequential {
	size_t max_n;  /* N */
	double alpha;  /* two-sided, in all */
	double rho;
	size_t looks;
	size_t n[SEQUENTIAL_MAX_LOOKS];     /* blocks at each look, ascending */
	double spent[SEQUENTIAL_MAX_LOOKS]; /* of a side, up to and with this look */
	double z[SEQUENTIAL_MAX_LOOKS];     /* boundary for |z|; infinity where nothing is spent */
	double level[SEQUENTIAL_MAX_LOOKS]; /* the two-sided p to be undercut: 2 P(Z > z) */
};

/*
 * The looks for at most max_n blocks into n[]: the first at the least n >= 6 at which the exact
 * test can reject, 2^(1-n) <= alpha (n/N)^rho; then sqrt(2) times as many each; one at
 * 0.85 max_n or later becomes the last. Returns how many (1 where max_n is small, and where it
 * is below 6, at max_n itself), or -EINVAL.
 */
int sequential_looks(size_t max_n, double alpha, double rho, size_t n[SEQUENTIAL_MAX_LOOKS]);

/*
 * The plan for the given looks, ascending, the last of which is N and spends what is left of
 * alpha. -EINVAL for looks that do not ascend, alpha outside (0, 1), rho <= 0.
 */
int sequential_at(struct sequential *plan, const size_t *n, size_t looks, double alpha, double rho);

/* sequential_looks() and sequential_at() in one. */
int sequential_plan(struct sequential *plan, size_t max_n, double alpha, double rho);

/* A fixed number of runs: one look at n with all of alpha. -EINVAL. */
int sequential_fixed(struct sequential *plan, size_t n, double alpha);

/*
 * The plan where, after its first done looks, the experiment ends at n blocks (n greater than at
 * the last of them) for a reason that does not depend on the data, such as a limit of time: that
 * look, number done, is the last and spends all the alpha that is left. out may be plan.
 * -EINVAL.
 */
int sequential_end(struct sequential *out, const struct sequential *plan, size_t done, size_t n);

/*
 * The same looks with another alpha, for an equivalence test whose one-sided level is alpha / 2:
 * pass twice the one-sided level. -EINVAL.
 */
int sequential_respend(struct sequential *out, const struct sequential *plan, double alpha);

#endif
