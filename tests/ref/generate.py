#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes random reference cases, computed by scipy, numpy and brute force, never by abstat.

    generate.py [--seed N] [--count N] > random.json

The kinds and their fields are those of reference.json. Needs scipy 1.10.
"""
import argparse
import itertools
import json
import math

import numpy as np
from scipy import optimize, special, stats

CASES = []


def plain(value):
    """A value as JSON keeps it: infinities as strings, numbers with 15 digits."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(v) for v in value]
    if isinstance(value, str):
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    value = float(value)
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return float(repr(value))


def case(kind, inputs, expected):
    number = sum(c["kind"] == kind for c in CASES)
    CASES.append({"id": f"{kind}_{number}", "kind": kind,
                  "input": {k: plain(v) for k, v in inputs.items()},
                  "expected": {k: plain(v) for k, v in expected.items()}})


def sample(rng, n, ties=None):
    """Values of one of several shapes, with few digits so that the file stays small."""
    shape = rng.integers(5)
    if ties or (ties is None and shape == 0):
        return rng.integers(100, 100 + rng.integers(2, 8), n).astype(float)
    if shape == 1:
        x = rng.normal(0, 10, n)
    elif shape == 2:
        x = rng.lognormal(3, 1, n)
    else:
        x = rng.normal(100, 5, n)
    x = np.round(x, 3)
    while ties is False and len(set(x)) < n:
        x = np.round(x + rng.normal(0, 0.5, n), 3)
    return x


def two(rng, low=2, high=12, ties=None):
    """Two samples; without ties also between them."""
    while True:
        a = sample(rng, rng.integers(low, high), ties)
        b = sample(rng, rng.integers(low, high), ties)
        if ties is not False or len(set(a) | set(b)) == len(a) + len(b):
            return a, b


def level(rng):
    return float(rng.choice([0.8, 0.9, 0.95, 0.99, 0.999]))


def t_tail(t, df):
    """P(T > t), by the incomplete beta function; keeps its digits in the tail."""
    tail = special.betainc(df / 2, 0.5, df / (df + t * t)) / 2
    return tail if t > 0 else 1 - tail


def t_quantile(p, df):
    """Newton's steps from scipy's own quantile, which has 8 digits only."""
    if p > 0.5:
        return -t_quantile(1 - p, df)
    t = -stats.t.ppf(p, df)
    for _ in range(3):
        t += (t_tail(t, df) - p) / stats.t.pdf(t, df)
    return -t


# Means

def welch_figures(ma, va, na, mb, vb, nb, conf):
    """va, vb: variances of the means."""
    diff, se = mb - ma, math.sqrt(va + vb)
    df = (va + vb) ** 2 / (va ** 2 / (na - 1) + vb ** 2 / (nb - 1))
    q = t_quantile((1 + conf) / 2, df)
    figures = {"diff": diff, "se": se, "df": df, "t": diff / se,
               "p": 2 * stats.t.sf(abs(diff / se), df),
               "ci_low": diff - q * se, "ci_high": diff + q * se}
    ratio = {"ratio": mb / ma, "ratio_low": -math.inf, "ratio_high": math.inf}
    g = q * q * va / ma ** 2
    if g < 1:
        # The ends are the ratios r with (mb - r ma)^2 = q^2 (vb + r^2 va).
        roots = np.roots([ma ** 2 - q * q * va, -2 * ma * mb, mb ** 2 - q * q * vb])
        ratio["ratio_low"], ratio["ratio_high"] = sorted(roots.real)
    return figures, ratio


