/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equivalence.c - two one-sided tests.
 */
#include "equivalence.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "pairrank.h"
#include "welch.h"

static bool positive(double margin)
{
	return margin > 0 && isfinite(margin);
}

static void both(struct tost *t, double p_lower, double p_upper)
{
	*t = (struct tost){p_lower, p_upper, fmax(p_lower, p_upper)};
}

/* Against ratio_low mean_a + shift_low and ratio_high mean_a + shift_high. */
static int welch_between(struct tost *t, const struct welch *w, double ratio_low, double shift_low,
			 double ratio_high, double shift_high)
{
	double above_low, below_high, unused;
	int err;

	err = welch_test_against(w, ratio_low, shift_low, &above_low, &unused);
	if (!err)
		err = welch_test_against(w, ratio_high, shift_high, &unused, &below_high);
	if (!err)
		both(t, above_low, below_high);
	return err;
}

int tost_welch(struct tost *t, const struct welch *w, double margin)
{
	return positive(margin) ? welch_between(t, w, 1, -margin, 1, margin) : -EINVAL;
}

int tost_welch_percent(struct tost *t, const struct welch *w, double fraction)
{
	if (w->mean_a == 0)
		return -EDOM;
	return tost_welch(t, w, fraction * fabs(w->mean_a));
}

int tost_welch_ratio(struct tost *t, const struct welch *w, double fraction)
{
	double low = 1 - fraction, high = 1 + fraction;

	if (!(fraction > 0 && fraction < 1))
		return -EINVAL;
	if (w->mean_a == 0)
		return -EDOM;
	if (w->mean_a > 0)
		return welch_between(t, w, low, 0, high, 0);
	return welch_between(t, w, high, 0, low, 0);
}

int tost_rank_ratio(struct tost *t, struct pairrank *pr, double fraction)
{
	struct pairrank_p low, high;

	if (!(fraction > 0 && fraction < 1))
		return -EINVAL;
	pairrank_test_ratio(pr, 1 - fraction, &low);
	pairrank_test_ratio(pr, 1 + fraction, &high);
	both(t, low.p_greater, high.p_less);
	return 0;
}

int tost_rank_shift(struct tost *t, struct pairrank *pr, double margin)
{
	struct pairrank_p low, high;

	if (!positive(margin))
		return -EINVAL;
	pairrank_test(pr, -margin, &low);
	pairrank_test(pr, margin, &high);
	both(t, low.p_greater, high.p_less);
	return 0;
}
