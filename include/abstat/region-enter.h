/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a thread comes to measure regions: at its first marker it takes a slot and opens the events
 * on itself. Part of abstat/region.h.
 *
 * Called from within a marker: no function of the C library is, but those that keep to the general
 * registers. Signals are blocked meanwhile.
 */
#ifndef ABSTAT_REGION_ENTER_H
#define ABSTAT_REGION_ENTER_H

#include "region-left.h"
#include "region-thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FD above those that programs choose by themselves, closed on exec; -errno if there is no room. */
ABSTAT_REGION_INLINE_ int abstat_region_move_up(int fd)
{
	uint64_t limit[2] = {0, 0};
	long high;

	abstat_region_call6(ABSTAT_REGION_PRLIMIT_, 0, 7, 0, (long)limit, 0, 0);
	high = limit[0] > 1048576 ? 786432 : (long)(limit[0] / 4 * 3);
	high = abstat_region_call(ABSTAT_REGION_FCNTL_, fd, ABSTAT_REGION_DUP_, high);
	abstat_region_call(ABSTAT_REGION_CLOSE_, fd, 0, 0);
	return (int)high;
}

ABSTAT_REGION_INLINE_ uint32_t *abstat_region_owner(struct abstat_region_file *file, uint32_t slot)
{
	return (uint32_t *)(void *)((char *)file + file->owners_at) + slot;
}

/* Takes a free slot, or one whose thread has ended without a word. */
ABSTAT_REGION_INLINE_ int abstat_region_take_slot(struct abstat_region_file *file, uint32_t *slot)
{
	uint32_t self = (uint32_t)abstat_region_call(ABSTAT_REGION_GETTID_, 0, 0, 0);

	for (uint32_t step = 0; step < 2 * file->n_slots; step++) {
		uint32_t i = step < file->n_slots ? step : step - file->n_slots;
		uint32_t *owner = abstat_region_owner(file, i);
		uint32_t old = __atomic_load_n(owner, __ATOMIC_RELAXED);
		uint32_t used = __atomic_load_n(&file->slots_used, __ATOMIC_RELAXED);

		if (old &&
		    (step < file->n_slots || abstat_region_call(ABSTAT_REGION_TKILL_, (long)old, 0,
								0) != -ABSTAT_REGION_ESRCH_))
			continue;
		if (!__atomic_compare_exchange_n(owner, &old, self, 0, __ATOMIC_ACQ_REL,
						 __ATOMIC_RELAXED))
			continue;
		while (used <= i &&
		       !__atomic_compare_exchange_n(&file->slots_used, &used, i + 1, 0,
						    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			continue;
		*slot = i;
		return 1;
	}
	return 0;
}

ABSTAT_REGION_INLINE_ int abstat_region_is_file(const struct abstat_region_process *process,
						long fd)
{
	struct abstat_region_stat found;

	return fd >= 0 && !abstat_region_look((int)fd, &found) && found.inode == process->inode &&
	       found.device[0] == process->device[0] && found.device[1] == process->device[1];
}

/* Maps a slot. The program may have closed the file's descriptor, or have another file at it. */
ABSTAT_REGION_INLINE_ char *abstat_region_map_slot(const struct abstat_region_process *process,
						   uint32_t slot)
{
	const struct abstat_region_file *file = process->file;
	uint64_t at = file->slots_at + slot * file->slot_size;
	long fd = process->fd;
	void *mapped = (void *)0;

	if (!abstat_region_is_file(process, fd)) {
		fd = abstat_region_call6(ABSTAT_REGION_OPENAT_, -100, (long)process->path,
					 ABSTAT_REGION_OPEN_, 0, 0, 0);
		if (fd < 0)
			return (char *)0;
	}
	if (fd == process->fd || abstat_region_is_file(process, fd))
		mapped =
		    abstat_region_map(file->slot_size, ABSTAT_REGION_MAP_SHARED_, (int)fd, at, 1);
	if (fd != process->fd)
		abstat_region_call(ABSTAT_REGION_CLOSE_, fd, 0, 0);
	if (mapped)
		abstat_region_call(ABSTAT_REGION_MADVISE_, (long)mapped, (long)file->slot_size,
				   ABSTAT_REGION_DONTFORK_);
	return (char *)mapped;
}

ABSTAT_REGION_INLINE_ void abstat_region_close_events(struct abstat_region_thread *t,
						      long page_size)
{
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->events[i].page)
			abstat_region_call(ABSTAT_REGION_MUNMAP_, (long)t->events[i].page,
					   page_size, 0);
		if (abstat_region_has_event(t, i))
			abstat_region_call(ABSTAT_REGION_CLOSE_, t->fds[i], 0, 0);
		t->events[i].page = (const struct abstat_region_page *)0;
		t->fds[i] = -1;
	}
	t->n = 0;
	t->last = 0;
	t->user = 0;
	t->lock = &t->none;
}