def welch(rng):
    a, b = two(rng)
    if len(set(a)) == 1 and len(set(b)) == 1:
        return
    conf = level(rng)
    args = (a.mean(), a.var(ddof=1) / len(a), len(a), b.mean(), b.var(ddof=1) / len(b), len(b))
    figures, ratio = welch_figures(*args, conf)
    assert math.isclose(figures["p"], stats.ttest_ind(a, b, equal_var=False).pvalue, rel_tol=1e-9)
    case("welch", {"a": a, "b": b, "level": conf}, figures)
    if abs(a.mean()) > 1:
        case("ratio_of_means_fieller", {"a": a, "b": b, "level": conf}, ratio)
    margin = round(float(rng.uniform(0.1, 3)), 3)
    case("tost_welch", {"a": a, "b": b, "margin_abs": margin}, tost(args, margin))


def tost(args, margin):
    figures, _ = welch_figures(*args, 0.9)
    low = stats.t.sf((figures["diff"] + margin) / figures["se"], figures["df"])
    high = stats.t.cdf((figures["diff"] - margin) / figures["se"], figures["df"])
    return {"p_lower": low, "p_upper": high, "p": max(low, high),
            "ci90_low": figures["ci_low"], "ci90_high": figures["ci_high"]}


def summary(rng):
    na, nb = (int(n) for n in rng.integers(2, 200, 2))
    ma = round(float(rng.lognormal(5, 3)), 3) + 1
    mb = round(ma * float(rng.normal(1, 0.02)), 3)
    pa, pb = (round(float(p), 3) for p in rng.uniform(0.01, 3, 2))
    conf = level(rng)
    va, vb = (ma * pa / 100) ** 2, (mb * pb / 100) ** 2
    figures, ratio = welch_figures(ma, va, na, mb, vb, nb, conf)
    case("welch_summary_sempct", {"n_a": na, "mean_a": ma, "sem_pct_a": pa, "n_b": nb,
                                  "mean_b": mb, "sem_pct_b": pb, "level": conf},
         {**figures, **ratio})
    sa, sb = (float(f"{math.sqrt(v * n):.4g}") for v, n in ((va, na), (vb, nb)))
    inputs = {"n_a": na, "mean_a": ma, "sd_a": sa, "n_b": nb, "mean_b": mb, "sd_b": sb}
    args = (ma, sa ** 2 / na, na, mb, sb ** 2 / nb, nb)
    figures, ratio = welch_figures(*args, conf)
    case("welch_summary_sd", {**inputs, "level": conf}, {**figures, **ratio})
    percent = round(float(rng.uniform(0.1, 5)), 2)
    case("tost_summary_sd", {**inputs, "margin_pct_of_mean_a": percent},
         tost(args, percent / 100 * ma))


def yuen(rng):
    a, b = two(rng, 5, 15)
    trim = float(rng.choice([0.1, 0.2, 0.25]))
    result = stats.ttest_ind(a, b, equal_var=False, trim=trim)
    if not np.isfinite(result.statistic):
        return
    means, variances, dfs = [], [], []
    for x in (a, b):
        g, s = int(trim * len(x)), np.sort(x)
        kept = s[g:len(x) - g]
        w = np.clip(x, kept[0], kept[-1])
        h = len(kept)
        means.append(kept.mean())
        variances.append((len(x) - 1) * w.var(ddof=1) / (h * (h - 1)))
        dfs.append(h - 1)
    diff, se = means[1] - means[0], math.sqrt(sum(variances))
    df = sum(variances) ** 2 / sum(v * v / d for v, d in zip(variances, dfs))
    conf = level(rng)
    q = t_quantile((1 + conf) / 2, df)
    case("yuen", {"a": a, "b": b, "trim": trim, "level": conf},
         {"tmean_a": means[0], "tmean_b": means[1], "diff": diff, "se": se, "df": df,
          "t": -result.statistic, "p": result.pvalue,
          "ci_low": diff - q * se, "ci_high": diff + q * se})


# Ranks, unpaired

