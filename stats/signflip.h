/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signflip.h - the exact distribution of a sum of whole numbers under all sign-flips.
 *
 * For d[0..n-1], S is the sum of the positive ones and S* the same sum when every sign is drawn
 * anew by a fair coin: 2^n equally likely outcomes (Fisher, The Design of Experiments, 1935).
 * Dynamic programming over the sums (Pagano and Tritchler, JASA 78, 1983): n x (sum of |d|)
 * steps at most, less what division by the greatest common divisor and following only the shorter
 * tail save. Zeros change nothing.
 */
#ifndef ABSTAT_STATS_SIGNFLIP_H
#define ABSTAT_STATS_SIGNFLIP_H

#include <stddef.h>
#include <stdint.h>

struct signflip; /* room for one calculation after another */

/*
 * Room for numbers whose positive or whose negative part adds up to max_tail at most:
 * 16 (max_tail + 1) bytes, or NULL.
 */
struct signflip *signflip_new(size_t max_tail);
void signflip_free(struct signflip *flip);

/* *greater = P(S* >= S), *less = P(S* <= S); both 1 where all d are 0. */
void signflip_tails(struct signflip *flip, const int64_t *d, size_t n, double *greater,
		    double *less);

#endif
