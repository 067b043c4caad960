/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread in regions: its counters, its slot, the regions that it is in. Part of abstat/region.h.
 */
#ifndef ABSTAT_REGION_THREAD_H
#define ABSTAT_REGION_THREAD_H

#include "region-layout.h"
#include "region-machine.h"
#include "region-site.h"

enum { ABSTAT_REGION_DEPTH_ = 128 };

enum abstat_region_state {
	ABSTAT_REGION_NEW_ = 0, /* also: the thread was forked, and its memory wiped */
	ABSTAT_REGION_READY_,
	ABSTAT_REGION_FULL_, /* too deep: begins and ends are counted until there is room */
	ABSTAT_REGION_DEAD_  /* cannot be followed */
};

/* A region that a thread is in. */
struct abstat_region_frame {
	abstat_region_cell at[ABSTAT_REGION_COSTS]; /* its begin */
	/* With ABSTAT_REGION_NESTS_: of regions within, what their markers and they cost. */
	abstat_region_cell over[ABSTAT_REGION_COSTS];
	abstat_region_cell inner[ABSTAT_REGION_COSTS];
	uint64_t tally; /* its address; plus 1 where it is not to be ended by region-fast.h */
	uint64_t mask;  /* of this region and those around it */
	uint64_t stack; /* the stack pointer at its begin */
	uint32_t lock;
	uint32_t odd;
};

/* An event in a thread. */
struct abstat_region_event {
	const struct abstat_region_page *page;
	uint64_t bias; /* minus what an empty region reads: region-fast.h adds it */
};

enum { ABSTAT_REGION_NESTS_ = 1, ABSTAT_REGION_BAD_ = 2, ABSTAT_REGION_REPEATS_ = 4 };

struct abstat_region_thread {
	/* The next free frame. NULL: a marker is at work, or look at the state. */
	struct abstat_region_frame *volatile top;
	struct abstat_region_frame *end; /* for region-fast.h; NULL: it is not to be used */
	char *slot;
	uint64_t last;                       /* 8 × n */
	struct abstat_region_frame *current; /* for abstat_region_finish() */
	uint64_t bias;                       /* of time */
	struct abstat_region_event events[ABSTAT_REGION_EVENTS];
	struct abstat_region_place *place; /* of a marker that is at work, on x86-64 */
	/* Region-fast.h knows the places of what is above. */
	struct abstat_region_frame *limit; /* behind the last frame */
	const volatile uint32_t *lock;     /* changes with every switch */
	uint32_t n;                        /* events */
	uint32_t user;                     /* read in user space */
	uint32_t ticks;                    /* time is that of the processor's counter */
	uint32_t state;
	uint32_t shift[ABSTAT_REGION_EVENTS]; /* 64 - width of its counter */
	int32_t fds[ABSTAT_REGION_EVENTS];
	uint64_t ids[ABSTAT_REGION_EVENTS]; /* the kernel's, of those that have a descriptor */
	uint32_t deep;                      /* ABSTAT_REGION_FULL_: begins that had no frame */
	uint32_t index;                     /* of the slot */
	uint32_t none;                      /* what lock points to where there is no page */
	uint32_t self;                      /* its thread ID */
	uint32_t foreign; /* begins, by a child of vfork(2), which has this memory, that are open */
	struct abstat_region_thread **cache; /* that holds its address... */
	struct abstat_region_thread *nobody; /* ...and then this */
	abstat_region_cell now[ABSTAT_REGION_COSTS];
	struct abstat_region_frame frames[ABSTAT_REGION_DEPTH_ + 1]; /* the first is no region */
	/* With ABSTAT_REGION_REPEATS_: what a frame's region cost within it, in calls that ended.
	 */
	abstat_region_cell within[ABSTAT_REGION_COSTS][ABSTAT_REGION_DEPTH_ + 1];
};

/* What markers cost by themselves. */
struct abstat_region_constants {
	uint64_t inside[ABSTAT_REGION_COSTS]; /* an empty region reads */
	uint64_t around[ABSTAT_REGION_COSTS]; /* an empty region costs, that is in another */
	uint64_t nests[ABSTAT_REGION_COSTS];  /* more, if there are regions in it */
	uint64_t spread[ABSTAT_REGION_COSTS]; /* of inside */
};

struct abstat_region_clock {
	int64_t seconds;
	int64_t nanoseconds;
};

