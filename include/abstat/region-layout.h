/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory that abstat shares with a program whose regions it measures.
 *
 * abstat makes a sealed memory file for each run, and names it in the environment variable
 * ABSTAT_REGIONS. It has a head, and slots: one for each thread that is in regions, which another
 * thread may have before and after. A slot has a tally of each region. Everything is written by the
 * program without locks; abstat reads it after the run. Nothing in it is an address.
 *
 * Not for use by programs: it changes with ABSTAT_REGION_VERSION.
 */
#ifndef ABSTAT_REGION_LAYOUT_H
#define ABSTAT_REGION_LAYOUT_H

#include <stdint.h>

#define ABSTAT_REGION_MAGIC UINT64_C(0x6e6f696765726261)
#define ABSTAT_REGION_VERSION 1U

#define ABSTAT_REGION_NAMES 64 /* regions in a file at most: one bit each in a word */
#define ABSTAT_REGION_NAME_SIZE 64
#define ABSTAT_REGION_EVENTS 15 /* events at most */
#define ABSTAT_REGION_COSTS 16  /* cost 0 is time, in ticks; the others are events */
#define ABSTAT_REGION_ATTR_SIZE 160
#define ABSTAT_REGION_ALIGN 65536 /* of slots: the largest page */

/*
 * A histogram of 63-bit values: 2048 buckets of width 1, then 1024 for each further power of two.
 * So a value is known within 0.1 %, and exactly below 2048.
 */
#define ABSTAT_REGION_BUCKETS 55296

/* Calls of one region in one slot. Followed by the histograms of its costs. */
struct abstat_region_tally {
	uint64_t calls;    /* begins */
	uint64_t measured; /* ends that found their begin, with a cost */
	uint64_t
	    interrupted; /* of these: the thread left its CPU, or a counter was moved, inside */
	uint64_t not_counted; /* begins whose counters could not be read, or ends */
	uint64_t lost;        /* begins in a signal handler that came amid a marker, or too deep */
	uint64_t unbegun;     /* ends without a begin */
	uint64_t sum[ABSTAT_REGION_COSTS];      /* of all measured calls, recursive ones too */
	uint64_t repeated[ABSTAT_REGION_COSTS]; /* the part of recursive ones */
	uint64_t nested[ABSTAT_REGION_COSTS];   /* the part of regions directly within */
	uint64_t removed[ABSTAT_REGION_COSTS];  /* markers' own costs that the sum is without */
};

/* The beginning of a slot; its tallies follow. */
struct abstat_region_slot {
	uint32_t error;     /* why this thread's events are not counted: an errno; 0: they are */
	uint32_t user;      /* counters were read in user space */
	uint32_t time_mult; /* nanoseconds are ticks × mult >> shift */
	uint32_t time_shift;
	/* As calibrated: what an empty region read before this was removed, the pair around it. */
	uint64_t inside[ABSTAT_REGION_COSTS];
	uint64_t around[ABSTAT_REGION_COSTS];
	uint64_t spread[ABSTAT_REGION_COSTS]; /* of inside: quartile distance */
	uint64_t reserved[14];
};

/* The head. What abstat writes does not change while a program runs. */
struct abstat_region_file {
	uint64_t magic;
	uint32_t version;
	uint32_t n_regions;
	uint32_t n_events;
	uint32_t n_slots;
	uint64_t size;      /* of the file */
	uint64_t owners_at; /* uint32_t[n_slots]: the thread that has the slot, 0: free */
	uint64_t slots_at;
	uint64_t slot_size;
	uint64_t tally_size;
	/* Written by programs, atomically. */
	uint32_t programs;   /* that have found the file, and have a region that was asked for */
	uint32_t slots_used; /* the highest, plus 1 */
	uint32_t error;      /* an errno of a thread that could not be followed */
	uint32_t reserved[5];
	uint64_t present;                         /* a bit a region: a program has it */
	uint64_t unfollowed[ABSTAT_REGION_NAMES]; /* begins in threads that have no slot */
	uint64_t unbegun[ABSTAT_REGION_NAMES];    /* ends in threads that never began any */
	char names[ABSTAT_REGION_NAMES][ABSTAT_REGION_NAME_SIZE];
	/* Two of each event: to be read in user space, and where that is refused. */
	unsigned char attrs[ABSTAT_REGION_EVENTS][2][ABSTAT_REGION_ATTR_SIZE];
};

#endif
