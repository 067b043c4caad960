/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program with marked regions for a test, and has what it counted.
 */
#ifndef REGION_FIXTURE_H
#define REGION_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "region-set.h"
#include "scope-set.h"

enum { NAMES = 16, EVENTS = 2, COSTS };

struct region_fixture {
	struct event events[EVENTS];
	const struct event *pointers[EVENTS];
	struct region_config config;
	struct region_set *set;
	struct scope_calls calls[NAMES];
	struct scope_cost costs[NAMES * COSTS];
	double outermost[COSTS], overhead[COSTS];
	bool counted[COSTS];
	struct region_programs programs;
	char out[256];
	char err[256];
};

struct event region_fixture_event(uint64_t config, const char *name);

/*
 * Opens the set with the regions NAMES, of which there are at most 16, and F's first N_EVENTS events.
 * 0 or -errno, with a message in F's err.
 */
int region_fixture_open(struct region_fixture *f, const char *const *names, size_t n_names,
			size_t n_events, int *errors);

/*
 * Runs `PROGRAM MODE N` to its end, which is to be good, with VARIABLE for its environment (NULL:
 * nothing). What it prints is in TEXT.
 */
void region_fixture_start(const char *program, const char *mode, const char *n,
			  const char *variable, char *text, size_t size);

/* The same under F's set; what it prints is in F's out. */
void region_fixture_run(struct region_fixture *f, const char *program, const char *mode,
			const char *n);

/* A region's costs: of each event, and of time. */
const struct scope_cost *costs_of(const struct region_fixture *f, size_t region);

/* calls = measured + lost + not counted + not followed + unreturned + missed */
void check_sum(const struct scope_calls *c);
void check_calls(const struct scope_calls *c, uint64_t calls, uint64_t measured);

#endif
