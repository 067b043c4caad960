/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regions within regions of the same name, and those that are left without an end: by a jump, an
 * exception, a return. Part of abstat/region.h.
 *
 * A call is within another of its region only if that one ends, too: what never ends takes nothing
 * away from those that do. A frame is known to be left where its region begins again in the same
 * function, or in one that called it.
 */
#ifndef ABSTAT_REGION_LEFT_H
#define ABSTAT_REGION_LEFT_H

#include "region-thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What regions within F cost, in markers and in themselves, becomes part of G. */
ABSTAT_REGION_INLINE_ void abstat_region_pass_on(const struct abstat_region_thread *t,
						 const struct abstat_region_frame *f,
						 struct abstat_region_frame *g)
{
	uint64_t keep = (uint64_t)0 - (g->odd & ABSTAT_REGION_NESTS_);

	for (uint32_t i = 0; i <= t->n; i++) {
		g->over[i] = (g->over[i] & keep) + f->over[i];
		g->inner[i] = (g->inner[i] & keep) + f->inner[i];
	}
	g->odd |= ABSTAT_REGION_NESTS_;
}

/* The nearest frame of F's region from G down. NULL: there is none. */
ABSTAT_REGION_INLINE_ struct abstat_region_frame *
abstat_region_around(const struct abstat_region_thread *t, const struct abstat_region_frame *f,
		     struct abstat_region_frame *g)
{
	while (g > t->frames && abstat_region_tally_of(g) != abstat_region_tally_of(f))
		g--;
	return g > t->frames ? g : (struct abstat_region_frame *)0;
}

/* VALUES, one each FACTOR cells, were spent within G in calls of its region. */
ABSTAT_REGION_INLINE_ void abstat_region_add_within(struct abstat_region_thread *t,
						    struct abstat_region_frame *g,
						    const abstat_region_cell *values,
						    uint32_t factor)
{
	uint64_t keep = (uint64_t)0 - ((g->odd & ABSTAT_REGION_REPEATS_) != 0);

	for (uint32_t i = 0; i <= t->n; i++) {
		abstat_region_cell *cell = &t->within[i][g - t->frames];

		*cell = (*cell & keep) + values[i * factor];
	}
	g->odd |= ABSTAT_REGION_REPEATS_;
}

/* F will have no cost. What was in it was in G, the frame that is below it, and in those below. */
ABSTAT_REGION_FUNCTION_ void abstat_region_give_down(struct abstat_region_thread *t,
						     const struct abstat_region_frame *f,
						     struct abstat_region_frame *g);
ABSTAT_REGION_FUNCTION_ void abstat_region_give_down(struct abstat_region_thread *t,
						     const struct abstat_region_frame *f,
						     struct abstat_region_frame *g)
{
	if (g == t->frames)
		return;
	if (f->odd & ABSTAT_REGION_NESTS_)
		abstat_region_pass_on(t, f, g);
	if (f->odd & ABSTAT_REGION_REPEATS_) {
		g = abstat_region_around(t, f, g);
		if (g)
			abstat_region_add_within(t, g, &t->within[0][f - t->frames],
						 ABSTAT_REGION_DEPTH_ + 1);
	}
}

/*
 * The frame of TALLY's region below F. Those above it were left without an end (longjmp, an
 * exception): what was in them was in it.
 */
ABSTAT_REGION_FUNCTION_ struct abstat_region_frame *
abstat_region_unwind(struct abstat_region_thread *t, struct abstat_region_frame *f,
		     const struct abstat_region_tally *tally);
ABSTAT_REGION_FUNCTION_ struct abstat_region_frame *
abstat_region_unwind(struct abstat_region_thread *t, struct abstat_region_frame *f,
		     const struct abstat_region_tally *tally)
{
	struct abstat_region_frame *g = f;

	while (g > t->frames && abstat_region_tally_of(g) != tally)
		g--;
	if (g == t->frames)
		return 0;
	for (; f > g; f--)
		abstat_region_give_down(t, f, f - 1);
	return g;
}

/* F becomes G, which is below it. No compiler makes a call of this, with the barriers. */
ABSTAT_REGION_INLINE_ void abstat_region_move(struct abstat_region_thread *t,
					      const struct abstat_region_frame *f,
					      struct abstat_region_frame *g)
{
	for (uint32_t i = 0; i <= t->n; i++) {
		g->at[i] = f->at[i];
		ABSTAT_REGION_BARRIER_();
		g->over[i] = f->over[i];
		ABSTAT_REGION_BARRIER_();
		g->inner[i] = f->inner[i];
		ABSTAT_REGION_BARRIER_();
		t->within[i][g - t->frames] = t->within[i][f - t->frames];
		ABSTAT_REGION_BARRIER_();
	}
	g->tally = f->tally;
	g->stack = f->stack;
	g->lock = f->lock;
	g->odd = f->odd;
}

/*
 * TALLY's region begins at STACK: drops its frames up to LAST that are known to be left. ALL: those
 * of other regions, too, whose functions have returned. The last that there is then.
 */
ABSTAT_REGION_FUNCTION_ struct abstat_region_frame *
abstat_region_drop(struct abstat_region_thread *t, struct abstat_region_frame *last,
		   const struct abstat_region_tally *tally, uint64_t stack, int all);
ABSTAT_REGION_FUNCTION_ struct abstat_region_frame *
abstat_region_drop(struct abstat_region_thread *t, struct abstat_region_frame *last,
		   const struct abstat_region_tally *tally, uint64_t stack, int all)
{
	uint64_t size = abstat_region_own->file->tally_size;
	struct abstat_region_frame *kept = t->frames;

	for (struct abstat_region_frame *f = t->frames + 1; f <= last; f++) {
		const struct abstat_region_tally *its = abstat_region_tally_of(f);
		uint64_t at = (uint64_t)((const char *)its - t->slot);

		if ((its == tally && f->stack <= stack) || (all && f->stack < stack)) {
			abstat_region_give_down(t, f, kept);
			continue;
		}
		kept++;
		if (kept != f)
			abstat_region_move(t, f, kept);
		kept->mask = kept[-1].mask | UINT64_C(1)
						 << (at - sizeof(struct abstat_region_slot)) / size;
	}
	return kept;
}

/* F, which has ended, has its region in a frame below. The last of an end. */
ABSTAT_REGION_FUNCTION_ void abstat_region_repeat(struct abstat_region_thread *t,
						  struct abstat_region_frame *f);
ABSTAT_REGION_FUNCTION_ void abstat_region_repeat(struct abstat_region_thread *t,
						  struct abstat_region_frame *f)
{
	struct abstat_region_frame *last = f - 1;
	struct abstat_region_frame *g = abstat_region_around(t, f, last);

	if (g && g->stack <= f->stack) {
		last = abstat_region_drop(t, last, abstat_region_tally_of(f), f->stack, 0);
		g = abstat_region_around(t, f, last);
	}
	if (g)
		abstat_region_add_within(t, g, f->at, 1);
	ABSTAT_REGION_BARRIER_();
	t->top = last + 1;
}

#ifdef __cplusplus
}
#endif

#endif
