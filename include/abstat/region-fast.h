/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markers in as few instructions as it takes, where every counter can be read in user space and is as
 * wide as on most machines. Part of abstat/region.h.
 *
 * The same as abstat_region_begin() and abstat_region_end() in region-marker.h, to which everything
 * unusual is left: it is found out before anything has changed, or undone. Assembly, as compilers
 * take twice as many, and each another number. This file has what it knows of the structures.
 */
#ifndef ABSTAT_REGION_FAST_H
#define ABSTAT_REGION_FAST_H

#include "region-thread.h"

#define ABSTAT_REGION_PLACED_(type, member, offset)                                                \
	typedef char abstat_region_place_##member[__builtin_offsetof(struct type, member) ==       \
							  (offset)                                 \
						      ? 1                                          \
						      : -1]
ABSTAT_REGION_PLACED_(abstat_region_thread, end, 8);
ABSTAT_REGION_PLACED_(abstat_region_thread, slot, 16);
ABSTAT_REGION_PLACED_(abstat_region_thread, last, 24);
ABSTAT_REGION_PLACED_(abstat_region_thread, current, 32);
ABSTAT_REGION_PLACED_(abstat_region_thread, bias, 40);
ABSTAT_REGION_PLACED_(abstat_region_thread, events, 48);
ABSTAT_REGION_PLACED_(abstat_region_thread, place, 288);
ABSTAT_REGION_PLACED_(abstat_region_frame, tally, 384);
ABSTAT_REGION_PLACED_(abstat_region_frame, mask, 392);
ABSTAT_REGION_PLACED_(abstat_region_frame, stack, 400);
ABSTAT_REGION_PLACED_(abstat_region_frame, lock, 408);
ABSTAT_REGION_PLACED_(abstat_region_frame, odd, 412);
ABSTAT_REGION_PLACED_(abstat_region_tally, measured, 8);
ABSTAT_REGION_PLACED_(abstat_region_tally, interrupted, 16);
ABSTAT_REGION_PLACED_(abstat_region_tally, sum, 48);
ABSTAT_REGION_PLACED_(abstat_region_tally, removed, 432);
typedef char abstat_region_place_size[sizeof(struct abstat_region_frame) == 416 &&
					      sizeof(struct abstat_region_tally) == 560 &&
					      ABSTAT_REGION_BUCKETS * sizeof(uint32_t) == 54 << 12
					  ? 1
					  : -1];

#if defined(__x86_64__)
#include "region-fast-x86.h"
#else
#include "region-fast-arm64.h"
#endif

/* A begin that was a thread's first begins again, now that it can be done here. */
__asm__(ABSTAT_REGION_SAVED_("abstat_region_begin_saved", "abstat_region_begin",
			     ABSTAT_REGION_AGAIN_)
	    ABSTAT_REGION_SAVED_("abstat_region_end_saved", "abstat_region_end", "")
		ABSTAT_REGION_SAVED_("abstat_region_finish_saved", "abstat_region_finish", ""));

#endif
