/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the runtime of abstat/region.h needs of the machine: system calls that leave errno alone,
 * the clock, the counters. Needs no header of the system, so that a program sees no names but ours.
 *
 * A marker keeps the general registers only. So what it calls must not touch others: these
 * functions are compiled without them, and call nothing of the C library that would.
 */
#ifndef ABSTAT_REGION_MACHINE_H
#define ABSTAT_REGION_MACHINE_H

#include <stdint.h>

#ifdef __has_attribute
#define ABSTAT_REGION_HAS_(attribute) __has_attribute(attribute)
#else
#define ABSTAT_REGION_HAS_(attribute) 0
#endif

#if ABSTAT_REGION_HAS_(no_profile_instrument_function)
#define ABSTAT_REGION_NO_PROFILE_ __attribute__((no_profile_instrument_function))
#else
#define ABSTAT_REGION_NO_PROFILE_
#endif

#if !defined(__clang__)
#define ABSTAT_REGION_GENERAL_ __attribute__((target("general-regs-only")))
#define ABSTAT_REGION_NO_SANITIZE_ __attribute__((no_sanitize("address", "thread", "undefined")))
#elif defined(__x86_64__)
#define ABSTAT_REGION_GENERAL_ __attribute__((target("no-sse,no-mmx,no-avx")))
#else
#define ABSTAT_REGION_GENERAL_
#endif
/* Where that cannot be asked for: no compiler makes a vector of volatile memory. */
#if defined(__clang__) && !defined(__x86_64__)
typedef volatile uint64_t abstat_region_cell;
#else
typedef uint64_t abstat_region_cell;
#endif
#ifdef __clang__
#define ABSTAT_REGION_NO_SANITIZE_ __attribute__((no_sanitize("all", "coverage")))
#endif

#define ABSTAT_REGION_ATTRIBUTES_                                                                  \
	ABSTAT_REGION_GENERAL_ ABSTAT_REGION_NO_SANITIZE_ ABSTAT_REGION_NO_PROFILE_                \
	    __attribute__((no_instrument_function))

/* One of each for a program or library, however many files include this. */
#define ABSTAT_REGION_SHARED_ __attribute__((weak, visibility("hidden")))
#define ABSTAT_REGION_FUNCTION_                                                                    \
	ABSTAT_REGION_SHARED_ __attribute__((used, noinline)) ABSTAT_REGION_ATTRIBUTES_
#define ABSTAT_REGION_INLINE_                                                                      \
	static __inline__ __attribute__((always_inline, unused)) ABSTAT_REGION_ATTRIBUTES_

#define ABSTAT_REGION_UNLIKELY_(condition) __builtin_expect(!!(condition), 0)
#define ABSTAT_REGION_BARRIER_() __asm__ __volatile__("" ::: "memory")

#if defined(__x86_64__)
enum {
	ABSTAT_REGION_READ_ = 0,
	ABSTAT_REGION_CLOSE_ = 3,
	ABSTAT_REGION_MMAP_ = 9,
	ABSTAT_REGION_MUNMAP_ = 11,
	ABSTAT_REGION_SIGPROCMASK_ = 14,
	ABSTAT_REGION_IOCTL_ = 16,
	ABSTAT_REGION_MADVISE_ = 28,
	ABSTAT_REGION_FCNTL_ = 72,
	ABSTAT_REGION_GETEUID_ = 107,
	ABSTAT_REGION_GETTID_ = 186,
	ABSTAT_REGION_TKILL_ = 200,
	ABSTAT_REGION_OPENAT_ = 257,
	ABSTAT_REGION_PERF_EVENT_OPEN_ = 298,
	ABSTAT_REGION_PRLIMIT_ = 302,
	ABSTAT_REGION_STATX_ = 332
};
#else
enum {
	ABSTAT_REGION_FCNTL_ = 25,
	ABSTAT_REGION_IOCTL_ = 29,
	ABSTAT_REGION_OPENAT_ = 56,
	ABSTAT_REGION_CLOSE_ = 57,
	ABSTAT_REGION_READ_ = 63,
	ABSTAT_REGION_TKILL_ = 130,
	ABSTAT_REGION_SIGPROCMASK_ = 135,
	ABSTAT_REGION_GETEUID_ = 175,
	ABSTAT_REGION_GETTID_ = 178,
	ABSTAT_REGION_MUNMAP_ = 215,
	ABSTAT_REGION_MMAP_ = 222,
	ABSTAT_REGION_MADVISE_ = 233,
	ABSTAT_REGION_PERF_EVENT_OPEN_ = 241,
	ABSTAT_REGION_PRLIMIT_ = 261,
	ABSTAT_REGION_STATX_ = 291
};
#endif

/* The result, or -errno. */
ABSTAT_REGION_INLINE_ long abstat_region_call6(long number, long a, long b, long c, long d, long e,
					       long f)
{
#if defined(__x86_64__)
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ __volatile__("syscall"
			     : "=a"(result)
			     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			     : "rcx", "r11", "memory");
	return result;
#else
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ __volatile__("svc #0"
			     : "+r"(x0)
			     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			     : "memory");
	return x0;
#endif
}

ABSTAT_REGION_INLINE_ long abstat_region_call(long number, long a, long b, long c)
{
	return abstat_region_call6(number, a, b, c, 0, 0, 0);
}

/* The address, or NULL. */
ABSTAT_REGION_INLINE_ void *abstat_region_map(uint64_t size, int flags, int fd, uint64_t offset,
					      int writable)
{
	long at = abstat_region_call6(ABSTAT_REGION_MMAP_, 0, (long)size, writable ? 3 : 1, flags,
				      fd, (long)offset);

	return at < 0 && at > -4096 ? (void *)0 : (void *)at;
}