/* Opens event I of the group, and maps its page. 0 or -errno. */
ABSTAT_REGION_INLINE_ int abstat_region_open_event(struct abstat_region_thread *t,
						   const struct abstat_region_process *process,
						   uint32_t i)
{
	struct abstat_region_file *file = process->file;
	long leader = i ? t->fds[0] : -1;
	long fd = -1;

	for (int plain = 0; plain < 2 && fd < 0; plain++)
		fd = abstat_region_call6(ABSTAT_REGION_PERF_EVENT_OPEN_,
					 (long)file->attrs[i][plain], 0, -1, leader, 8, 0);
	if (fd < 0)
		return (int)fd;
	t->events[i].page = (const struct abstat_region_page *)abstat_region_map(
	    process->page_size, ABSTAT_REGION_MAP_SHARED_, (int)fd, 0, 0);
	/* A mapped event lives without its descriptor; the group is read by that of its leader. */
	if (i && t->events[i].page) {
		abstat_region_call(ABSTAT_REGION_CLOSE_, fd, 0, 0);
		fd = -1;
	} else {
		fd = abstat_region_move_up((int)fd);
	}
	t->fds[i] = (int32_t)fd;
	t->ids[i] = abstat_region_event_id(fd);
	t->n = i + 1;
	return fd < -1 ? (int)fd : 0;
}

/* Sets n and user, or leaves both 0 and returns -errno: a thread counts all of the events, or time
 * only. */
ABSTAT_REGION_INLINE_ int abstat_region_open_events(struct abstat_region_thread *t,
						    const struct abstat_region_process *process)
{
	uint32_t n = process->file->n_events;
	uint32_t user = n > 0;

	t->n = 0;
	t->lock = &t->none;
	for (uint32_t i = 0; i < n; i++) {
		int error = abstat_region_open_event(t, process, i);

		if (error) {
			abstat_region_close_events(t, process->page_size);
			return error;
		}
	}
	/*
	 * What joins a group that is counting may count, to the kernel, from the thread's next switch
	 * on only (task-clock in a group of page-faults): off and on they begin together.
	 */
	if (n > 1) {
		abstat_region_call(ABSTAT_REGION_IOCTL_, t->fds[0], ABSTAT_REGION_DISABLE_, 0);
		abstat_region_call(ABSTAT_REGION_IOCTL_, t->fds[0], ABSTAT_REGION_ENABLE_, 0);
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct abstat_region_page *page = t->events[i].page;

		if (!page || !(page->capabilities & ABSTAT_REGION_CAN_COUNT_) || !page->width ||
		    page->width > 64 || !abstat_region_is_counter(page->index))
			user = 0;
		else
			t->shift[i] = 64U - page->width;
	}
	t->user = user;
	t->last = 8 * (uint64_t)n;
	if (n && t->events[0].page)
		t->lock = &t->events[0].page->lock;
	return 0;
}

/* How time is read, and what a tick of it is. */
ABSTAT_REGION_INLINE_ void abstat_region_set_clock(struct abstat_region_thread *t, uint32_t *mult,
						   uint32_t *shift)
{
#if defined(__x86_64__)
	const struct abstat_region_page *page = t->events[0].page;

	t->ticks = page && (page->capabilities & ABSTAT_REGION_CAN_TIME_);
	*mult = t->ticks ? page->time_mult : 1;
	*shift = t->ticks ? page->time_shift : 0;
#else
	uint64_t hertz;

	__asm__ __volatile__("mrs %0, cntfrq_el0" : "=r"(hertz));
	t->ticks = hertz >= 1000000;
	*shift = t->ticks ? 22 : 0;
	*mult = t->ticks ? (uint32_t)((UINT64_C(1000000000) << 22) / hertz) : 1;
#endif
}

