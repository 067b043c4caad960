/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a set of counters consists of, and how it is opened.
 */
#ifndef ABSTAT_COUNTER_SET_H
#define ABSTAT_COUNTER_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "counter-open.h"
#include "counter.h"

/* The slot of a counter that no caller asked for. */
#define COUNTER_NO_SLOT ((size_t)-1)

struct counter {
	int fd;
	bool leader;
	bool steady; /* never waits for a hardware counter, nor do others of its {group} */
	size_t slot;
	struct counter_reading
	    last;           /* what was read last; a pinned event may lose its counter then */
	uint64_t since;     /* enabled time between the last two reads */
	uint64_t forgotten; /* enabled time that the kernel forgot; see counter.c */
};

/* Not inherited, never enabled; see open_companions(). */
struct companion {
	int fd;
	const char *pmu;
};

struct counter_set {
	struct counter *counters;
	size_t n;
	size_t slots;
	struct companion *companions;
	size_t n_companions;
	bool system_wide;
	bool pinned;
};

/*
 * Opens everything of CONFIG into SET, whose arrays have room for config->n (system-wide: × n_cpus)
 * + 1 members. SLOT_ERRORS, all 0, as in counter_set_open(). Returns 0, or -errno if nothing can be
 * opened any more.
 */
int counter_set_fill(struct counter_set *set, const struct counter_config *config,
		     int *slot_errors);

#endif
