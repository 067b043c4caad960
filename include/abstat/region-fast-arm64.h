/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The markers of region-fast.h on arm64, where counters are 32 bits wide. Part of abstat/region.h.
 *
 * x16 is the place, x8 the thread, x9 the frame, x6 the tally. Only x0 and x6 to x17 are changed.
 */
#ifndef ABSTAT_REGION_FAST_ARM64_H
#define ABSTAT_REGION_FAST_ARM64_H

/* Where branches must have targets that say so, an entry of the table is twice as long. */
#if defined(__ARM_FEATURE_BTI_DEFAULT)
#define ABSTAT_REGION_ENTRY_(instruction, to) "hint #36\n\t" instruction "\n\tb " to "\n\tnop\n\t"
#define ABSTAT_REGION_ENTRY_SHIFT_ "4"
#else
#define ABSTAT_REGION_ENTRY_(instruction, to) instruction "\n\tb " to "\n\t"
#define ABSTAT_REGION_ENTRY_SHIFT_ "3"
#endif

/*
 * Reads the event whose page is in x11 into x12 and its lock into w13: the kernel's protocol. Goes to
 * 7 where no counter can be read.
 */
#define ABSTAT_REGION_READ_FAST_                                                                   \
	"2:\tldp w13, w14, [x11, #8]\n\t"                                                          \
	"adr x12, 3f\n\t"                                                                          \
	"add x12, x12, w14, uxtw #" ABSTAT_REGION_ENTRY_SHIFT_ "\n\t"                              \
	"br x12\n"                                                                                 \
	"3:\t" ABSTAT_REGION_ENTRY_("nop", "7f")                                                   \
	".irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, "  \
	"21, 22, 23, 24, 25, 26, 27, 28, 29, 30\n\t"                                               \
	ABSTAT_REGION_ENTRY_("mrs x12, pmevcntr\\number\\()_el0", "4f")                            \
	".endr\n\t"                                                                                \
	ABSTAT_REGION_ENTRY_("mrs x12, pmccntr_el0", "4f")                                         \
	".rept 95\n\t"                                                                             \
	ABSTAT_REGION_ENTRY_("nop", "7f")                                                          \
	".endr\n"                                                                                  \
	"4:\tldr x7, [x11, #16]\n\t"                                                               \
	"ldr w14, [x11, #8]\n\t"                                                                   \
	"cmp w14, w13\n\t"                                                                         \
	"b.ne 2b\n\t"                                                                              \
	"add x12, x7, w12, sxtw\n\t"

#define ABSTAT_REGION_SELF_FAST_                                                                   \
	"mrs x8, tpidr_el0\n\t"                                                                    \
	"add x8, x8, #:tprel_hi12:abstat_region_cached, lsl #12\n\t"                               \
	"ldr x8, [x8, #:tprel_lo12_nc:abstat_region_cached]\n\t"

__asm__(
    /* clang-format off */
    ABSTAT_REGION_ONCE_("abstat_region_begin_marker")
	"ldp x6, x7, [x16]\n\t"
	"cbz x6, 9f\n\t"
	ABSTAT_REGION_SELF_FAST_
	"ldp x9, x10, [x8]\n\t"
	"cbz x9, 8f\n\t"
	"cmp x9, x10\n\t"
	"b.hs 8f\n\t"
	"str xzr, [x8]\n\t"
	"ldp x11, x15, [x8, #16]\n\t"
	"add x6, x6, x11\n\t"
	"ldr x12, [x6]\n\t"
	"add x12, x12, #1\n\t"
	"str x12, [x6]\n\t"
	"ldur x13, [x9, #-24]\n\t"
	"orr x13, x13, x7\n\t"
	"stp x6, x13, [x9, #384]\n\t"
	"mov x10, sp\n\t"
	"isb\n\t"
	"mrs x12, cntvct_el0\n\t"
	"str x12, [x9]\n"
    "1:\tadd x11, x8, x15, lsl #1\n\t"
	"ldr x11, [x11, #32]\n"
	ABSTAT_REGION_READ_FAST_
	"str x12, [x9, x15]\n\t"
	"subs x15, x15, #8\n\t"
	"b.ne 1b\n\t"
	"stp x10, x13, [x9, #400]\n\t"
	"add x9, x9, #416\n\t"
	"str x9, [x8]\n"
    "9:\tret\n"
	/* As if it had never begun. */
    "7:\tldr x12, [x6]\n\t"
	"sub x12, x12, #1\n\t"
	"str x12, [x6]\n\t"
	"str x9, [x8]\n"
    "8:\tb abstat_region_begin_saved\n\t"
    ABSTAT_REGION_END_OF_("abstat_region_begin_marker")
    /* clang-format on */
);

