/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading ring buffers: records are copied out word by word, as they may wrap.
 */
#include "scope-ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Larger records are none of ours. */
#define MAX_WORDS 512

int scope_ring_init(struct scope_ring *r, const struct scope_group *group)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	*r = (struct scope_ring){.group = group,
				 .page = group->ring,
				 .data = (const char *)group->ring + page,
				 .size = group->ring_size - page};
	r->tail = ((struct perf_event_mmap_page *)r->page)->data_tail;
	r->words = calloc(MAX_WORDS, sizeof(*r->words));
	return r->words ? 0 : -ENOMEM;
}

void scope_ring_release(struct scope_ring *r)
{
	free(r->words);
	*r = (struct scope_ring){0};
}

void scope_ring_refresh(struct scope_ring *r)
{
	struct perf_event_mmap_page *page = r->page;

	r->head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
}

void scope_ring_publish(struct scope_ring *r)
{
	struct perf_event_mmap_page *page = r->page;

	__atomic_store_n(&page->data_tail, r->tail, __ATOMIC_RELEASE);
}

static void copy_out(const struct scope_ring *r, void *to, size_t size)
{
	size_t at = (size_t)(r->tail & (r->size - 1));
	size_t first = size < r->size - at ? size : (size_t)(r->size - at);

	memcpy(to, r->data + at, first);
	memcpy((char *)to + first, r->data, size - first);
}

/* IDs of a group are given in the order of opening: mostly one after the other. */
static size_t member_of(const struct scope_group *g, uint64_t id)
{
	size_t guess = (size_t)(id - g->ids[0]);

	if (guess < g->n && g->ids[guess] == id)
		return guess;
	for (size_t i = 0; i < g->n; i++)
		if (g->ids[i] == id)
			return i;
	return g->n;
}

static uint32_t half(const uint64_t *word, int which)
{
	uint32_t halves[2];

	memcpy(halves, word, sizeof(halves));
	return halves[which];
}

/*
 * The words after the header: identifier, process and thread, time, CPU, then the group: number,
 * enabled, running, values; and where registers were asked for, their ABI (0: none) and one value.
 */
static void decode_sample(struct scope_ring *r)
{
	const uint64_t *w = r->words + 1;
	size_t n = r->group->n;

	r->record.kind = RING_OTHER;
	if (r->n_words < 8 + n || w[4] != n)
		return;
	r->record.member = member_of(r->group, w[0]);
	if (r->record.member == n)
		return;
	r->record.kind = RING_SAMPLE;
	r->record.tid = (pid_t)half(&w[1], 1);
	r->record.time = w[2];
	r->record.cpu = half(&w[3], 0);
	r->record.values = w + 7;
	if (r->n_words >= 10 + n && w[7 + n])
		r->record.sp = w[8 + n];
}

static void decode(struct scope_ring *r, const struct perf_event_header *header)
{
	const uint64_t *w = r->words;

	r->record = (struct ring_record){.kind = RING_OTHER};
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		decode_sample(r);
		break;
	case PERF_RECORD_EXIT: /* process and parent, thread and parent, time */
		if (r->n_words < 4)
			break;
		r->record.kind = RING_EXIT;
		r->record.tid = (pid_t)half(&w[2], 0);
		r->record.time = w[3];
		break;
	case PERF_RECORD_FORK: /* likewise; a new thread is of the same process */
		if (r->n_words < 4)
			break;
		r->record.kind = half(&w[1], 0) == half(&w[1], 1) ? RING_THREAD : RING_FORK;
		r->record.tid = (pid_t)half(&w[2], 1);
		r->record.time = w[3];
		break;
	case PERF_RECORD_COMM: /* process and thread, name, then: the same, time, CPU, ID */
		if (!(header->misc & PERF_RECORD_MISC_COMM_EXEC) || r->n_words < 6)
			break;
		r->record.kind = RING_EXEC;
		r->record.tid = (pid_t)half(&w[1], 1);
		r->record.time = w[r->n_words - 3];
		break;
	case PERF_RECORD_LOST: /* ID, number */
		r->record.kind = RING_LOST;
		break;
	case PERF_RECORD_THROTTLE: /* time, ID, stream */
		r->record.kind = RING_THROTTLE;
		break;
	default:
		break;
	}
}

bool scope_ring_next(struct scope_ring *r)
{
	struct perf_event_header header;

	if (r->pending)
		return true;
	if (r->tail == r->head)
		return false;
	copy_out(r, &header, sizeof(header));
	r->record_size = header.size;
	r->n_words = header.size / sizeof(uint64_t);
	if (r->n_words <= MAX_WORDS) {
		copy_out(r, r->words, header.size);
		decode(r, &header);
	} else {
		r->record = (struct ring_record){.kind = RING_OTHER};
	}
	r->pending = true;
	return true;
}

void scope_ring_consume(struct scope_ring *r)
{
	r->tail += r->record_size;
	r->pending = false;
}
