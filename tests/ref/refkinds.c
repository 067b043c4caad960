/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refkinds.c - what is computed for each kind of reference case.
 */
#include "refcase.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anytime.h"
#include "dist.h"
#include "equivalence.h"
#include "fieller.h"
#include "multiple.h"
#include "pairrank.h"
#include "power.h"
#include "sequential.h"
#include "signedrank.h"
#include "summary.h"
#include "trend.h"
#include "unpaired.h"
#include "welch.h"
#include "yuen.h"

static void free_array(double **x)
{
	free(*x);
}

#define ARRAY __attribute__((cleanup(free_array))) double *

static double level_of(const struct ref_case *c)
{
	return ref_number(c, "level", 0.95);
}

/* From samples or from summaries, whichever the case has. */
static int read_welch(const struct ref_case *c, struct welch *w)
{
	double mean_a = ref_number(c, "mean_a", NAN), mean_b = ref_number(c, "mean_b", NAN);
	double sd_a = ref_number(c, "sd_a", NAN), sd_b = ref_number(c, "sd_b", NAN);
	size_t n_a, n_b;
	ARRAY a = ref_array(c, "a", &n_a);
	ARRAY b = ref_array(c, "b", &n_b);

	if (a && b)
		return welch_of(w, a, n_a, b, n_b);
	n_a = (size_t)ref_number(c, "n_a", 0);
	n_b = (size_t)ref_number(c, "n_b", 0);
	if (ref_has(c, "sem_pct_a")) {
		sd_a = sd_of_sem_percent(mean_a, ref_number(c, "sem_pct_a", NAN), n_a);
		sd_b = sd_of_sem_percent(mean_b, ref_number(c, "sem_pct_b", NAN), n_b);
	}
	return welch_of_summaries(w, mean_a, sd_a, n_a, mean_b, sd_b, n_b);
}

static int run_welch(struct ref_case *c)
{
	double low, high;
	struct fieller f;
	struct welch w;
	int err = read_welch(c, &w);

	if (!err)
		err = welch_interval(&w, level_of(c), &low, &high);
	if (err)
		return err;
	ref_put(c, "mean_a", w.mean_a);
	ref_put(c, "mean_b", w.mean_b);
	ref_put(c, "diff", w.diff);
	ref_put(c, "se", w.se);
	ref_put(c, "df", w.df);
	ref_put(c, "t", w.t);
	ref_put(c, "p", w.p);
	ref_put(c, "p_greater", w.p_greater);
	ref_put(c, "p_less", w.p_less);
	ref_put(c, "ci_low", low);
	ref_put(c, "ci_high", high);
	if (fieller_interval(&f, &w, level_of(c)) == 0) {
		ref_put(c, "ratio", f.ratio);
		ref_put(c, "ratio_low", f.low);
		ref_put(c, "ratio_high", f.high);
	}
	return 0;
}

static int run_tost(struct ref_case *c)
{
	double margin = ref_number(c, "margin_abs", NAN), low, high;
	struct tost t;
	struct welch w;
	int err = read_welch(c, &w);

	if (err)
		return err;
	if (ref_has(c, "margin_pct_of_mean_a"))
		err = tost_welch_percent(&t, &w, ref_number(c, "margin_pct_of_mean_a", NAN) / 100);
	else
		err = tost_welch(&t, &w, margin);
	if (!err)
		err = welch_interval(&w, 0.90, &low, &high);
	if (err)
		return err;
	ref_put(c, "p_lower", t.p_lower);
	ref_put(c, "p_upper", t.p_upper);
	ref_put(c, "p", t.p);
	ref_put(c, "ci90_low", low);
	ref_put(c, "ci90_high", high);
	return 0;
}

static int run_mann_whitney(struct ref_case *c, int (*test)(struct mann_whitney *, const double *,
							    size_t, const double *, size_t))
{
	struct mann_whitney mw;
	size_t n_a, n_b;
	ARRAY a = ref_array(c, "a", &n_a);
	ARRAY b = ref_array(c, "b", &n_b);
	int err = test(&mw, a, n_a, b, n_b);

	if (err)
		return err;
	ref_put(c, "U_b", mw.u_b);
	ref_put(c, "p", mw.p);
	ref_put(c, "p_greater", mw.p_greater);
	ref_put(c, "p_less", mw.p_less);
	return 0;
}

static int run_mwu_exact(struct ref_case *c)
{
	return run_mann_whitney(c, mann_whitney_exact);
}

static int run_mwu_asymptotic(struct ref_case *c)
{
	return run_mann_whitney(c, mann_whitney_asymptotic);
}

