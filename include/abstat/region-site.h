/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a marker is in a program's code: machine code that is the same wherever it stands, so that
 * what it adds to a counter is known exactly. Part of abstat/region.h.
 *
 *   site       tests the flag; goes on, or calls...
 *   saved      ...an entry that keeps every register that the compiler may be using, and calls
 *   runtime    a function of region-runtime.h, which uses general registers only
 *
 * A site has a note that makes it a USDT marker, and a record, by which the runtime knows its
 * region.
 */
#ifndef ABSTAT_REGION_SITE_H
#define ABSTAT_REGION_SITE_H

#include <stdint.h>

/*
 * The note of a USDT marker: its address, that of a section by which tools undo prelinking, no
 * semaphore, provider, name, no arguments. "?" puts a section into the group of the code around it,
 * if that is in one (a template, an inline function), so that both are dropped together.
 */
#define ABSTAT_REGION_NOTE_(name, edge)                                                            \
	".pushsection .note.stapsdt,\"?\",\"note\"\n\t"                                            \
	".balign 4\n\t"                                                                            \
	".4byte 772f-771f, 774f-773f, 3\n"                                                         \
	"771:\t.asciz \"stapsdt\"\n"                                                               \
	"772:\t.balign 4\n"                                                                        \
	"773:\t.8byte 777f, _.stapsdt.base, 0\n\t"                                                 \
	".asciz \"abstat\"\n\t"                                                                    \
	".asciz \"" name "__" edge "\"\n\t"                                                        \
	".byte 0\n"                                                                                \
	"774:\t.balign 4\n\t"                                                                      \
	".popsection\n\t"                                                                          \
	".ifndef _.stapsdt.base\n\t"                                                               \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n\t"                  \
	".weak _.stapsdt.base\n\t"                                                                 \
	".hidden _.stapsdt.base\n"                                                                 \
	"_.stapsdt.base:\t.space 1\n\t"                                                            \
	".size _.stapsdt.base, 1\n\t"                                                              \
	".popsection\n\t"                                                                          \
	".endif\n"

/* A site's record. */
struct abstat_region_place {
	uint64_t tally; /* of the region, in a slot; 0: nobody has asked for it */
	uint64_t bit;
	int64_t name; /* from here */
	uint64_t index; /* of the region */
};

/* As laid out in the structure. */
#define ABSTAT_REGION_RECORD_(text)                                                                \
	".pushsection abstat_region_places,\"aw?\",\"progbits\"\n\t"                               \
	".balign 8\n"                                                                              \
	"776:\t.8byte 0, 0\n"                                                                      \
	"775:\t.8byte 779f-775b, 0\n\t"                                                            \
	".popsection\n\t"                                                                          \
	".pushsection .rodata.abstat_region,\"a?\",\"progbits\"\n"                                 \
	"779:\t.asciz \"" text "\"\n\t"                                                            \
	".popsection\n\t"

/* The head and the end of a function in assembly that a program or library has once. */
#define ABSTAT_REGION_ONCE_(name)                                                                  \
	".pushsection .text." name ",\"axG\",%progbits," name ",comdat\n\t"                        \
	".weak " name "\n\t"                                                                       \
	".hidden " name "\n\t"                                                                     \
	".type " name ", %function\n\t"                                                            \
	".balign 16\n" name ":\n\t"
#define ABSTAT_REGION_END_OF_(name)                                                                \
	".size " name ", .-" name "\n\t"                                                           \
	".popsection\n"

#if defined(__x86_64__)

/* Below the stack pointer are 128 bytes that a function may use: who is called skips them back. */
#define ABSTAT_REGION_SITE_(note, record, edge)                                                    \
	__asm__ __volatile__(note record "777:\tcmpl $0, %0\n\t"                                   \
					 "jne 778f\n"                                              \
					 "780:\n\t"                                                \
					 ".subsection 1\n"                                         \
					 "778:\tleaq -128(%%rsp), %%rsp\n\t"                       \
					 "leaq 776b(%%rip), %%r11\n\t"                             \
					 "call abstat_region_" edge "_marker\n\t"                  \
					 "jmp 780b\n\t"                                            \
					 ".previous\n"                                             \
			     :                                                                     \
			     : "m"(abstat_region_on)                                               \
			     : "r10", "r11", "memory", "cc")

#define ABSTAT_REGION_FRAME_                                                                       \
	".cfi_startproc\n\t"                                                                       \
	".cfi_def_cfa_offset 136\n\t"                                                              \
	".cfi_offset %rip, -136\n\t"
#define ABSTAT_REGION_RETURN_ "ret $128\n\t"

/*
 * Calls a function with the place, which is in %r11. AGAIN may look at what the function returned,
 * in %r11.
 */
