/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a marker does in a program that runs under abstat. Part of abstat/region.h.
 *
 * The last thing that a begin does is to read the counters, and the first of an end: what lies
 * between is the region, and code of this header that is the same at every call, which calibration
 * measures. So the usual way through these functions has no branches that depend on what is
 * counted.
 */
#ifndef ABSTAT_REGION_MARKER_H
#define ABSTAT_REGION_MARKER_H

#include "region-left.h"
#include "region-thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* See region-enter.h. */
ABSTAT_REGION_FUNCTION_ struct abstat_region_thread *
abstat_region_admit(const struct abstat_region_place *place, struct abstat_region_thread *t,
		    uint64_t stack);

/* One read(2) of the group. False: a counter was taken away, or the descriptor. */
ABSTAT_REGION_FUNCTION_ int abstat_region_read_group(struct abstat_region_thread *t,
						     abstat_region_cell *to);
ABSTAT_REGION_FUNCTION_ int abstat_region_read_group(struct abstat_region_thread *t,
						     abstat_region_cell *to)
{
	volatile uint64_t group[1 + ABSTAT_REGION_EVENTS];
	uint32_t n = t->n;
	long got;

	if (ABSTAT_REGION_UNLIKELY_(!abstat_region_has_event(t, 0)))
		return 0;
	got = abstat_region_call(ABSTAT_REGION_READ_, t->fds[0], (long)group,
				 (long)((n + 1) * sizeof(uint64_t)));
	for (uint32_t i = 0; i < n; i++)
		to[i] = group[i + 1];
	return got == (long)((n + 1) * sizeof(uint64_t)) && group[0] == n;
}

/*
 * The kernel's protocol: index, offset and counter belong together if the lock is the same before
 * and after. False: the counter is not to be had in user space now.
 */
ABSTAT_REGION_INLINE_ int abstat_region_read_one(const struct abstat_region_page *page,
						 uint32_t shift, abstat_region_cell *to)
{
	uint32_t lock, index;
	int64_t count;

	do {
		lock = page->lock;
		ABSTAT_REGION_BARRIER_();
		index = page->index;
		count = page->offset;
		if (ABSTAT_REGION_UNLIKELY_(index - 1 >= ABSTAT_REGION_COUNTERS_))
			return 0;
		count += (int64_t)(abstat_region_counter(index) << shift) >> shift;
		ABSTAT_REGION_BARRIER_();
	} while (ABSTAT_REGION_UNLIKELY_(page->lock != lock));
	*to = (uint64_t)count;
	return 1;
}

ABSTAT_REGION_INLINE_ uint64_t abstat_region_now(const struct abstat_region_thread *t)
{
	struct abstat_region_clock clock;

	if (!ABSTAT_REGION_UNLIKELY_(!t->ticks))
		return abstat_region_ticks();
	if (abstat_region_gettime(1, &clock))
		return 0;
	return (uint64_t)clock.seconds * 1000000000 + (uint64_t)clock.nanoseconds;
}

/* From now on it is read(2). */
ABSTAT_REGION_INLINE_ void abstat_region_give_up_user(struct abstat_region_thread *t)
{
	t->user = 0;
	t->end = (struct abstat_region_frame *)0;
}

/*
 * Time first, event 0 last. F is not for region-fast.h to end if it was read(2). -1: it is another
 * thread's; the counters of one that does not run are not to be had in user space.
 */
ABSTAT_REGION_INLINE_ int abstat_region_read_begin(struct abstat_region_thread *t,
						   struct abstat_region_frame *f)
{
	abstat_region_cell *to = f->at;

	abstat_region_fence();
	to[0] = abstat_region_now(t);
	if (ABSTAT_REGION_UNLIKELY_(!t->user))
		return !t->n || abstat_region_read_group(t, to + 1);
	for (uint32_t i = t->n; i-- > 0;)
		if (ABSTAT_REGION_UNLIKELY_(
			!abstat_region_read_one(t->events[i].page, t->shift[i], to + 1 + i))) {
			if (!abstat_region_is_own(t))
				return -1;
			abstat_region_give_up_user(t);
			f->tally |= 1;
			return abstat_region_read_group(t, to + 1);
		}
	return 1;
}

/* Event 0 first, time last. -1: as above. */
ABSTAT_REGION_INLINE_ int abstat_region_read_end(struct abstat_region_thread *t,
						 abstat_region_cell *to)
{
	int good = 1;

	abstat_region_fence();
	if (ABSTAT_REGION_UNLIKELY_(!t->user)) {
		good = !t->n || abstat_region_read_group(t, to + 1);
	} else {
		for (uint32_t i = 0; i < t->n; i++)
			if (ABSTAT_REGION_UNLIKELY_(!abstat_region_read_one(
				t->events[i].page, t->shift[i], to + 1 + i))) {
				if (!abstat_region_is_own(t))
					return -1;
				abstat_region_give_up_user(t);
				good = abstat_region_read_group(t, to + 1);
				break;
			}
	}
	to[0] = abstat_region_now(t);
	return good;
}