static int run_mwu_permutation(struct ref_case *c)
{
	struct rank_permutation rp;
	size_t n_a, n_b;
	ARRAY a = ref_array(c, "a", &n_a);
	ARRAY b = ref_array(c, "b", &n_b);
	int err = mann_whitney_permutation(&rp, a, n_a, b, n_b);

	if (err)
		return err;
	ref_put(c, "W_b", rp.w_b);
	ref_put(c, "p", rp.p);
	ref_put(c, "count", rp.count);
	ref_put(c, "total", rp.total);
	return 0;
}

static int hodges_lehmann(struct ref_case *c, bool logs)
{
	struct unpaired_interval ui;
	struct unpaired *u;
	double estimate;
	size_t n_a, n_b;
	ARRAY a = ref_array(c, "a", &n_a);
	ARRAY b = ref_array(c, "b", &n_b);
	int err = unpaired_new(&u, a, n_a, b, n_b, logs);

	if (err)
		return err;
	err = unpaired_estimate(u, &estimate);
	if (!err && strcmp(ref_string(c, "method", "exact"), "normal") == 0)
		err = unpaired_interval_normal(u, level_of(c), &ui);
	else if (!err)
		err = unpaired_interval_exact(u, level_of(c), &ui);
	unpaired_free(u);
	if (err)
		return err;
	ref_put(c, "hl", estimate);
	ref_put(c, "k", (double)ui.k);
	ref_put(c, "ci_low", ui.low);
	ref_put(c, "ci_high", ui.high);
	ref_put(c, "achieved_level", ui.achieved_level);
	return 0;
}

static int run_hodges_lehmann(struct ref_case *c)
{
	return hodges_lehmann(c, false);
}

static int run_hodges_lehmann_log(struct ref_case *c)
{
	return hodges_lehmann(c, true);
}

static int run_yuen(struct ref_case *c)
{
	struct yuen y;
	size_t n_a, n_b;
	ARRAY a = ref_array(c, "a", &n_a);
	ARRAY b = ref_array(c, "b", &n_b);
	int err = yuen_of(&y, a, n_a, b, n_b, ref_number(c, "trim", 0.2), level_of(c));

	if (err)
		return err;
	ref_put(c, "tmean_a", y.mean_a);
	ref_put(c, "tmean_b", y.mean_b);
	ref_put(c, "diff", y.diff);
	ref_put(c, "se", y.se);
	ref_put(c, "df", y.df);
	ref_put(c, "t", y.t);
	ref_put(c, "p", y.p);
	ref_put(c, "ci_low", y.low);
	ref_put(c, "ci_high", y.high);
	return 0;
}

static void put_signed_rank(struct ref_case *c, const struct signed_rank *sr)
{
	ref_put(c, "V", sr->v);
	ref_put(c, "n_nonzero", (double)sr->n_nonzero);
	ref_put(c, "p", sr->p);
	ref_put(c, "p_greater", sr->p_greater);
	ref_put(c, "p_less", sr->p_less);
}

static int run_signed_rank_exact(struct ref_case *c)
{
	struct signed_rank sr;
	size_t n;
	ARRAY d = ref_array(c, "d", &n);
	int err = signed_rank_exact(&sr, d, n);

	if (!err)
		put_signed_rank(c, &sr);
	return err;
}

static int run_signed_rank_asymptotic(struct ref_case *c)
{
	struct signed_rank sr;
	size_t n;
	ARRAY d = ref_array(c, "d", &n);
	int err = signed_rank_asymptotic(&sr, d, n);

	if (!err)
		put_signed_rank(c, &sr);
	return err;
}

static int run_signed_rank_permutation(struct ref_case *c)
{
	struct signed_rank sr;
	double count, total;
	size_t n;
	ARRAY d = ref_array(c, "d", &n);
	int err = signed_rank_permutation(&sr, d, n, &count, &total);

	if (err)
		return err;
	put_signed_rank(c, &sr);
	ref_put(c, "count", count);
	ref_put(c, "total", total);
	return 0;
}

static int run_paired_hodges_lehmann(struct ref_case *c)
{
	struct walsh_interval wi;
	size_t n;
	ARRAY d = ref_array(c, "d", &n);
	int err = paired_hodges_lehmann(&wi, d, n, level_of(c));

	if (err)
		return err;
	ref_put(c, "hl", wi.estimate);
	ref_put(c, "k", (double)wi.k);
	ref_put(c, "ci_low", wi.low);
	ref_put(c, "ci_high", wi.high);
	ref_put(c, "achieved_level", wi.achieved_level);
	return 0;
}