__asm__(
    /* clang-format off */
    ABSTAT_REGION_ONCE_("abstat_region_end_marker")
	"ldr x6, [x16]\n\t"
	ABSTAT_REGION_SELF_FAST_
	"ldr x9, [x8]\n\t"
	"cbz x9, 8f\n\t"
	"ldp x11, x15, [x8, #16]\n\t"
	"add x6, x6, x11\n\t"
	"ldur x12, [x9, #-32]\n\t"
	"cmp x12, x6\n\t"
	"b.ne 8f\n\t"
	"str xzr, [x8]\n\t"
	"sub x9, x9, #416\n\t"
	"isb\n"
    "1:\tadd x10, x8, x15, lsl #1\n\t"
	"ldp x11, x10, [x10, #32]\n"
	ABSTAT_REGION_READ_FAST_
	"ldr x7, [x9, x15]\n\t"
	"add x12, x12, x10\n\t"
	"sub x12, x12, x7\n\t"
	"str x12, [x9, x15]\n\t"
	"subs x15, x15, #8\n\t"
	"b.ne 1b\n\t"
	"mrs x12, cntvct_el0\n\t"
	"ldr x7, [x9]\n\t"
	"ldr x10, [x8, #40]\n\t"
	"add x12, x12, x10\n\t"
	"sub x12, x12, x7\n\t"
	"str x12, [x9]\n\t"
	"ldr x10, [x9, #408]\n\t"
	"ldur x12, [x9, #-24]\n\t"
	"orr x11, x12, x10, lsr #32\n\t"
	"cbnz x11, 6f\n\t"
	"ldr x14, [x8, #24]\n\t"
	"add x11, x6, #560\n\t"
	"mov w7, #53\n"
    "5:\tldr x12, [x9, x15]\n\t"
	"add x0, x6, x15\n\t"
	"ldr x16, [x0, #48]\n\t"
	"add x16, x16, x12\n\t"
	"str x16, [x0, #48]\n\t"
	"bic x12, x12, x12, asr #63\n\t"
	"orr x0, x12, #0x7ff\n\t"
	"clz x0, x0\n\t"
	"sub x0, x7, x0\n\t"
	"lsr x12, x12, x0\n\t"
	"add x12, x12, x0, lsl #10\n\t"
	"ldr w16, [x11, x12, lsl #2]\n\t"
	"add w16, w16, #1\n\t"
	"str w16, [x11, x12, lsl #2]\n\t"
	"add x11, x11, #54, lsl #12\n\t"
	"add x15, x15, #8\n\t"
	"cmp x15, x14\n\t"
	"b.ls 5b\n\t"
	"ldp x14, x15, [x6, #8]\n\t"
	"add x14, x14, #1\n\t"
	"cmp w10, w13\n\t"
	"cinc x15, x15, ne\n\t"
	"stp x14, x15, [x6, #8]\n\t"
	"str x9, [x8]\n\t"
	"ret\n"
	/* If this was the first to be read, as if it had never ended; else it has no cost. */
    "7:\tldr x12, [x8, #24]\n\t"
	"cmp x12, x15\n\t"
	"b.eq 9f\n\t"
	"mov w12, #2\n\t"
	"str w12, [x9, #412]\n"
    "6:\tstr x9, [x8, #32]\n\t"
	"b abstat_region_finish_saved\n"
    "9:\tadd x9, x9, #416\n\t"
	"str x9, [x8]\n"
    "8:\tb abstat_region_end_saved\n\t"
    ABSTAT_REGION_END_OF_("abstat_region_end_marker")
    /* clang-format on */
);

#define ABSTAT_REGION_AGAIN_ "cbnz x16, abstat_region_begin_marker\n\t"

#endif
