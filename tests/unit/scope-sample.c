/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program with every kind of function that is to be found, or refused, as a scope.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scope-sample.h"

/* What sys/sdt.h writes for DTRACE_PROBE(provider, name), with or without a semaphore. */
#define STRING(x) #x
#define MARKER(name, semaphore)                                                                    \
	__asm__ volatile("990: nop\n"                                                              \
			 ".pushsection .note.stapsdt,\"?\",\"note\"\n"                             \
			 ".balign 4\n"                                                             \
			 ".4byte 992f-991f, 994f-993f, 3\n"                                        \
			 "991: .asciz \"stapsdt\"\n"                                               \
			 "992: .balign 4\n"                                                        \
			 "993: .8byte 990b, _.stapsdt.base, " semaphore "\n"                       \
			 ".asciz \"sample\", \"" name "\", \"\"\n"                                 \
			 "994: .balign 4\n"                                                        \
			 ".popsection\n"                                                           \
			 ".ifndef _.stapsdt.base\n"                                                \
			 ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"   \
			 ".weak _.stapsdt.base\n"                                                  \
			 ".hidden _.stapsdt.base\n"                                                \
			 "_.stapsdt.base: .space 1\n"                                              \
			 ".size _.stapsdt.base, 1\n"                                               \
			 ".popsection\n"                                                           \
			 ".endif\n")

unsigned short sample_used __attribute__((section(".probes"), used));
static volatile int sink;

static inline __attribute__((always_inline)) int folded(int n)
{
	return n * n + sink;
}

KEEP int plain(int n)
{
	MARKER("start", "sample_used");
	for (int i = 0; i < n; i++)
		sink += folded(i);
	MARKER("stop", "0");
	return sink;
}

/* A marker in two places, of which one has a semaphore. */
KEEP int several(int n)
{
	if (n > 3) {
		MARKER("many", "sample_used");
		sink = n;
	} else {
		MARKER("many", "0");
		sink = -n;
	}
	MARKER("over", "0");
	return sink;
}

/* Two functions in two files. */
static KEEP int twice(int n)
{
	return sink += 2 * n;
}

KEEP int use_twice(int n)
{
	return twice(n) + 1;
}

KEEP int tail_call(int n)
{
	return plain(n + 1);
}

KEEP int two_returns(int n)
{
	if (__builtin_expect(n == 17, 0)) {
		sink = 1;
		return sink + 3;
	}
	return sink + n;
}

/* As the compiler names what it makes of a function. */
KEEP int made_of_it(int n) __asm__("made.constprop.0");
KEEP int made_of_it(int n)
{
	return n + sink;
}

/* With no size, and one that comes back to where it begins. */
#if defined(__x86_64__)
__asm__(".text\n"
	".globl sizeless\n"
	"sizeless: nop\n"
	"ret\n"
	".globl rounds\n"
	".type rounds, @function\n"
	"rounds: dec %edi\n"
	"jnz rounds\n"
	"ret\n"
	".size rounds, .-rounds\n"
	".globl refused\n"
	".type refused, @function\n"
	"refused: int $0x80\n"
	"ret\n"
	".size refused, .-refused\n");
#else
__asm__(".text\n"
	".globl sizeless\n"
	"sizeless: nop\n"
	"ret\n"
	".globl rounds\n"
	".type rounds, %function\n"
	"rounds: subs w0, w0, #1\n"
	"b.ne rounds\n"
	"ret\n"
	".size rounds, .-rounds\n"
	".globl refused\n"
	".type refused, %function\n"
	"refused: ldxr w1, [x0]\n"
	"ret\n"
	".size refused, .-refused\n");
#endif
void sizeless(void);
void rounds(int n);

static int first_choice(int n)
{
	return n + sink;
}

static int (*choose(void))(int)
{
	return first_choice;
}

int chosen(int n) __attribute__((ifunc("choose")));

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;

	sizeless();
	rounds(3);
	printf("%d\n", plain(n) + use_twice(n) + use_other_twice(n) + tail_call(n) +
			   two_returns(n) + made_of_it(n) + chosen(n) + library_function(n));
	return 0;
}