/* The memory of a thread: what fork(2) copies of it is zeros, as the kernel copies no counters. */
ABSTAT_REGION_INLINE_ struct abstat_region_thread *
abstat_region_new_block(struct abstat_region_process *process)
{
	uint64_t size = sizeof(struct abstat_region_thread);
	struct abstat_region_thread *t = (struct abstat_region_thread *)abstat_region_map(
	    size, ABSTAT_REGION_MAP_ANONYMOUS_, -1, 0, 1);

	if (!t)
		return t;
	if (abstat_region_call(ABSTAT_REGION_MADVISE_, (long)t, (long)size,
			       ABSTAT_REGION_WIPEONFORK_)) {
		abstat_region_call(ABSTAT_REGION_MUNMAP_, (long)t, (long)size, 0);
		return (struct abstat_region_thread *)0;
	}
	/* The C library stores the first keys of a thread without calling malloc. */
	if (!process->has_key)
		process->single = process->single ? process->single : t;
	else if (process->key >= 32 || abstat_region_set(process->key, t)) {
		abstat_region_call(ABSTAT_REGION_MUNMAP_, (long)t, (long)size, 0);
		return (struct abstat_region_thread *)0;
	}
	return t;
}

#ifdef ABSTAT_REGION_CACHES_
/* Gives T what region-fast.h takes off; that is in programs, never in libraries. */
ABSTAT_REGION_INLINE_ void abstat_region_adopt(struct abstat_region_thread *t)
{
	if (!abstat_region_constants)
		return;
	t->bias = 0 - abstat_region_constants[1].inside[0];
	for (uint32_t i = 0; i < t->n; i++)
		t->events[i].bias = 0 - abstat_region_constants[1].inside[i + 1];
}
#endif

/* What this program or library knows of its markers' costs, for who reads the slot. */
ABSTAT_REGION_INLINE_ void abstat_region_tell_constants(struct abstat_region_thread *t)
{
	volatile struct abstat_region_slot *slot = (struct abstat_region_slot *)(void *)t->slot;
	const struct abstat_region_constants *constants = &abstat_region_constants[t->user];

	slot->user = t->user;
	for (uint32_t i = 0; i <= t->n; i++) {
		slot->inside[i] = constants->inside[i];
		slot->around[i] = constants->around[i];
		slot->spread[i] = constants->spread[i];
	}
}

/* Whether region-fast.h may be used. */
ABSTAT_REGION_INLINE_ int abstat_region_can_be_fast(const struct abstat_region_thread *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->shift[i] != ABSTAT_REGION_FAST_SHIFT_)
			return 0;
	return t->user && t->ticks;
}

/* Fills T, whose memory is zeros. False: it cannot be followed. */
ABSTAT_REGION_INLINE_ int abstat_region_enter(struct abstat_region_process *process,
					      struct abstat_region_thread *t)
{
	struct abstat_region_slot *slot;
	int error;

	if (!abstat_region_take_slot(process->file, &t->index)) {
		process->file->error = ABSTAT_REGION_ENOSPC_;
		return 0;
	}
	t->slot = abstat_region_map_slot(process, t->index);
	if (!t->slot) {
		__atomic_store_n(abstat_region_owner(process->file, t->index), 0, __ATOMIC_RELEASE);
		process->file->error = ABSTAT_REGION_ENOMEM_;
		return 0;
	}
	slot = (struct abstat_region_slot *)(void *)t->slot;
	error = abstat_region_open_events(t, process);
	if (error)
		slot->error = (uint32_t)-error;
	abstat_region_set_clock(t, &slot->time_mult, &slot->time_shift);
	/* No page of it is to be a page fault in a region. */
	for (uint64_t at = 0; at < (uint64_t)((char *)t->within[t->n + 1] - (char *)t); at += 4096)
		((volatile char *)t)[at] = ((volatile char *)t)[at];
	t->limit = t->frames + ABSTAT_REGION_DEPTH_ + 1;
	t->end = abstat_region_can_be_fast(t) ? t->limit : (struct abstat_region_frame *)0;
	t->state = ABSTAT_REGION_READY_;
	t->top = t->frames + 1;
	return 1;
}

/* Blocks all signals, or sets what was blocked before. */
ABSTAT_REGION_INLINE_ void abstat_region_signals(const uint64_t *set, uint64_t *old)
{
	abstat_region_call6(ABSTAT_REGION_SIGPROCMASK_, 2, (long)set, (long)old, 8, 0, 0);
}

