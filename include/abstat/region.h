/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marked regions: parts of a program that `abstat --scope region:NAME` measures.
 *
 *	#include <abstat/region.h>
 *
 *	ABSTAT_REGION_BEGIN(parse);
 *	...
 *	ABSTAT_REGION_END(parse);
 *
 * NAME is an identifier of up to 63 characters. C (from C99) and C++ (from C++11), gcc and clang,
 * x86-64 and arm64 Linux; elsewhere, or where ABSTAT_REGION_OFF is defined, markers are nothing.
 * There is no library to link.
 *
 * Where the program does not run under abstat, a marker is the load of a flag and a branch that is
 * not taken; no register is changed but the flags (x86-64) or scratch registers (arm64). Under abstat, a
 * thread reads its own counters at each marker of a region that was asked for, and sums up in
 * memory that is shared with abstat. Regions may nest, recurse, and begin and end in different
 * functions of one thread. A begin whose end never comes, and an end without a begin, are counted and
 * shown.
 *
 * Every marker is a USDT marker too: abstat:NAME__begin and abstat:NAME__end.
 */
#ifndef ABSTAT_REGION_H
#define ABSTAT_REGION_H

/* A program's choice of warnings is for the program's own code. */
#if defined(__GNUC__) && !defined(ABSTAT_REGION_WARN_)
#pragma GCC system_header
#endif

#if !defined(ABSTAT_REGION_OFF) && defined(__linux__) && defined(__ELF__) && defined(__GNUC__) && \
    ((defined(__x86_64__) && !defined(__ILP32__)) ||                                              \
     (defined(__aarch64__) && !defined(__ILP32__)))

#define ABSTAT_REGION_BEGIN(name) ABSTAT_REGION_MARK_(name, "begin")
#define ABSTAT_REGION_END(name) ABSTAT_REGION_MARK_(name, "end")

#include "region-runtime.h"

/* The type is there for its name: what is no identifier does not compile. */
#define ABSTAT_REGION_MARK_(name, edge)                                                            \
	do {                                                                                       \
		typedef int abstat_region_name_##name __attribute__((unused));                     \
		ABSTAT_REGION_SITE_(ABSTAT_REGION_NOTE_(#name, edge),                              \
				    ABSTAT_REGION_RECORD_(#name), edge);                           \
	} while (0)

#else

#define ABSTAT_REGION_BEGIN(name)                                                                  \
	do {                                                                                       \
	} while (0)
#define ABSTAT_REGION_END(name)                                                                    \
	do {                                                                                       \
	} while (0)

#endif

#endif