#define ABSTAT_REGION_SAVED_(name, function, again)                                                \
	ABSTAT_REGION_ONCE_(name)                                                                  \
	ABSTAT_REGION_FRAME_                                                                       \
	"pushq %rbp\n\t"                                                                           \
	".cfi_def_cfa_offset 144\n\t"                                                              \
	".cfi_offset %rbp, -144\n\t"                                                               \
	"movq %rsp, %rbp\n\t"                                                                      \
	".cfi_def_cfa_register %rbp\n\t"                                                           \
	"pushq %rax\n\t"                                                                           \
	"pushq %rcx\n\t"                                                                           \
	"pushq %rdx\n\t"                                                                           \
	"pushq %rsi\n\t"                                                                           \
	"pushq %rdi\n\t"                                                                           \
	"pushq %r8\n\t"                                                                            \
	"pushq %r9\n\t"                                                                            \
	"andq $-16, %rsp\n\t"                                                                      \
	"movq %r11, %rdi\n\t"                                                                      \
	"call " function "\n\t"                                                                    \
	"movq %rax, %r11\n\t"                                                                      \
	"leaq -56(%rbp), %rsp\n\t"                                                                 \
	"popq %r9\n\t"                                                                             \
	"popq %r8\n\t"                                                                             \
	"popq %rdi\n\t"                                                                            \
	"popq %rsi\n\t"                                                                            \
	"popq %rdx\n\t"                                                                            \
	"popq %rcx\n\t"                                                                            \
	"popq %rax\n\t"                                                                            \
	"popq %rbp\n\t"                                                                            \
	".cfi_restore %rbp\n\t"                                                                    \
	".cfi_def_cfa %rsp, 136\n\t"                                                               \
	again                                                                                      \
	ABSTAT_REGION_RETURN_                                                                      \
	".cfi_endproc\n\t" ABSTAT_REGION_END_OF_(name)

#else

/* Code beyond a megabyte cannot be reached by a conditional branch, so that it skips another. */
#define ABSTAT_REGION_SITE_(note, record, edge)                                                    \
	__asm__ __volatile__(note record "777:\tldr w16, [%0]\n\t"                                 \
					 "cbz w16, 780f\n\t"                                       \
					 "b 778f\n"                                                \
					 "780:\n\t"                                                \
					 ".subsection 1\n"                                         \
					 "778:\tstp x0, x30, [sp, #-16]!\n\t"                      \
					 "adrp x16, 776b\n\t"                                      \
					 "add x16, x16, :lo12:776b\n\t"                            \
					 "bl abstat_region_" edge "_marker\n\t"                    \
					 "ldp x0, x30, [sp], #16\n\t"                              \
					 "b 780b\n\t"                                              \
					 ".previous\n"                                             \
			     :                                                                     \
			     : "r"(&abstat_region_on)                                              \
			     : ABSTAT_REGION_SCALABLE_ "x6", "x7", "x8", "x9", "x10", "x11",       \
			       "x12", "x13", "x14", "x15", "x16", "x17", "memory", "cc")

/* A system call may clear what is above the lower 128 bits of these. */
#if defined(__ARM_FEATURE_SVE)
#define ABSTAT_REGION_SCALABLE_                                                                    \
	"z0", "z1", "z2", "z3", "z4", "z5", "z6", "z7", "z8", "z9", "z10", "z11", "z12", "z13",    \
	    "z14", "z15", "z16", "z17", "z18", "z19", "z20", "z21", "z22", "z23", "z24", "z25",    \
	    "z26", "z27", "z28", "z29", "z30", "z31", "p0", "p1", "p2", "p3", "p4", "p5", "p6",    \
	    "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15",
#else
#define ABSTAT_REGION_SCALABLE_
#endif

/*
 * Calls a function with the place, which is in x16; the site has saved x0 and x30. AGAIN may look at
 * what the function returned, in x16.
 */
#define ABSTAT_REGION_SAVED_(name, function, again)                                                       \
	ABSTAT_REGION_ONCE_(name)                                                                  \
	".cfi_startproc\n\t"                                                                       \
	"stp x29, x30, [sp, #-64]!\n\t"                                                            \
	".cfi_def_cfa_offset 64\n\t"                                                               \
	".cfi_offset 29, -64\n\t"                                                                  \
	".cfi_offset 30, -56\n\t"                                                                  \
	"mov x29, sp\n\t"                                                                          \
	"stp x1, x2, [sp, #16]\n\t"                                                                \
	"stp x3, x4, [sp, #32]\n\t"                                                                \
	"stp x5, x18, [sp, #48]\n\t"                                                               \
	"mov x0, x16\n\t"                                                                          \
	"bl " function "\n\t"                                                                      \
	"mov x16, x0\n\t"                                                                        \
	"ldp x1, x2, [sp, #16]\n\t"                                                                \
	"ldp x3, x4, [sp, #32]\n\t"                                                                \
	"ldp x5, x18, [sp, #48]\n\t"                                                               \
	"ldp x29, x30, [sp], #64\n\t"                                                              \
	".cfi_restore 29\n\t"                                                                      \
	".cfi_restore 30\n\t"                                                                      \
	".cfi_def_cfa_offset 0\n\t"                                                                \
	again                                                                                      \
	"ret\n\t"                                                                                  \
	".cfi_endproc\n\t" ABSTAT_REGION_END_OF_(name)

#endif

#endif