static int run_paired_t(struct ref_case *c)
{
	struct paired_t pt;
	size_t n;
	ARRAY d = ref_array(c, "d", &n);
	int err = paired_t(&pt, d, n, level_of(c));

	if (err)
		return err;
	ref_put(c, "mean", pt.mean);
	ref_put(c, "se", pt.se);
	ref_put(c, "df", pt.df);
	ref_put(c, "t", pt.t);
	ref_put(c, "p", pt.p);
	ref_put(c, "ci_low", pt.low);
	ref_put(c, "ci_high", pt.high);
	return 0;
}

static int run_adjusted(struct ref_case *c, int (*adjust)(const double *, size_t, double *))
{
	size_t n;
	ARRAY p = ref_array(c, "p", &n);
	int err = adjust(p, n, p);

	if (!err)
		ref_put_array(c, "p_adj", p, n);
	return err;
}

static int run_holm(struct ref_case *c)
{
	return run_adjusted(c, holm_adjust);
}

static int run_bh(struct ref_case *c)
{
	return run_adjusted(c, bh_adjust);
}

static int run_power_two_sample(struct ref_case *c)
{
	ref_put(c, "power",
		power_two_sample(ref_number(c, "n_per_side", NAN), ref_number(c, "delta", NAN),
				 ref_number(c, "sd", NAN), ref_number(c, "alpha", 0.05)));
	return 0;
}

static int run_power_paired(struct ref_case *c)
{
	ref_put(c, "power",
		power_paired(ref_number(c, "n_pairs", NAN), ref_number(c, "delta", NAN),
			     ref_number(c, "sd_diff", NAN), ref_number(c, "alpha", 0.05)));
	return 0;
}

static int run_runs_for_two_sample(struct ref_case *c)
{
	size_t n;
	int err = runs_for_two_sample(ref_number(c, "delta", NAN), ref_number(c, "sd", NAN),
				      ref_number(c, "alpha", 0.05), ref_number(c, "power", 0.8),
				      &n);

	if (!err)
		ref_put(c, "n_per_side", (double)n);
	return err;
}

static int run_qnorm(struct ref_case *c)
{
	size_t n;
	ARRAY p = ref_array(c, "p", &n);

	for (size_t i = 0; i < n; i++)
		p[i] = dist_normal_quantile(p[i]);
	ref_put_array(c, "q", p, n);
	return 0;
}

static int run_qt(struct ref_case *c)
{
	size_t n, n_df;
	ARRAY p = ref_array(c, "p", &n);
	ARRAY df = ref_array(c, "df", &n_df);

	for (size_t i = 0; i < n && i < n_df; i++)
		p[i] = dist_t_quantile(p[i], df[i]);
	ref_put_array(c, "q", p, n);
	return 0;
}

static int run_pt_upper(struct ref_case *c)
{
	size_t n, n_df;
	ARRAY t = ref_array(c, "t", &n);
	ARRAY df = ref_array(c, "df", &n_df);

	for (size_t i = 0; i < n && i < n_df; i++)
		t[i] = dist_t_tail(t[i], df[i]);
	ref_put_array(c, "p", t, n);
	return 0;
}

static int run_descriptive(struct ref_case *c)
{
	struct summary s;
	size_t n;
	ARRAY x = ref_array(c, "x", &n);
	int err = summary_of(&s, x, n, NULL);

	if (err)
		return err;
	ref_put(c, "n", (double)s.n);
	ref_put(c, "mean", s.mean);
	ref_put(c, "var", s.variance);
	ref_put(c, "sd", s.sd);
	ref_put(c, "sem", s.sem);
	ref_put(c, "median", s.median);
	ref_put(c, "mad_raw", s.mad);
	ref_put(c, "mad_scaled", MAD_TO_SD * s.mad);
	ref_put(c, "min", s.min);
	ref_put(c, "max", s.max);
	sort_doubles(x, n);
	for (int q = 1; q < 100; q++) {
		char name[16];

		snprintf(name, sizeof(name), "q%02d", q);
		ref_put(c, name, sorted_quantile(x, n, q / 100.0));
	}
	return 0;
}

static int run_lag1(struct ref_case *c)
{
	struct lag1 l;
	size_t n;
	ARRAY x = ref_array(c, "x", &n);
	int err = lag1_autocorrelation(&l, x, n);

	if (err)
		return err;
	ref_put(c, "r1", l.r1);
	ref_put(c, "z", l.z);
	ref_put(c, "p_one_sided", l.p);
	return 0;
}

static int run_rank_von_neumann(struct ref_case *c)
{
	struct rank_von_neumann r;
	size_t n;
	ARRAY x = ref_array(c, "x", &n);
	int err = rank_von_neumann(&r, x, n);

	if (err)
		return err;
	ref_put(c, "rvn", r.rvn);
	ref_put(c, "z", r.z);
	ref_put(c, "p_one_sided", r.p);
	return 0;
}

