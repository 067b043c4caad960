/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Series: the values of one metric of one variant, taken out of a record for the statistics.
 *
 * Warm-up runs never count; nor does any run of a block in which one failed.
 */
#ifndef ABSTAT_SERIES_H
#define ABSTAT_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

struct series {
	double *values;
	uint32_t *blocks; /* the block of each */
	size_t *runs;	  /* the run of each: its index in the record */
	size_t n;
};

/* The blocks of RECORD that do not count; *N flags by block number. NULL if out of memory. */
bool *series_failed_blocks(const struct record *record, size_t *n);

/*
 * The values of METRIC of VARIANT, in the order run, without nulls. FAILED and N_FAILED are from series_failed_blocks().
 * 0 or -ENOMEM.
 */
int series_take(struct series *s, const struct record *record, size_t variant, size_t metric,
		const bool *failed, size_t n_failed);

/*
 * Moves *I on in A and *K on in B, which both ascend, to the next block that is in both. False if there is none left.
 */
bool series_next_common(const uint32_t *a, size_t n_a, size_t *i, const uint32_t *b, size_t n_b,
			size_t *k);

/* Keeps of A and B only the values whose blocks are in both, in the order of the blocks: A's i-th and B's i-th are a pair then. */
void series_pair(struct series *a, struct series *b);

void series_release(struct series *s);

#endif
