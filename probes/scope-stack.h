/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack of a thread's open calls, private to pairing.
 */
#ifndef ABSTAT_SCOPE_STACK_H
#define ABSTAT_SCOPE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scope-pair.h"
#include "scope-thread.h"

struct pairing {
	const struct pair_layout *layout;
	const struct pair_sink *sink;
	struct thread_table threads;
	struct pair_count *counts;
	uint64_t *scratch; /* a cost, numbers of calls a row, and nested ones */
};

/* The call at DEPTH, from the outermost on. */
struct pair_frame *stack_frame(const struct pairing *p, const struct pair_thread *t, size_t depth);

/* The call at DEPTH returned, at SAMPLE. */
void stack_complete(struct pairing *p, struct pair_thread *t, size_t depth,
		    const struct pair_sample *sample);

/*
 * The call at DEPTH was left without a return, or (AT_EXIT) with its program: what was seen in it
 * belongs to what it was called from.
 */
void stack_abandon(struct pairing *p, struct pair_thread *t, size_t depth, bool at_exit);
void stack_abandon_all(struct pairing *p, struct pair_thread *t);

/* The costs of the open calls of SCOPE, or of ALL, are not to be known any more. */
void stack_void(const struct pairing *p, const struct pair_thread *t, unsigned scope, bool all);

#endif
