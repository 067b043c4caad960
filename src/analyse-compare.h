/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparing two sides, metric by metric, and correcting for being many.
 */
#ifndef ABSTAT_ANALYSE_COMPARE_H
#define ABSTAT_ANALYSE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyse.h"

/*
 * Fills report->comparisons from its metrics and variants, which are there. PAIRS are pairs of indices of sides, two numbers
 * each: baseline, variant. 0 or -ENOMEM, or -EINVAL with a message in ERR.
 */
int compare_sides(struct report *report, const struct analyse_input *input, const size_t *pairs,
		  size_t n_pairs, char *err, size_t err_size);

#endif