def u_counts(m, n):
    """How many of the orders of m and n distinct values give U = 0..mn."""
    poly = np.array([1], dtype=object)
    for i in range(1, n + 1):
        factor = np.zeros(m + i + 1, dtype=object)
        factor[0], factor[m + i] = 1, -1
        poly = np.convolve(poly, factor)
        divisor = np.zeros(i + 1, dtype=object)
        divisor[0], divisor[i] = 1, -1
        quotient = np.zeros(len(poly) - i, dtype=object)
        for k in range(len(quotient)):
            quotient[k] = poly[k] + (quotient[k - i] if k >= i else 0)
        poly = quotient
    return [int(c) for c in poly[:m * n + 1]]


def mann_whitney(rng):
    a, b = two(rng, 2, 12, ties=False)
    r = stats.mannwhitneyu(b, a, method="exact")
    case("mwu_exact", {"a": a, "b": b}, {"U_b": r.statistic, "p": r.pvalue})
    a, b = two(rng, 4, 25)
    if len(set(a) | set(b)) > 1:
        r = stats.mannwhitneyu(b, a, method="asymptotic")
        case("mwu_asymptotic", {"a": a, "b": b}, {"U_b": r.statistic, "p": r.pvalue})
    a, b = two(rng, 2, 7, ties=True)
    ranks = stats.rankdata(np.concatenate([b, a]))
    w, mu = ranks[:len(b)].sum(), len(b) * (len(ranks) + 1) / 2
    sums = [sum(c) for c in itertools.combinations(ranks, len(b))]
    count = sum(abs(s - mu) >= abs(w - mu) - 1e-9 for s in sums)
    case("mwu_exact_permutation_ties", {"a": a, "b": b},
         {"W_b": w, "p": count / len(sums), "count": count, "total": len(sums)})


def hodges_lehmann(rng):
    logs = bool(rng.integers(2))
    a, b = two(rng, 3, 12)
    if logs and min(a.min(), b.min()) <= 0:
        return
    x, y = (np.log(a), np.log(b)) if logs else (a, b)
    d = np.sort(np.subtract.outer(y, x).ravel())
    m, n, conf = len(a), len(b), level(rng)
    inputs = {"a": a, "b": b, "level": conf}
    if rng.integers(2):
        inputs["method"] = "exact"
        cdf = np.cumsum([c / math.comb(m + n, m) for c in u_counts(m, n)])
        k = max(1, int(np.argmax(cdf >= (1 - conf) / 2 * (1 - 1e-12))))
        extra = {"achieved_level": 1 - 2 * cdf[k - 1]}
    else:
        inputs["method"] = "normal"
        z = stats.norm.ppf((1 + conf) / 2)
        k = math.floor(m * n / 2 - z * math.sqrt(m * n * (m + n + 1) / 12) + 0.5)
        extra = {}
        if k < 1:
            return
    value = np.exp if logs else float
    case("hodges_lehmann_log" if logs else "hodges_lehmann", inputs,
         {"hl": value(np.median(d)), "k": k, "ci_low": value(d[k - 1]),
          "ci_high": value(d[m * n - k]), **extra})


# Pairs

