/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The size of the spawner in memory. exec folds the high-water mark of the memory that a process
 * leaves into the peak of the process, and with vfork semantics that memory is the spawner's.
 */
#ifndef ABSTAT_FOOTPRINT_H
#define ABSTAT_FOOTPRINT_H

#include <stddef.h>
#include <stdint.h>

#define FOOTPRINT_RANGES 64

struct footprint {
	struct footprint_range {
		unsigned long start;
		unsigned long end;
	} ranges[FOOTPRINT_RANGES]; /* pages that can be read from their files again */
	size_t n;
};

/* Finds what can be given back. Best effort: what cannot be found stays. */
void footprint_init(struct footprint *f);

/*
 * Gives it back, and resets the mark. To be called again when much was used that will not be again.
 */
void footprint_trim(const struct footprint *f);

/* The mark, in bytes. */
uint64_t footprint_peak(void);

#endif
