/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring buffer that the kernel writes records to, and what they say.
 */
#ifndef ABSTAT_SCOPE_RING_H
#define ABSTAT_SCOPE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "scope-group.h"

enum ring_record_kind {
	RING_SAMPLE,
	RING_EXEC,   /* the thread executes another program */
	RING_EXIT,   /* the thread ended */
	RING_FORK,   /* the thread started a process */
	RING_THREAD, /* likewise, another thread */
	RING_LOST,   /* samples */
	RING_THROTTLE,
	RING_OTHER,
};

struct ring_record {
	enum ring_record_kind kind;
	uint64_t time; /* 0: as the one before */
	pid_t tid;
	unsigned cpu;           /* RING_SAMPLE: that the thread was on */
	size_t member;          /* RING_SAMPLE: what was hit */
	uint64_t sp;            /* 0: none */
	const uint64_t *values; /* RING_SAMPLE: of the group's members */
};

struct scope_ring {
	const struct scope_group *group;
	void *page; /* struct perf_event_mmap_page */
	const char *data;
	uint64_t size;
	uint64_t head; /* as last seen */
	uint64_t tail;
	bool pending;
	struct ring_record record; /* the next, if pending */
	uint64_t *words;           /* of that record */
	size_t n_words;
	size_t record_size;
};

/* GROUP is borrowed. 0 or -ENOMEM. */
int scope_ring_init(struct scope_ring *r, const struct scope_group *group);
void scope_ring_release(struct scope_ring *r);

/* Sees what was written until now. */
void scope_ring_refresh(struct scope_ring *r);

/* Takes the next record of what was seen into r->record, unless it is there; false: no more. */
bool scope_ring_next(struct scope_ring *r);

/* The record was used; and the kernel may overwrite all that were. */
void scope_ring_consume(struct scope_ring *r);
void scope_ring_publish(struct scope_ring *r);

#endif