def signed_rank(rng):
    d = sample(rng, rng.integers(3, 20), ties=False) - 0.0005
    d = np.round(d - np.median(d) * rng.uniform(0, 1), 4)
    if len(set(abs(d))) < len(d) or 0 in d:
        return
    v = stats.rankdata(abs(d))[d > 0].sum()
    case("signed_rank_exact", {"d": d}, {"V": v, "p": stats.wilcoxon(d, mode="exact").pvalue})
    conf = level(rng)
    walsh = np.sort([(d[i] + d[j]) / 2 for i in range(len(d)) for j in range(i, len(d))])
    poly = np.array([1.0])
    for r in range(1, len(d) + 1):
        poly = np.convolve(poly, [0.5] + [0] * (r - 1) + [0.5])
    cdf = np.cumsum(poly)
    k = max(1, int(np.argmax(cdf >= (1 - conf) / 2 * (1 - 1e-12))))
    case("paired_hodges_lehmann", {"d": d, "level": conf},
         {"hl": np.median(walsh), "k": k, "ci_low": walsh[k - 1], "ci_high": walsh[-k],
          "achieved_level": 1 - 2 * cdf[k - 1]})
    se, df = d.std(ddof=1) / math.sqrt(len(d)), len(d) - 1
    q = t_quantile((1 + conf) / 2, df)
    case("paired_t", {"d": d, "level": conf},
         {"mean": d.mean(), "se": se, "df": df, "t": d.mean() / se,
          "p": stats.ttest_1samp(d, 0).pvalue,
          "ci_low": d.mean() - q * se, "ci_high": d.mean() + q * se})
    d = rng.integers(-3, 5, rng.integers(4, 13)).astype(float)
    nonzero = d[d != 0]
    if len(nonzero) < 2:
        return
    ranks = stats.rankdata(abs(nonzero))
    v, n = ranks[nonzero > 0].sum(), len(nonzero)
    ties = np.unique(abs(nonzero), return_counts=True)[1]
    sd = math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - (ties ** 3 - ties).sum() / 48)
    case("signed_rank_asymptotic", {"d": d},
         {"V": v, "n_nonzero": n,
          "p": min(1, 2 * stats.norm.sf((abs(v - n * (n + 1) / 4) - 0.5) / sd))})
    sums = [sum(c) for c in itertools.product(*[(0, r) for r in ranks])]
    mean = ranks.sum() / 2
    count = sum(abs(s - mean) >= abs(v - mean) - 1e-9 for s in sums)
    case("signed_rank_exact_permutation_ties", {"d": d},
         {"V": v, "p": count / len(sums), "count": count, "total": len(sums)})


def flips(a, b):
    """p_greater and p_less over all sign-flips, counted as whole numbers."""
    n = len(a)
    ranks = np.rint(2 * stats.rankdata(np.concatenate([a, b]))).astype(int)
    d = ranks[n:] - ranks[:n]
    ways = {0: 1}
    for w in abs(d):
        following = {}
        for s, c in ways.items():
            following[s] = following.get(s, 0) + c
            following[s + w] = following.get(s + w, 0) + c
        ways = following
    s = d[d > 0].sum()
    total = sum(ways.values())
    return (sum(c for k, c in ways.items() if k >= s) / total,
            sum(c for k, c in ways.items() if k <= s) / total)


def pooled_ranks(rng):
    n = int(rng.integers(2, 14))
    if rng.integers(2):
        a = rng.integers(0, 8, n).astype(float)
        b = rng.integers(0, 8, n).astype(float) + rng.integers(0, 4)
    else:
        a = np.round(rng.normal(100, 2, n) * 64) / 64
        b = np.round(a * 0.5 + rng.normal(50, 2, n) * 64) / 64 + rng.integers(0, 3)
    conf = level(rng)
    alpha = (1 - conf) / 2
    greater, less = flips(a, b)
    differences = np.subtract.outer(b, a).ravel()
    d = np.unique(differences)
    between = (d[1:] + d[:-1]) / 2
    edges = np.concatenate([[d[0] - 1], between, [d[-1] + 1]])
    # The smallest D whose upper neighbourhood is not rejected, scanned in full.
    low, high = -math.inf, math.inf
    if flips(a, b - edges[0])[0] <= alpha:
        low = next(d[k] for k in range(len(d)) if flips(a, b - edges[k + 1])[0] > alpha)
    if flips(a, b - edges[-1])[1] <= alpha:
        high = next(d[k] for k in reversed(range(len(d))) if flips(a, b - edges[k])[1] > alpha)
    case("rpr", {"a": a, "b": b, "level": conf},
         {"p": min(1, 2 * min(greater, less)), "p_greater": greater, "p_less": less,
          "hl": np.median(differences), "ci_low": low, "ci_high": high})


# Many tests, power, distributions

