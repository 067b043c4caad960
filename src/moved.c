/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdict across scopes. */
#include "moved.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "dist.h"
#include "summary.h"
#include "welch.h"

/* Less than this share of what was won is lost again: then it was won after all. */
#define LOST_AT_LEAST 0.5
/* Calls that explain less than this share of a part's change do not explain it. */
#define CALLS_EXPLAIN 0.1

static const struct moved_amount unknown = {NAN, NAN, NAN};

/* Sums of the parts that have ROLE (MOVED_NEITHER: of all parts), run by run. */
static void add_up(double *sums, size_t n, const struct moved_input *in,
		   const enum moved_role *roles, enum moved_role role, bool variant)
{
	for (size_t i = 0; i < n; i++) {
		sums[i] = 0;
		for (size_t k = 0; k < in->n_parts; k++)
			if (role == MOVED_NEITHER || roles[k] == role)
				sums[i] += variant ? in->parts[k].b[i] : in->parts[k].a[i];
	}
}

/* The mean of the differences of pairs, which adds up where medians do not, with Student's
 * interval. */
static struct moved_amount paired_difference(const double *a, const double *b, size_t n,
					     double level)
{
	struct moments m = {0};

	for (size_t i = 0; i < n; i++)
		if (moments_add(&m, b[i] - a[i]))
			return unknown;
	if (!m.n)
		return unknown;
	double mean = moments_mean(&m);

	if (m.n < 2)
		return (struct moved_amount){mean, NAN, NAN};
	double half = dist_t_quantile(0.5 + level / 2, (double)m.n - 1) * moments_sem(&m);

	return (struct moved_amount){mean, mean - half, mean + half};
}

static struct moved_amount difference(const double *a, const double *b,
				      const struct moved_input *in)
{
	struct moved_amount d = unknown;
	struct welch w;

	if (in->paired)
		return paired_difference(a, b, in->n_a, in->level);
	if (welch_of(&w, a, in->n_a, b, in->n_b))
		return unknown;
	d.estimate = w.diff;
	if (welch_interval(&w, in->level, &d.low, &d.high))
		d.low = d.high = NAN;
	return d;
}

static double mean_of(const double *values, size_t n)
{
	struct moments m;

	return moments_of(&m, values, n) ? NAN : moments_mean(&m);
}

static bool is_better(const struct moved_input *in, double change)
{
	return in->larger_better ? change > 0 : change < 0;
}

/* Whether a part is better or worse by what it costs itself, and not only by what is nested in it.
 */
static enum moved_role role_of(const struct moved_input *in, const struct moved_part *part,
			       const struct moved_amount *d)
{
	if (part->side == MOVED_UNDECIDED || isnan(d->estimate))
		return MOVED_NEITHER;
	if (is_better(in, d->estimate) != (part->side == MOVED_BETTER))
		return MOVED_NEITHER;
	if (part->nested && !(d->low > 0 || d->high < 0))
		return MOVED_NEITHER;
	return part->side == MOVED_BETTER ? MOVED_WON : MOVED_LOST;
}

static bool calls_explain(const struct moved_part *part)
{
	return part->calls_changed && fabs(part->calls) > CALLS_EXPLAIN * fabs(part->change);
}

static bool has_role(const struct moved *m, const struct moved_input *in, enum moved_role role)
{
	for (size_t i = 0; i < in->n_parts; i++)
		if (m->roles[i] == role)
			return true;
	return false;
}

static enum moved_kind kind_of(const struct moved *m, const struct moved_input *in)
{
	bool by_calls = false, scope_won = false;

	if (in->whole_better || !has_role(m, in, MOVED_WON))
		return MOVED_NOT;
	for (size_t i = 0; i < in->n_parts; i++) {
		by_calls |= m->roles[i] != MOVED_NEITHER && calls_explain(&in->parts[i]);
		scope_won |= m->roles[i] == MOVED_WON && !in->parts[i].rest;
	}
	if (!by_calls && has_role(m, in, MOVED_LOST) &&
	    fabs(m->lost.estimate) >= LOST_AT_LEAST * fabs(m->won.estimate))
		return MOVED_MOVED;
	return scope_won && in->whole_open ? MOVED_NARROW : MOVED_NOT;
}

static struct moved_amount sum_difference(const struct moved *m, const struct moved_input *in,
					  double *a, double *b, enum moved_role role)
{
	if (!has_role(m, in, role))
		return unknown;
	add_up(a, in->n_a, in, m->roles, role, false);
	add_up(b, in->n_b, in, m->roles, role, true);
	return difference(a, b, in);
}

/* The whole first, for it takes no roles; then won, lost, and of both the net. */
static void amount_all(struct moved *m, const struct moved_input *in, double *a, double *b,
		       double *scratch)
{
	double won;

	add_up(a, in->n_a, in, NULL, MOVED_NEITHER, false);
	m->whole = mean_of(a, in->n_a);
	m->lost = sum_difference(m, in, a, b, MOVED_LOST);
	m->won = sum_difference(m, in, a, b, MOVED_WON);
	if (isnan(m->won.estimate))
		return;
	won = mean_of(a, in->n_a);
	m->share = m->whole > 0 ? won / m->whole : NAN;
	if (isnan(m->lost.estimate))
		return;
	add_up(scratch, in->n_a, in, m->roles, MOVED_LOST, false);
	for (size_t i = 0; i < in->n_a; i++)
		a[i] += scratch[i];
	add_up(scratch, in->n_b, in, m->roles, MOVED_LOST, true);
	for (size_t i = 0; i < in->n_b; i++)
		b[i] += scratch[i];
	m->net = difference(a, b, in);
}

int moved_find(struct moved *m, const struct moved_input *in)
{
	size_t most = in->n_a > in->n_b ? in->n_a : in->n_b;
	double *room = calloc(3 * (most + 1), sizeof(*room));

	*m = (struct moved){
	    .roles = calloc(in->n_parts + 1, sizeof(*m->roles)),
	    .amounts = calloc(in->n_parts + 1, sizeof(*m->amounts)),
	    .won = unknown,
	    .lost = unknown,
	    .net = unknown,
	    .whole = NAN,
	    .share = NAN,
	};
	if (!room || !m->roles || !m->amounts) {
		free(room);
		return -ENOMEM;
	}
	for (size_t i = 0; i < in->n_parts; i++) {
		m->amounts[i] = difference(in->parts[i].a, in->parts[i].b, in);
		m->roles[i] = role_of(in, &in->parts[i], &m->amounts[i]);
	}
	amount_all(m, in, room, room + most + 1, room + 2 * (most + 1));
	m->kind = kind_of(m, in);
	free(room);
	return 0;
}

void moved_release(struct moved *m)
{
	free(m->roles);
	free(m->amounts);
	*m = (struct moved){0};
}