/* Of the program: shared by it and its libraries, where they see it. */
struct abstat_region_process {
	struct abstat_region_file *file;
	uint32_t page_size;
	uint32_t key; /* of a thread's block */
	uint32_t has_key;
	int32_t fd;
	struct abstat_region_thread *single; /* where there are no keys there are no threads */
	struct abstat_region_thread *dead;
	uint64_t inode;
	uint32_t device[2];
	char path[256];
};

#ifdef __cplusplus
extern "C" {
#endif

extern ABSTAT_REGION_SHARED_ int abstat_region_on;
extern ABSTAT_REGION_SHARED_ struct abstat_region_process *abstat_region_own;
/* [user]; of this program or library. */
extern ABSTAT_REGION_SHARED_ struct abstat_region_constants *abstat_region_constants;

extern int abstat_region_gettime(int, struct abstat_region_clock *) __asm__("clock_gettime");

/* Before glibc 2.34 they are in a library of their own. */
#if defined(__GLIBC__) && __GLIBC__ == 2 && __GLIBC_MINOR__ < 34
#define ABSTAT_REGION_MAYBE_ __attribute__((weak))
#define ABSTAT_REGION_HAVE_KEYS_                                                                   \
	(abstat_region_key_create && abstat_region_key_delete && abstat_region_get &&              \
	 abstat_region_set)
#else
#define ABSTAT_REGION_MAYBE_
#define ABSTAT_REGION_HAVE_KEYS_ 1
#endif
extern ABSTAT_REGION_MAYBE_ int
abstat_region_key_create(uint32_t *, void (*)(void *)) __asm__("pthread_key_create");
extern ABSTAT_REGION_MAYBE_ int abstat_region_key_delete(uint32_t) __asm__("pthread_key_delete");
extern ABSTAT_REGION_MAYBE_ void *abstat_region_get(uint32_t) __asm__("pthread_getspecific");
extern ABSTAT_REGION_MAYBE_ int abstat_region_set(uint32_t,
						  const void *) __asm__("pthread_setspecific");

ABSTAT_REGION_INLINE_ struct abstat_region_thread *
abstat_region_find_thread(const struct abstat_region_process *process)
{
	if (!process->has_key)
		return process->single;
	return (struct abstat_region_thread *)abstat_region_get(process->key);
}

#define ABSTAT_REGION_NOBODY_ ((struct abstat_region_thread *)(void *)abstat_region_nobody)

/*
 * A variable of a thread takes no call where the linker knows its place. In a library its first use
 * may call malloc, which touches more registers than a marker keeps.
 */
#if defined(__PIC__) && !defined(__PIE__)
ABSTAT_REGION_INLINE_ struct abstat_region_thread *abstat_region_self(void)
{
	return abstat_region_find_thread(abstat_region_own);
}
#else
#define ABSTAT_REGION_CACHES_
/* What a thread is before its first marker; region-fast.h sees its first words. */
extern ABSTAT_REGION_SHARED_ uint64_t abstat_region_nobody[2];
extern ABSTAT_REGION_SHARED_ __thread struct abstat_region_thread *abstat_region_cached;
ABSTAT_REGION_INLINE_ struct abstat_region_thread *abstat_region_self(void)
{
	return abstat_region_cached == ABSTAT_REGION_NOBODY_ ? (struct abstat_region_thread *)0
							     : abstat_region_cached;
}
#endif

/* Whether the thread that T is of is the calling one. */
ABSTAT_REGION_INLINE_ int abstat_region_is_own(const struct abstat_region_thread *t)
{
	return (uint32_t)abstat_region_call(ABSTAT_REGION_GETTID_, 0, 0, 0) == t->self;
}

/* What event has descriptor FD; 0: none. */
ABSTAT_REGION_INLINE_ uint64_t abstat_region_event_id(long fd)
{
	volatile uint64_t id = 0;

	if (fd < 0 ||
	    abstat_region_call(ABSTAT_REGION_IOCTL_, fd, ABSTAT_REGION_EVENT_ID_, (long)&id))
		return 0;
	return id;
}

/* The program may have closed the descriptor, and have something of its own there. */
ABSTAT_REGION_INLINE_ int abstat_region_has_event(const struct abstat_region_thread *t, uint32_t i)
{
	return t->fds[i] >= 0 && abstat_region_event_id(t->fds[i]) == t->ids[i];
}

ABSTAT_REGION_INLINE_ struct abstat_region_tally *
abstat_region_tally_of(const struct abstat_region_frame *f)
{
	return (struct abstat_region_tally *)(uintptr_t)(f->tally & ~UINT64_C(1));
}

#ifdef __cplusplus
}
#endif

#endif
