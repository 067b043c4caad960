/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What probing adds to a counter, found out on this machine by functions of known length.
 *
 * A function whose instructions are known is probed as the scopes are, in a set of the same size
 * with the same events, and read. A longer one tells how much an instruction adds to the event, so
 * that the function's own part is known, and the rest is the probes': for instructions this is
 * exact. What a probed call adds to a scope around it is the difference between a function that
 * calls a probed one, and one that calls a copy of it that is not probed.
 */
#ifndef ABSTAT_SCOPE_CALIBRATE_H
#define ABSTAT_SCOPE_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "scope-set.h"

/* A way to be probed: the class of the first instruction, and the ending. */
#define SCOPE_WAYS ((size_t)SCOPE_CLASSES * SCOPE_ENDINGS)

struct scope_way {
	bool known;
	struct scope_constant *constants;     /* [cost]: of a whole function */
	double *instruction, *instruction_se; /* [cost]: what one instruction adds */
};

struct scope_calibration {
	/* Asked before each run; true ends it. NULL: nothing does. The caller's, set before. */
	bool (*interrupted)(void);
	size_t n_costs;
	struct scope_way ways[SCOPE_WAYS];
};

/*
 * Measures the ways in which the N_TARGETS of TARGETS are probed, so many of them (AT_ONCE) in one
 * set with EVENTS; marked regions are not, and functions of the kernel cannot be measured. Takes
 * some tenths of a second a way. 0, or -errno with a message, -EINTR where it was interrupted:
 * nothing is known then, and costs have the probes' part in them.
 */
int scope_calibrate(struct scope_calibration *c, const struct event *const *events, size_t n_events,
		    const struct scope_target *targets, size_t n_targets, size_t at_once, char *err,
		    size_t err_size);
void scope_calibration_release(struct scope_calibration *c);

/* The constants of TARGET, one a cost; false: its way was not measured, and they are not known. */
bool scope_calibration_of(const struct scope_calibration *c, const struct scope_target *target,
			  struct scope_constant *constants);

#endif
