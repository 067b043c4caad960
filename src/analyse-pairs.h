/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which sides are compared with which: each with the first, with --baseline, or as --pairs says.
 */
#ifndef ABSTAT_ANALYSE_PAIRS_H
#define ABSTAT_ANALYSE_PAIRS_H

#include <stddef.h>

#include "analyse.h"

/*
 * *PAIRS receives 2 × *N indices of sides, baseline and variant in turn; the caller frees it. A side is named by its name, or
 * by its letter (A is the first) where no side has that name. 0, -ENOMEM, or -EINVAL with a message in ERR.
 */
int analyse_pairs(const struct analyse_side *sides, size_t n_sides, const struct judge_options *options,
		  size_t **pairs, size_t *n, char *err, size_t err_size);

#endif
