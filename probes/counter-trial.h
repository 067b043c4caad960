/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether events get hardware counters together: tried on a busy child.
 */
#ifndef ABSTAT_COUNTER_TRIAL_H
#define ABSTAT_COUNTER_TRIAL_H

#include <stddef.h>

struct event;

/*
 * Forks a child that opens EVENTS pinned on itself (those of one {group} together), computes for a
 * few milliseconds, and sees whether each of them ran all the time. Returns 1 if so, 0 if not, or
 * -errno if the child could not be run.
 */
int counter_trial(const struct event *const *events, size_t n);

#endif