def adjusted(rng):
    p = np.round(rng.uniform(0, 1, rng.integers(1, 12)) ** 3, 4)
    order = np.argsort(p, kind="stable")
    m = len(p)
    holm, bh = np.empty(m), np.empty(m)
    holm[order] = np.maximum.accumulate(np.minimum(1, (m - np.arange(m)) * p[order]))
    rising = (p[order] * m / np.arange(1, m + 1))[::-1]
    bh[order] = np.minimum(1, np.minimum.accumulate(rising))[::-1]
    case("holm", {"p": p}, {"p_adj": holm})
    case("bh", {"p": p}, {"p_adj": bh})


def t_power(df, ncp, alpha):
    q = t_quantile(1 - alpha / 2, df)
    # By quadrature over the chi distribution: scipy's noncentral t has too few digits.
    x, w = special.roots_legendre(400)
    s = np.sqrt(stats.chi2.ppf([1e-16, 1 - 1e-16], df) / df)
    at = s[0] + (x + 1) / 2 * (s[1] - s[0])
    density = stats.chi2.pdf(at ** 2 * df, df) * 2 * at * df
    tail = stats.norm.sf(q * at - ncp) + stats.norm.cdf(-q * at - ncp)
    return float((density * tail * w).sum() * (s[1] - s[0]) / 2)


def power(rng):
    n, alpha = int(rng.integers(4, 150)), float(rng.choice([0.01, 0.05, 0.1]))
    delta, sd = round(float(rng.uniform(0.1, 1.5)), 2), round(float(rng.uniform(0.5, 3)), 2)
    case("power_two_sample_t", {"n_per_side": n, "delta": delta, "sd": sd, "alpha": alpha},
         {"power": t_power(2 * n - 2, delta / sd * math.sqrt(n / 2), alpha)})
    case("power_paired_t", {"n_pairs": n, "delta": delta, "sd_diff": sd, "alpha": alpha},
         {"power": t_power(n - 1, delta / sd * math.sqrt(n), alpha)})
    aim, runs = float(rng.choice([0.5, 0.8, 0.9])), 4
    sd = round(delta * float(rng.uniform(1.5, 4)), 2)
    while t_power(2 * runs - 2, delta / sd * math.sqrt(runs / 2), alpha) < aim:
        runs += 1
    if runs > 4:
        case("n_two_sample_t", {"delta": delta, "sd": sd, "power": aim, "alpha": alpha},
             {"n_per_side": runs})


def distributions(rng):
    p = [float(f"{v:.3g}") for v in 10.0 ** -rng.uniform(0, 12, 3)] + [round(rng.uniform(), 6)]
    df = [round(float(v), 3) for v in rng.lognormal(2, 1.5, 4) + 1]
    case("qnorm", {"p": p}, {"q": stats.norm.ppf(p)})
    case("qt", {"p": p[2:], "df": df[2:]}, {"q": [t_quantile(v, f) for v, f in zip(p[2:], df[2:])]})
    t = [round(float(v), 3) for v in rng.uniform(0, 12, 4)]
    case("pt_upper", {"t": t, "df": df},
         {"p": [t_tail(v, f) for v, f in zip(t, df)]})


# Sequences