/* A begin in a child of vfork(2): it has its parent's memory, but not its counters. */
ABSTAT_REGION_INLINE_ void abstat_region_begin_foreign(const struct abstat_region_place *place,
						       struct abstat_region_thread *t)
{
	__atomic_fetch_add(&abstat_region_own->file->unfollowed[place->index], 1, __ATOMIC_RELAXED);
	t->foreign++;
}

/* Whether this is the end of such a one. The child may have ended without it. */
ABSTAT_REGION_INLINE_ int abstat_region_end_foreign(struct abstat_region_thread *t)
{
	if (abstat_region_is_own(t)) {
		t->foreign = 0;
		return 0;
	}
	t->foreign--;
	return 1;
}

/* Returns the place where region-fast.h is to do it, as the thread has become able to. */
ABSTAT_REGION_FUNCTION_ struct abstat_region_place *
abstat_region_begin(struct abstat_region_place *place);
ABSTAT_REGION_FUNCTION_ struct abstat_region_place *
abstat_region_begin(struct abstat_region_place *place)
{
	struct abstat_region_place *none = (struct abstat_region_place *)0;
	struct abstat_region_thread *t;
	struct abstat_region_frame *f;
	struct abstat_region_tally *tally;
	int good;

	if (!place->tally)
		return none;
	t = abstat_region_self();
	if (ABSTAT_REGION_UNLIKELY_(!t || !t->top || t->top == t->limit)) {
		t = abstat_region_admit(place, t, abstat_region_stack());
		if (!t)
			return none;
#ifdef ABSTAT_REGION_CACHES_
		if (t->end)
			return place;
#endif
	}
	if (ABSTAT_REGION_UNLIKELY_(!t->user && t->n && !abstat_region_is_own(t))) {
		abstat_region_begin_foreign(place, t);
		return none;
	}
	f = t->top;
	t->top = 0;
	ABSTAT_REGION_BARRIER_();
	tally = (struct abstat_region_tally *)(void *)(t->slot + place->tally);
	tally->calls++;
	f->tally = (uintptr_t)tally | !t->end;
	f->mask = f[-1].mask | place->bit;
	f->odd = 0;
	f->stack = abstat_region_stack();
	f->lock = *t->lock;
	good = abstat_region_read_begin(t, f);
	if (ABSTAT_REGION_UNLIKELY_(good <= 0))
		f->odd = ABSTAT_REGION_BAD_;
	if (ABSTAT_REGION_UNLIKELY_(good < 0)) {
		tally->calls--;
		abstat_region_begin_foreign(place, t);
		f--;
	}
	ABSTAT_REGION_BARRIER_();
	t->top = f + 1;
	return none;
}

/* An end that no begin is open for. */
ABSTAT_REGION_FUNCTION_ void abstat_region_stray(const struct abstat_region_place *place,
						 struct abstat_region_thread *t);
ABSTAT_REGION_FUNCTION_ void abstat_region_stray(const struct abstat_region_place *place,
						 struct abstat_region_thread *t)
{
	if (!t || t->state == ABSTAT_REGION_NEW_) {
		__atomic_fetch_add(&abstat_region_own->file->unbegun[place->index], 1,
				   __ATOMIC_RELAXED);
	} else if (t->state == ABSTAT_REGION_FULL_ && !--t->deep) {
		t->state = ABSTAT_REGION_READY_;
		t->top = t->limit;
	}
}

/* Adds VALUE to a histogram. */
ABSTAT_REGION_INLINE_ void abstat_region_sort_in(uint32_t *histogram, uint64_t value)
{
	uint32_t shift;

	value &= ~(uint64_t)((int64_t)value >> 63);
	shift = 53 - (uint32_t)__builtin_clzll(value | 2047);
	histogram[((uint64_t)shift << 10) + (value >> shift)]++;
}

/* F is nested: its region's costs, now in its `at`, and those of its markers, for the one around.
 */
