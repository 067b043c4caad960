/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The size of the spawner in memory. exec folds the high-water mark of the memory that a process
 * leaves into the peak of the process, and with vfork semantics that memory is the spawner's.
 */
#ifndef ABSTAT_FOOTPRINT_H
#define ABSTAT_FOOTPRINT_H

#include <stdint.h>

/*
 * Gives back the pages of files that can be read again when needed, and resets the mark. Best
 * effort.
 */
void footprint_trim(void);

/* The mark, in bytes. */
uint64_t footprint_peak(void);

#endif