def sequences(rng):
    x = sample(rng, rng.integers(5, 40))
    n = len(x)
    quantiles = {f"q{int(100 * p):02d}": np.quantile(x, p) for p in (0.25, 0.75, 0.90, 0.95, 0.99)}
    mad = np.median(abs(x - np.median(x)))
    case("descriptive", {"x": x},
         {"n": n, "mean": x.mean(), "sd": x.std(ddof=1), "median": np.median(x), "mad_raw": mad,
          "mad_scaled": mad / stats.norm.ppf(0.75), **quantiles, "min": x.min(), "max": x.max()})
    if len(set(x)) < 2:
        return
    e = x - x.mean()
    r1 = (e[1:] * e[:-1]).sum() / (e * e).sum()
    z = (r1 + 1 / n) / ((n - 2) / (n * math.sqrt(n - 1)))
    case("lag1_autocorr", {"x": x}, {"r1": r1, "z": z, "p_one_sided": stats.norm.sf(z)})
    r = stats.rankdata(x)
    rvn = (np.diff(r) ** 2).sum() / ((r - r.mean()) ** 2).sum()
    z = (rvn - 2) / math.sqrt(4 * (n - 2) * (5 * n * n - 2 * n - 9) /
                              (5 * n * (n + 1) * (n - 1) ** 2))
    case("rank_von_neumann", {"x": x}, {"rvn": rvn, "z": z, "p_one_sided": stats.norm.cdf(z)})
    s = int(sum(np.sign(x[j] - x[i]) for i in range(n) for j in range(i + 1, n)))
    t = np.unique(x, return_counts=True)[1]
    variance = (n * (n - 1) * (2 * n + 5) - (t * (t - 1) * (2 * t + 5)).sum()) / 18
    z = (s - np.sign(s)) / math.sqrt(variance)
    case("mann_kendall", {"x": x}, {"S": s, "var": variance, "z": z,
                                    "p": min(1, 2 * stats.norm.sf(abs(z)))})


def group_sequential(rng):
    """Boundaries from the multivariate density, by Gauss-Legendre quadrature."""
    count = int(rng.integers(1, 6))
    looks = np.sort(rng.choice(np.arange(4, 120), count, replace=False))
    rho, alpha = float(rng.choice([1, 1.5, 2, 3])), float(rng.choice([0.01, 0.05, 0.1]))
    t = looks / looks[-1]
    spent = alpha / 2 * t ** rho
    nodes, weights = special.roots_legendre(300)
    z, grid, mass = [], None, None
    for k in range(count):
        if k == 0:
            edge = stats.norm.isf(spent[0]) * math.sqrt(t[0])
            sd = math.sqrt(t[0])
            grid = edge * nodes
            mass = edge * weights * stats.norm.pdf(grid, scale=sd)
        else:
            sd = math.sqrt(t[k] - t[k - 1])
            edge = optimize.brentq(
                lambda c: (mass * stats.norm.sf((c - grid) / sd)).sum() - (spent[k] - spent[k - 1]),
                0, 12 * math.sqrt(t[k]), xtol=1e-13)
            following = edge * nodes
            mass = edge * weights * (mass * stats.norm.pdf(following[:, None] - grid, scale=sd)
                                     ).sum(axis=1)
            grid = following
        z.append(edge / math.sqrt(t[k]))
    case("group_sequential_power_spending",
         {"looks": [int(n) for n in looks], "rho": rho, "alpha_two_sided": alpha},
         {"z": z, "nominal_p_two_sided": [2 * stats.norm.sf(v) for v in z]})


def anytime(rng):
    n, alpha, g = int(rng.integers(4, 80)), float(rng.choice([0.01, 0.05])), float(rng.choice([0.5, 1, 2]))

    def evidence(t):
        f = n - 1
        return (-0.5 * math.log(1 + n * g) + n / 2 * (math.log1p(t * t / f) -
                math.log1p(t * t / (f * (1 + n * g)))) + math.log(alpha))
    if evidence(1e8) > 1e-3:
        case("anytime_t", {"n": [n], "alpha": alpha, "g": g},
             {"abs_t": [optimize.brentq(evidence, 0, 1e8, xtol=1e-13, rtol=1e-14)]})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=18)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    for _ in range(args.count):
        for write in (welch, summary, yuen, mann_whitney, hodges_lehmann, signed_rank,
                      pooled_ranks, adjusted, power, distributions, sequences, group_sequential,
                      anytime):
            write(rng)
    cases = ",\n".join(json.dumps(c, separators=(",", ":")) for c in CASES)
    print('{"generator":"generate.py --seed %d --count %d","cases":[\n%s\n]}'
          % (args.seed, args.count, cases))


if __name__ == "__main__":
    main()
