/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-calls N: calls a function of a few instructions so often, for what it costs to watch it. In
 * bench-marked, it is a marked region.
 */
#ifdef MARKED
#include <abstat/region.h>
#else
#define ABSTAT_REGION_BEGIN(name)
#define ABSTAT_REGION_END(name)
#endif
#include <stdlib.h>

int callee(int x);

__attribute__((noinline)) int callee(int x)
{
	ABSTAT_REGION_BEGIN(callee);
	__asm__ volatile("" : "+r"(x));
	ABSTAT_REGION_END(callee);
	return x + 1;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

	for (long i = 0; i < n; i++)
		callee((int)i);
	return 0;
}
