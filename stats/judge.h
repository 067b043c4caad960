/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.h - all that is said of one metric of two variants, and what follows from it.
 *
 * judge() computes estimate, interval, tests, equivalence and gate; judge_look() turns them into
 * a decision. Both the experiment that is running and the analysis of one that has ended use
 * them, and so does the simulation that measures their error rates. Effects are b relative to a;
 * which direction is better is the caller's business, except for the gate.
 *
 * Scale. Where all values are above 0, the effect is the ratio b / a, given as a fraction
 * (ratio - 1: -0.01 is "1 % less"). Where any value is 0 or below, there is no ratio: the effect
 * is the absolute shift, and its fraction is shift / |median of a| (from summaries, / |mean of
 * a|), NaN where that base is 0. Margins and gates are fractions of the same base.
 *
 * Method, by what the data are:
 *   exact         neither side varies, 2 or more runs each: compared as they are, p is 0 or 1;
 *                 a change of exactly the margin is within it
 *   rank          6 pairs or more: randomisation test on pooled ranks (pairrank.h)
 *   mann-whitney  not run in blocks, 6 or more a side (unpaired.h)
 *   welch         fewer than that (low n): means, Fieller's interval
 *   summary       mean, sd and n only: as welch
 *   none          a side has a single run: an estimate, no evidence; nothing is ever decided
 */
#ifndef ABSTAT_STATS_JUDGE_H
#define ABSTAT_STATS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "sequential.h"

enum judge_method {
	JUDGE_NONE,
	JUDGE_EXACT,
	JUDGE_RANK,
	JUDGE_WELCH,
	JUDGE_MANN_WHITNEY,
	JUDGE_SUMMARY,
};

/* Fewer pairs (runs a side) than this: Welch alone. */
enum { JUDGE_LOW_N = 6 };

enum judge_unit { JUDGE_RATIO, JUDGE_SHIFT };

struct judge_side {
	const double *values; /* NULL: mean, sd and n only */
	size_t n;
	double mean, sd; /* used where values is NULL */
};

struct judge_data {
	struct judge_side a, b;
	bool paired; /* a.values[i] and b.values[i] come from one block, in random order */
};

/* The levels of one look; judge_plan_rules() fills them in. */
struct judge_rules {
	double alpha;       /* two-sided, of the whole experiment: for "visible" and "runs" */
	double level;       /* of this look: p <= level is a difference */
	double same_level;  /* of this look, one-sided: equivalence and gate */
	double margin;      /* fraction > 0 */
	double gate;        /* fraction >= 0; negative: no gate */
	bool larger_better; /* for the gate: worse is b below a, not b above a */
};

struct judge_interval {
	double estimate, low, high; /* fractions; infinite where unbounded, NaN without a base */
	double level;               /* 1 - rules.level, for instance .95 */
};

struct judgement {
	enum judge_method method;
	enum judge_unit unit;
	size_t n_a, n_b;
	double base; /* what a shift is divided by; 1 for ratios */

	struct judge_interval change;
	double shift, shift_low, shift_high; /* the same, in units of the data; JUDGE_SHIFT only */
	double p, p_greater, p_less;

	bool has_welch; /* on the means, beside any method but none */
	struct {
		struct judge_interval change;
		double t, df, p;
	} welch;

	struct {
		double margin;
		double p_lower, p_upper, p;
		double low, high, level; /* level 1 - 2 same_level; see ruled out, below */
	} equivalence;

	/*
	 * One-sided at same_level: a change above ruled_out_above, and one below ruled_out_below,
	 * is ruled out (the ends of the equivalence interval).
	 */
	double ruled_out_above, ruled_out_below;

	bool has_gate;
	struct {
		double threshold; /* as a change: M, or -M where larger is better */
		double p_pass;    /* against "worse by M or more" */
		double p_fail;    /* against "worse by M or less" */
	} gate;

	bool within_margin;      /* equivalence.p <= same_level */
	double smallest_visible; /* fraction that n would have shown with 80 %; NaN: unknown */
	size_t runs_needed;      /* a variant, to see the margin with 80 %; 0: unknown */
};

enum judge_detail {
	JUDGE_TESTS, /* estimate, p values of difference, equivalence and gate; the rest NaN */
	JUDGE_ALL,
};

/*
 * Judges data by rules. Allocates while it runs about 200 bytes a value, and 24 n^2 for n pairs
 * up to 200. -EDOM where a side is empty or pairs differ in number, -EINVAL for NaN or infinite
 * values or rules outside their domain, -ERANGE where a result overflows, -ENOMEM.
 */
int judge(struct judgement *j, const struct judge_data *data, const struct judge_rules *rules,
	  enum judge_detail detail);

/* When to look, and with which levels, for the tests of difference and of equivalence. */
struct judge_plan {
	double alpha;
	struct sequential difference; /* alpha */
	struct sequential same;       /* alpha a side */
};

/* At most max_n blocks, fixed before the first; -EINVAL. */
int judge_plan_sequential(struct judge_plan *plan, size_t max_n, double alpha);

/* Exactly n: one look with everything. -EINVAL. */
int judge_plan_fixed(struct judge_plan *plan, size_t n, double alpha);

/*
 * After done looks the time has run out, at n blocks: look number done (from 0) is the last and
 * spends what is left. -EINVAL where n is not above the blocks of the last look done: nothing has
 * come in since, and what was decided then stands.
 */
int judge_plan_end(struct judge_plan *plan, size_t done, size_t n);

/* The rules of look number k (from 0); margin, gate and direction are left alone. -EINVAL. */
int judge_plan_rules(const struct judge_plan *plan, size_t k, struct judge_rules *rules);

/* The number of the look at n blocks, or -1: go on without looking. */
int judge_plan_look(const struct judge_plan *plan, size_t n);

enum judge_decision {
	JUDGE_GO_ON,
	JUDGE_HIGHER, /* b is more than a; see within_margin for "but smaller than the margin" */
	JUDGE_LOWER,
	JUDGE_SAME,    /* within the margin */
	JUDGE_UNCLEAR, /* the last look, and neither */
};

/*
 * The verdict at a look: a difference where p <= level, else the same where equivalence.p <=
 * same_level, else go on, or unclear at the last look. p is j->p, or one adjusted for several
 * comparisons.
 */
enum judge_decision judge_look(const struct judgement *j, const struct judge_rules *rules, double p,
			       bool last);

enum judge_gate {
	JUDGE_GATE_GO_ON,
	JUDGE_GATE_PASS,    /* worse by the threshold or more is ruled out: status 0 */
	JUDGE_GATE_FAIL,    /* worse by more than the threshold: status 1 */
	JUDGE_GATE_UNCLEAR, /* the last look, and neither: status 125 */
};

/* The gate at a look; with a gate, it decides when to stop. */
enum judge_gate judge_gate_look(const struct judgement *j, const struct judge_rules *rules,
				bool last);

/* Half the width of the interval of the change, for stopping by precision; infinite or NaN. */
double judge_half_width(const struct judgement *j);

#endif
