/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proportion.h - how sure a share is that was counted: the interval of Clopper and Pearson
 * (Biometrika 26, 1934).
 *
 * It inverts the two one-sided exact binomial tests, so it covers the true share at least as often
 * as its level says, for any number of trials and any share. It is wider than it need be where
 * there are few. The trials must be independent.
 */
#ifndef ABSTAT_STATS_PROPORTION_H
#define ABSTAT_STATS_PROPORTION_H

#include <stddef.h>

struct proportion {
	double share;     /* hits / trials */
	double low, high; /* of the two-sided interval */
	double level;
};

/* hits of trials at a level in (0, 1). -EDOM for no trials, -EINVAL for hits above trials. */
int proportion_of(struct proportion *p, size_t hits, size_t trials, double level);

#endif