/* At the end of a thread, by the C library. */
ABSTAT_REGION_FUNCTION_ void abstat_region_leave(void *block);
ABSTAT_REGION_FUNCTION_ void abstat_region_leave(void *block)
{
	struct abstat_region_process *process = abstat_region_own;
	struct abstat_region_thread *t = (struct abstat_region_thread *)block;
	uint64_t all = UINT64_MAX;
	uint64_t mask;

	if (!process || t == process->dead)
		return;
	abstat_region_signals(&all, &mask);
	if (t->cache)
		*t->cache = t->nobody;
	if (t->state == ABSTAT_REGION_READY_ || t->state == ABSTAT_REGION_FULL_) {
		abstat_region_close_events(t, process->page_size);
		abstat_region_call(ABSTAT_REGION_MUNMAP_, (long)t->slot,
				   (long)process->file->slot_size, 0);
		__atomic_store_n(abstat_region_owner(process->file, t->index), 0, __ATOMIC_RELEASE);
	}
	abstat_region_call(ABSTAT_REGION_MUNMAP_, (long)t, (long)sizeof(*t), 0);
	abstat_region_signals(&mask, (uint64_t *)0);
}

/* The calling thread's block: as it is, or made now. Never NULL, but it may be dead. */
ABSTAT_REGION_FUNCTION_ struct abstat_region_thread *
abstat_region_present(struct abstat_region_process *process);
ABSTAT_REGION_FUNCTION_ struct abstat_region_thread *
abstat_region_present(struct abstat_region_process *process)
{
	struct abstat_region_thread *t;
	uint32_t self = (uint32_t)abstat_region_call(ABSTAT_REGION_GETTID_, 0, 0, 0);
	uint64_t all = UINT64_MAX;
	uint64_t mask;

	abstat_region_signals(&all, &mask);
	t = abstat_region_find_thread(process);
	if (t && t != process->dead && t->state != ABSTAT_REGION_NEW_ && t->self != self)
		t = (struct abstat_region_thread *)0;
	if (!t)
		t = abstat_region_new_block(process);
	if (!t)
		t = process->dead;
	if (t->state == ABSTAT_REGION_NEW_) {
		t->self = self;
		if (!abstat_region_enter(process, t))
			t->state = ABSTAT_REGION_DEAD_;
		else if (abstat_region_constants)
			abstat_region_tell_constants(t);
	}
#ifdef ABSTAT_REGION_CACHES_
	abstat_region_cached = t;
	if (t != process->dead) {
		t->cache = &abstat_region_cached;
		t->nobody = ABSTAT_REGION_NOBODY_;
		abstat_region_adopt(t);
	}
#endif
	abstat_region_signals(&mask, (uint64_t *)0);
	return t;
}

/*
 * Makes room where a program leaves regions without an end. Those that had none are forgotten, too:
 * they began within what was left.
 */
ABSTAT_REGION_INLINE_ int abstat_region_forget(struct abstat_region_thread *t,
					       const struct abstat_region_place *place,
					       uint64_t stack)
{
	struct abstat_region_frame *last = t->limit - 1;

	t->top = (struct abstat_region_frame *)0;
	ABSTAT_REGION_BARRIER_();
	last = abstat_region_drop(
	    t, last, (struct abstat_region_tally *)(void *)(t->slot + place->tally), stack, 1);
	if (last + 1 == t->limit)
		return 0;
	t->deep = 0;
	t->state = ABSTAT_REGION_READY_;
	ABSTAT_REGION_BARRIER_();
	t->top = last + 1;
	return 1;
}

/* There are regions that had no frame, and the last that has one was left since. */
ABSTAT_REGION_INLINE_ int abstat_region_is_left(const struct abstat_region_thread *t,
						uint64_t stack)
{
	return t->state == ABSTAT_REGION_FULL_ && t->limit[-1].stack < stack;
}

/* The usual way is not possible. The thread if there is room for a frame now, else NULL. */
ABSTAT_REGION_FUNCTION_ struct abstat_region_thread *
abstat_region_admit(const struct abstat_region_place *place, struct abstat_region_thread *t,
		    uint64_t stack)
{
	struct abstat_region_process *process = abstat_region_own;
	int full;

	if (!t || t->state == ABSTAT_REGION_NEW_)
		t = abstat_region_present(process);
	if (t->top && t->top != t->limit)
		return t;
	full = t->top != 0;
	if ((full || abstat_region_is_left(t, stack)) && abstat_region_forget(t, place, stack))
		return t;
	if (t->state == ABSTAT_REGION_DEAD_) {
		__atomic_fetch_add(&process->file->unfollowed[place->index], 1, __ATOMIC_RELAXED);
	} else {
		struct abstat_region_tally *tally =
		    (struct abstat_region_tally *)(void *)(t->slot + place->tally);

		tally->calls++;
		tally->lost++;
		if (full)
			t->state = ABSTAT_REGION_FULL_;
		t->deep += t->state == ABSTAT_REGION_FULL_;
	}
	return (struct abstat_region_thread *)0;
}

#ifdef __cplusplus
}
#endif

#endif
