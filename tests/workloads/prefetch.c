/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a prefetch cost that is of no use? A loop of prefetches, which is all that this does.
 *
 * Built three times: PREFETCH_NULL prefetches address 0, as a list walk does at the end of each
 * list; PREFETCH_VALID a place that is in the cache; neither of them prefetches nothing. The loops
 * differ in that one instruction.
 */
#include <stddef.h>

#include "arguments.h"

static long count = 20000000;

static const struct argument arguments[] = {
    {"count", &count, 1, "prefetches"},
    {0},
};

/* In memory, so that the programs' code differs in nothing but the prefetch. */
#ifdef PREFETCH_NULL
static const char *volatile place = NULL;
#else
static const char *volatile place = (const char *)&count;
#endif

void prefetch_loop(long n, const char *address);

/* Not inlined and not static: it can be scoped. */
__attribute__((noinline, aligned(64))) void prefetch_loop(long n, const char *address)
{
	do {
#if defined(PREFETCH_NULL) || defined(PREFETCH_VALID)
		__builtin_prefetch(address);
#endif
		/* Keeps the loop, and the address in its register, in all three. */
		__asm__ volatile("" : : "r"(address));
	} while (--n);
}

int main(int argc, char **argv)
{
	arguments_parse(argc, argv, arguments);
	prefetch_loop(count, place);
	return 0;
}
