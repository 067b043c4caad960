/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * multiple.h - p values of many tests, adjusted for being many.
 */
#ifndef ABSTAT_STATS_MULTIPLE_H
#define ABSTAT_STATS_MULTIPLE_H

#include <stddef.h>

/*
 * Holm (Scandinavian J. Statistics 6, 1979): any false alarm in the family at most alpha,
 * whatever the dependence. p_adjusted may be p. Allocates 16 n bytes for the time of the call.
 * -EINVAL for a p outside [0, 1] (a metric without a test is no member), -ENOMEM.
 */
int holm_adjust(const double *p, size_t n, double *p_adjusted);

/*
 * Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995): the share of false alarms among the
 * alarms; holds for independent or positively dependent tests. As above.
 */
int bh_adjust(const double *p, size_t n, double *p_adjusted);

#endif