static int run_mann_kendall(struct ref_case *c)
{
	struct mann_kendall mk;
	size_t n;
	ARRAY x = ref_array(c, "x", &n);
	int err = mann_kendall(&mk, x, n);

	if (err)
		return err;
	ref_put(c, "S", mk.s);
	ref_put(c, "var", mk.variance);
	ref_put(c, "z", mk.z);
	ref_put(c, "p", mk.p);
	return 0;
}

static int run_rpr(struct ref_case *c)
{
	double estimate, low, high;
	struct pairrank *pr;
	struct pairrank_p p;
	size_t n, n_b;
	ARRAY a = ref_array(c, "a", &n);
	ARRAY b = ref_array(c, "b", &n_b);
	int err = n == n_b ? pairrank_new(&pr, a, b, n, false) : -EINVAL;

	if (err)
		return err;
	pairrank_test(pr, 0, &p);
	err = pairrank_estimate(pr, &estimate);
	if (!err)
		err = pairrank_interval(pr, level_of(c), &low, &high);
	pairrank_free(pr);
	if (err)
		return err;
	ref_put(c, "p", p.p);
	ref_put(c, "p_greater", p.p_greater);
	ref_put(c, "p_less", p.p_less);
	ref_put(c, "hl", estimate);
	ref_put(c, "ci_low", low);
	ref_put(c, "ci_high", high);
	return 0;
}

static int run_group_sequential(struct ref_case *c)
{
	size_t looks, n[SEQUENTIAL_MAX_LOOKS];
	struct sequential plan;
	ARRAY at = ref_array(c, "looks", &looks);
	int err;

	if (looks > SEQUENTIAL_MAX_LOOKS)
		return -EINVAL;
	for (size_t k = 0; k < looks; k++)
		n[k] = (size_t)at[k];
	err = sequential_at(&plan, n, looks, ref_number(c, "alpha_two_sided", 0.05),
			    ref_number(c, "rho", SEQUENTIAL_RHO));
	if (err)
		return err;
	ref_put_array(c, "z", plan.z, looks);
	ref_put_array(c, "nominal_p_two_sided", plan.level, looks);
	return 0;
}

static int run_anytime_t(struct ref_case *c)
{
	size_t count;
	ARRAY n = ref_array(c, "n", &count);

	for (size_t i = 0; i < count; i++)
		n[i] = anytime_t_threshold((size_t)n[i], ref_number(c, "alpha", 0.05),
					   ref_number(c, "g", 1));
	ref_put_array(c, "abs_t", n, count);
	return 0;
}

#define EXACT 1e-9
#define BOUNDARY 1e-6

const struct ref_kind ref_kinds[] = {
	{"anytime_t", EXACT, run_anytime_t},
	{"bh", EXACT, run_bh},
	{"descriptive", EXACT, run_descriptive},
	{"group_sequential_power_spending", BOUNDARY, run_group_sequential},
	{"hodges_lehmann", EXACT, run_hodges_lehmann},
	{"hodges_lehmann_log", EXACT, run_hodges_lehmann_log},
	{"holm", EXACT, run_holm},
	{"lag1_autocorr", EXACT, run_lag1},
	{"mann_kendall", EXACT, run_mann_kendall},
	{"mwu_asymptotic", EXACT, run_mwu_asymptotic},
	{"mwu_exact", EXACT, run_mwu_exact},
	{"mwu_exact_permutation_ties", EXACT, run_mwu_permutation},
	{"n_two_sample_t", EXACT, run_runs_for_two_sample},
	{"paired_hodges_lehmann", EXACT, run_paired_hodges_lehmann},
	{"paired_t", EXACT, run_paired_t},
	{"power_paired_t", EXACT, run_power_paired},
	{"power_two_sample_t", EXACT, run_power_two_sample},
	{"pt_upper", EXACT, run_pt_upper},
	{"qnorm", EXACT, run_qnorm},
	{"qt", EXACT, run_qt},
	{"rank_von_neumann", EXACT, run_rank_von_neumann},
	{"ratio_of_means_fieller", EXACT, run_welch},
	{"rpr", EXACT, run_rpr},
	{"signed_rank_asymptotic", EXACT, run_signed_rank_asymptotic},
	{"signed_rank_exact", EXACT, run_signed_rank_exact},
	{"signed_rank_exact_permutation_ties", EXACT, run_signed_rank_permutation},
	{"tost_summary_sd", EXACT, run_tost},
	{"tost_welch", EXACT, run_tost},
	{"welch", EXACT, run_welch},
	{"welch_summary_sd", EXACT, run_welch},
	{"welch_summary_sempct", EXACT, run_welch},
	{"yuen", EXACT, run_yuen},
};

const size_t ref_kind_count = sizeof(ref_kinds) / sizeof(*ref_kinds);