enum {
	ABSTAT_REGION_MAP_SHARED_ = 1,
	ABSTAT_REGION_MAP_ANONYMOUS_ = 0x4022, /* private, reserves no memory */
	ABSTAT_REGION_OPEN_ = 02000002,        /* to read and write, closed on exec */
	ABSTAT_REGION_LOOK_ = 012000000,       /* O_PATH, closed on exec */
	ABSTAT_REGION_DUP_ = 1030,             /* fcntl: F_DUPFD_CLOEXEC */
	ABSTAT_REGION_GET_SEALS_ = 1034,
	ABSTAT_REGION_ENABLE_ = 0x2400,  /* ioctl: PERF_EVENT_IOC_ENABLE */
	ABSTAT_REGION_DISABLE_ = 0x2401, /* ...DISABLE */
	ABSTAT_REGION_SEAL_SHRINK_ = 2,
	ABSTAT_REGION_ESRCH_ = 3,
	ABSTAT_REGION_ENOMEM_ = 12,
	ABSTAT_REGION_ENOSPC_ = 28,
	ABSTAT_REGION_DONTFORK_ = 10,
	ABSTAT_REGION_DONTDUMP_ = 16,
	ABSTAT_REGION_WIPEONFORK_ = 18
};

#define ABSTAT_REGION_EVENT_ID_ 0x80082407L /* ioctl: PERF_EVENT_IOC_ID */

/* What statx(2) gives. */
struct abstat_region_stat {
	uint32_t mask, block_size;
	uint64_t attributes;
	uint32_t links, user, group;
	uint16_t mode, unused;
	uint64_t inode, size, blocks, attributes_mask;
	uint64_t times[8];
	uint32_t node[2], device[2];
	uint64_t more[14];
};

/* 0 or -errno. */
ABSTAT_REGION_INLINE_ long abstat_region_look(int fd, struct abstat_region_stat *found)
{
	return abstat_region_call6(ABSTAT_REGION_STATX_, fd, (long)"", 0x1000, 0x7ff, (long)found,
				   0);
}

/* The first page of an event's ring buffer, as the kernel documents it for user-space reads. */
struct abstat_region_page {
	uint32_t version, compat_version;
	volatile uint32_t lock;
	volatile uint32_t index;
	volatile int64_t offset;
	uint64_t enabled, running;
	volatile uint64_t capabilities;
	volatile uint16_t width;
	uint16_t time_shift;
	uint32_t time_mult;
};

enum { ABSTAT_REGION_CAN_COUNT_ = 1 << 2, ABSTAT_REGION_CAN_TIME_ = 1 << 3 };

/* Before a counter is read, so that the work before and after it is on its side of it. */
ABSTAT_REGION_INLINE_ void abstat_region_fence(void)
{
#if defined(__x86_64__)
	__asm__ __volatile__("lfence" ::: "memory");
#else
	__asm__ __volatile__("isb" ::: "memory");
#endif
}

ABSTAT_REGION_INLINE_ uint64_t abstat_region_ticks(void)
{
#if defined(__x86_64__)
	uint32_t low, high;

	__asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high)::"memory");
	return (uint64_t)high << 32 | low;
#else
	uint64_t ticks;

	__asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks)::"memory");
	return ticks;
#endif
}

ABSTAT_REGION_INLINE_ uint64_t abstat_region_stack(void)
{
	uint64_t at;

#if defined(__x86_64__)
	__asm__ __volatile__("movq %%rsp, %0" : "=r"(at));
#else
	__asm__ __volatile__("mov %0, sp" : "=r"(at));
#endif
	return at;
}

/*
 * The hardware counter that INDEX, which is not 0, stands for in a page. arm64 has an instruction a
 * counter: each has 16 bytes, where an indirect branch may land.
 */
ABSTAT_REGION_INLINE_ uint64_t abstat_region_counter(uint32_t index)
{
#if defined(__x86_64__)
	uint32_t low, high;

	__asm__ __volatile__("rdpmc" : "=a"(low), "=d"(high) : "c"(index - 1) : "memory");
	return (uint64_t)high << 32 | low;
#else
	uint64_t value;

	__asm__ __volatile__("adr %0, 781f - 16\n\t"
			     "add %0, %0, %w1, uxtw #4\n\t"
			     "br %0\n"
			     "781:\n\t"
			     ".irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, "
			     "16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30\n\t"
			     "hint #36\n\t"
			     "mrs %0, pmevcntr\\number\\()_el0\n\t"
			     "b 782f\n\t"
			     "nop\n\t"
			     ".endr\n\t"
			     "hint #36\n\t"
			     "mrs %0, pmccntr_el0\n"
			     "782:\n\t"
			     : "=&r"(value)
			     : "r"(index)
			     : "memory");
	return value;
#endif
}

#if defined(__x86_64__)
#define ABSTAT_REGION_COUNTERS_ UINT32_MAX
#define ABSTAT_REGION_NO_COUNTER_ (UINT32_C(1) << 29) /* shares of another, read at once */
#define ABSTAT_REGION_FAST_SHIFT_ 16                  /* 64 - width of counters for region-fast.h */
#else
#define ABSTAT_REGION_COUNTERS_ 32
#define ABSTAT_REGION_NO_COUNTER_ 0
#define ABSTAT_REGION_FAST_SHIFT_ 32
#endif

ABSTAT_REGION_INLINE_ int abstat_region_is_counter(uint32_t index)
{
	return index - 1 < ABSTAT_REGION_COUNTERS_ && !((index - 1) & ABSTAT_REGION_NO_COUNTER_);
}

#endif
