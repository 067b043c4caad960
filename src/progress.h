/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Progress: one line on a terminal, written over in place and erased at the end.
 *
 * It is for the time between blocks: nothing is written, computed or asked of the kernel while a
 * run is measured. Ask progress_due() first; it is false nearly always, and always where the stream
 * is no terminal, so that what the line would say need not be computed.
 */
#ifndef ABSTAT_PROGRESS_H
#define ABSTAT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format.h"

struct progress {
	FILE *out;
	bool on;
	bool drawn;       /* there is a line to erase */
	unsigned flags;   /* of text_put() */
	uint64_t next_ns; /* on CLOCK_MONOTONIC: not again before */
};

struct progress_state {
	bool warmup;
	size_t variants;     /* 1: blocks are called runs */
	uint64_t block;      /* that has ended, from 1 */
	uint64_t blocks;     /* the last one, 0: unknown */
	bool at_most;        /* it may end earlier */
	double seconds_left; /* NaN: unknown */
	const char *metric;  /* the primary metric, NULL: nothing is known of it yet */
	struct format_change
	    change;    /* of the second variant against the first, where there are two or more */
	double spread; /* with one variant: the standard error in % of the mean, NaN: unknown */
};

/* Off where WANTED is false, OUT is no terminal, or TERM is unset or "dumb". */
void progress_init(struct progress *p, FILE *out, bool wanted);

/* True at most five times a second. */
bool progress_due(const struct progress *p);

void progress_draw(struct progress *p, const struct progress_state *state);

/* Erases the line: before anything else is written to the terminal, and at the end. */
void progress_erase(struct progress *p);

#endif
