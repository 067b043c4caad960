/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sequential.c - looks, alpha spending and boundaries of a group-sequential test.
 *
 * With t = n / N, W = Z sqrt(t) has independent increments N(0, t_k - t_(k-1)). The density of W
 * among experiments that have not stopped is kept on a grid between the boundaries and carried
 * from look to look by convolution.
 */
#include "sequential.h"

#include <errno.h>
#include <math.h>

#include "dist.h"

enum { GRID = 501 }; /* points, odd for Simpson's rule */

/* Beyond this a normal tail is 0 in double precision. */
static const double FAR = 38;

/* The density of W at a look, inside +-edge, with the weights of Simpson's rule in it. */
struct density {
	double edge;
	double mass[GRID];
};

static double point(double edge, int i)
{
	return edge * (2.0 * i / (GRID - 1) - 1);
}

static double weight(double edge, int i)
{
	double w = i == 0 || i == GRID - 1 ? 1 : i % 2 ? 4 : 2;

	return w * (2 * edge / (GRID - 1)) / 3;
}

static double normal_density(double x, double sd)
{
	return exp(-0.5 * (x / sd) * (x / sd)) / (sd * sqrt(2 * M_PI));
}

static void first_density(struct density *f, double edge, double sd)
{
	f->edge = edge;
	for (int i = 0; i < GRID; i++)
		f->mass[i] = weight(edge, i) * normal_density(point(edge, i), sd);
}

static void carry(struct density *next, const struct density *f, double edge, double sd)
{
	next->edge = edge;
	for (int i = 0; i < GRID; i++) {
		double at = point(edge, i), sum = 0;

		for (int j = 0; j < GRID; j++)
			sum += f->mass[j] * normal_density(at - point(f->edge, j), sd);
		next->mass[i] = weight(edge, i) * sum;
	}
}

/* P(not stopped before, and now above edge), and its derivative. */
static double crossing(const struct density *f, double edge, double sd, double *slope)
{
	double sum = 0;

	*slope = 0;
	for (int i = 0; i < GRID; i++) {
		double gap = edge - point(f->edge, i);

		sum += f->mass[i] * dist_normal_tail(gap / sd);
		*slope -= f->mass[i] * normal_density(gap, sd);
	}
	return sum;
}

/* The edge crossed with the given probability: Newton's steps, bisection where they stray. */
static double solve_edge(const struct density *f, double sd, double chance, double far)
{
	double low = 0, high = far, at = fmin(f->edge, far);

	for (int i = 0; i < 200 && high - low > 1e-14 * high; i++) {
		double slope, over = crossing(f, at, sd, &slope) - chance, next;

		if (over > 0)
			low = at;
		else
			high = at;
		next = slope < 0 ? at - over / slope : NAN;
		if (!(next > low && next < high))
			next = 0.5 * (low + high);
		if (fabs(next - at) <= 1e-13 * at)
			return next;
		at = next;
	}
	return at;
}

static void next_boundary(struct sequential *plan, size_t k, struct density *f)
{
	double t = (double)plan->n[k] / (double)plan->max_n;
	double before = k ? (double)plan->n[k - 1] / (double)plan->max_n : 0;
	double chance = plan->spent[k] - (k ? plan->spent[k - 1] : 0), sd = sqrt(t - before);
	double far = FAR * sqrt(t), edge;
	struct density next;

	if (k == 0)
		edge = dist_normal_quantile_upper(chance) * sqrt(t);
	else if (chance > 0)
		edge = solve_edge(f, sd, chance, far);
	else
		edge = far;
	plan->z[k] = chance > 0 ? edge / sqrt(t) : INFINITY;
	/* Of the first look the level is what is spent, without the detour through z. */
	plan->level[k] = k ? 2 * dist_normal_tail(plan->z[k]) : 2 * chance;
	if (k + 1 == plan->looks)
		return;
	/* Far beyond the standard deviation there is nothing for the grid to follow. */
	edge = fmin(edge, 9 * sqrt(t));
	if (k == 0) {
		first_density(f, edge, sd);
	} else {
		carry(&next, f, edge, sd);
		*f = next;
	}
}

/* Fills z and level from looks, n and spent. */
static void boundaries(struct sequential *plan)
{
	struct density f;

	for (size_t k = 0; k < plan->looks; k++)
		next_boundary(plan, k, &f);
}

static int valid(double alpha, double rho)
{
	return alpha > 0 && alpha < 1 && rho > 0 && isfinite(rho);
}

int sequential_looks(size_t max_n, double alpha, double rho, size_t n[SEQUENTIAL_MAX_LOOKS])
{
	size_t first = SEQUENTIAL_FIRST;
	double at;
	int looks = 0;

	if (max_n == 0 || !valid(alpha, rho))
		return -EINVAL;
	while (first < max_n && exp2(1 - (double)first) >
					alpha * pow((double)first / (double)max_n, rho))
		first++;
	for (at = (double)first; looks < SEQUENTIAL_MAX_LOOKS - 1; at *= M_SQRT2) {
		double rounded = round(at);

		if (rounded >= 0.85 * (double)max_n)
			break;
		n[looks++] = (size_t)rounded;
	}
	n[looks++] = max_n;
	return looks;
}

int sequential_at(struct sequential *plan, const size_t *n, size_t looks, double alpha, double rho)
{
	struct sequential p = {.alpha = alpha, .rho = rho, .looks = looks};

	if (looks == 0 || looks > SEQUENTIAL_MAX_LOOKS || !valid(alpha, rho))
		return -EINVAL;
	p.max_n = n[looks - 1];
	for (size_t k = 0; k < looks; k++) {
		if (n[k] == 0 || (k && n[k] <= n[k - 1]))
			return -EINVAL;
		p.n[k] = n[k];
		p.spent[k] = alpha / 2 * pow((double)n[k] / (double)p.max_n, rho);
	}
	boundaries(&p);
	*plan = p;
	return 0;
}

int sequential_plan(struct sequential *plan, size_t max_n, double alpha, double rho)
{
	size_t n[SEQUENTIAL_MAX_LOOKS];
	int looks = sequential_looks(max_n, alpha, rho, n);

	return looks < 0 ? looks : sequential_at(plan, n, (size_t)looks, alpha, rho);
}

int sequential_fixed(struct sequential *plan, size_t n, double alpha)
{
	return sequential_at(plan, &n, 1, alpha, SEQUENTIAL_RHO);
}

int sequential_end(struct sequential *out, const struct sequential *plan, size_t done, size_t n)
{
	struct sequential p = *plan;

	if (done >= SEQUENTIAL_MAX_LOOKS || done > plan->looks || n > plan->max_n ||
	    n <= (done ? plan->n[done - 1] : 0))
		return -EINVAL;
	p.looks = done + 1;
	p.n[done] = n;
	p.spent[done] = p.alpha / 2;
	boundaries(&p);
	*out = p;
	return 0;
}

int sequential_respend(struct sequential *out, const struct sequential *plan, double alpha)
{
	struct sequential p = *plan;

	if (!valid(alpha, plan->rho))
		return -EINVAL;
	p.alpha = alpha;
	for (size_t k = 0; k < p.looks; k++)
		p.spent[k] *= alpha / plan->alpha;
	boundaries(&p);
	*out = p;
	return 0;
}