ABSTAT_REGION_INLINE_ void abstat_region_nest(const struct abstat_region_thread *t,
					      const struct abstat_region_frame *f,
					      const struct abstat_region_constants *constants)
{
	struct abstat_region_frame *g = (struct abstat_region_frame *)(uintptr_t)(f - 1);
	uint64_t keep = (uint64_t)0 - (g->odd & ABSTAT_REGION_NESTS_);
	uint64_t nests = (uint64_t)0 - (f->odd & ABSTAT_REGION_NESTS_);

	for (uint32_t i = 0; i <= t->n; i++) {
		g->over[i] = (g->over[i] & keep) + constants->around[i] +
			     ((constants->nests[i] + f->over[i]) & nests);
		g->inner[i] = (g->inner[i] & keep) + f->at[i];
	}
	g->odd |= ABSTAT_REGION_NESTS_;
}

/*
 * The rest of an end, with the frame in t->current, whose `at` is what lies between the readings
 * without a marker's own part.
 */
ABSTAT_REGION_INLINE_ void abstat_region_account(struct abstat_region_thread *t,
						 struct abstat_region_frame *f,
						 const struct abstat_region_place *place)
{
	struct abstat_region_tally *tally = abstat_region_tally_of(f);
	uint32_t *histogram = (uint32_t *)(void *)(tally + 1);

	if (ABSTAT_REGION_UNLIKELY_(f->odd & ABSTAT_REGION_BAD_)) {
		tally->not_counted++;
		abstat_region_give_down(t, f, f - 1);
		ABSTAT_REGION_BARRIER_();
		t->top = f;
		return;
	}
	if (ABSTAT_REGION_UNLIKELY_(f->odd & ABSTAT_REGION_NESTS_))
		for (uint32_t i = 0; i <= t->n; i++) {
			f->at[i] -= f->over[i];
			tally->removed[i] += f->over[i];
			tally->nested[i] += f->inner[i];
		}
	if (ABSTAT_REGION_UNLIKELY_(f->odd & ABSTAT_REGION_REPEATS_))
		for (uint32_t i = 0; i <= t->n; i++)
			tally->repeated[i] += t->within[i][f - t->frames];
	for (uint32_t i = 0; i <= t->n; i++) {
		tally->sum[i] += f->at[i];
		abstat_region_sort_in(histogram, f->at[i]);
		histogram += ABSTAT_REGION_BUCKETS;
	}
	tally->measured++;
	tally->interrupted += f->lock != *t->lock;
	if (f - 1 != t->frames) {
		abstat_region_nest(t, f, &abstat_region_constants[t->user]);
		if (ABSTAT_REGION_UNLIKELY_(f[-1].mask & place->bit)) {
			abstat_region_repeat(t, f);
			return;
		}
	}
	ABSTAT_REGION_BARRIER_();
	t->top = f;
}

/* For region-fast.h, which has taken the readings. */
ABSTAT_REGION_FUNCTION_ void abstat_region_finish(const struct abstat_region_place *place);
ABSTAT_REGION_FUNCTION_ void abstat_region_finish(const struct abstat_region_place *place)
{
	struct abstat_region_thread *t = abstat_region_self();
	struct abstat_region_frame *f = t->current;

	abstat_region_account(t, f, place);
}

ABSTAT_REGION_FUNCTION_ void abstat_region_end(struct abstat_region_place *place);
ABSTAT_REGION_FUNCTION_ void abstat_region_end(struct abstat_region_place *place)
{
	struct abstat_region_thread *t;
	struct abstat_region_frame *f;
	struct abstat_region_tally *tally;
	const struct abstat_region_constants *constants;
	int good;

	if (!place->tally)
		return;
	t = abstat_region_self();
	if (ABSTAT_REGION_UNLIKELY_(!t || !t->top)) {
		abstat_region_stray(place, t);
		return;
	}
	if (ABSTAT_REGION_UNLIKELY_(t->foreign) && abstat_region_end_foreign(t))
		return;
	f = t->top - 1;
	t->top = 0;
	ABSTAT_REGION_BARRIER_();
	good = abstat_region_read_end(t, t->now);
	if (ABSTAT_REGION_UNLIKELY_(good < 0)) {
		t->top = f + 1;
		return;
	}
	tally = (struct abstat_region_tally *)(void *)(t->slot + place->tally);
	if (ABSTAT_REGION_UNLIKELY_(abstat_region_tally_of(f) != tally)) {
		struct abstat_region_frame *found = abstat_region_unwind(t, f, tally);

		if (!found) {
			tally->unbegun++;
			t->top = f + 1;
			return;
		}
		f = found;
	}
	constants = &abstat_region_constants[t->user];
	if (ABSTAT_REGION_UNLIKELY_(!good))
		f->odd |= ABSTAT_REGION_BAD_;
	for (uint32_t i = 0; i <= t->n; i++)
		f->at[i] = t->now[i] - f->at[i] - constants->inside[i];
	abstat_region_account(t, f, place);
}

#ifdef __cplusplus
}
#endif

#endif
