/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-calls N: calls a function of a few instructions so often, for what it costs to watch it. In
 * bench-marked, it is a marked region, and between two USDT markers that are nops, as those of
 * sys/sdt.h.
 */
#ifdef MARKED
#include <abstat/region.h>
#define MARKER(edge) __asm__ volatile(ABSTAT_REGION_NOTE_("nop", edge) "777:\tnop")
#define BEGIN()                                                                                    \
	MARKER("begin");                                                                           \
	ABSTAT_REGION_BEGIN(callee)
#define END()                                                                                      \
	ABSTAT_REGION_END(callee);                                                                 \
	MARKER("end")
#else
#define BEGIN()
#define END()
#endif
#include <stdlib.h>

int callee(int x);

__attribute__((noinline)) int callee(int x)
{
	BEGIN();
	__asm__ volatile("" : "+r"(x));
	END();
	return x + 1;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

	for (long i = 0; i < n; i++)
		callee((int)i);
	return 0;
}
