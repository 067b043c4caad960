/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sortvalues.h - sorting values, alone or with the places that they came from.
 *
 * Few values are sorted by comparing them, many by the bytes of their bits, the least significant
 * first (Knuth, The Art of Computer Programming 3, 5.2.5): at most 8 passes, and none over a byte
 * that all values share. That needs room for two copies; where it cannot be had, many
 * are sorted like few. -0 may be put before 0. The values must not be NaN.
 */
#ifndef ABSTAT_STATS_SORTVALUES_H
#define ABSTAT_STATS_SORTVALUES_H

#include <stddef.h>

struct place {
	double value;
	size_t index; /* where it was */
};

/* Sorts x ascending. Allocates 16 n bytes for many values. */
void sort_doubles(double *x, size_t n);

/*
 * The values of x with their places, ascending, for the caller to free; NULL: no
 * memory. Allocates 16 n bytes, and 32 n more while it sorts many.
 */
struct place *sort_places(const double *x, size_t n);

#endif
