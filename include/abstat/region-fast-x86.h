/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The markers of region-fast.h on x86-64, where counters are 48 bits wide. Part of abstat/region.h.
 *
 * %r11 is the place, %r10 the thread, %rsi the frame, %rdi the tally. What else is changed is saved.
 *
 * The readings of a marker come after all work before it (lfence; neither rdtsc nor rdpmc waits for
 * that). They do not wait for each other, nor what follows for them: that would take more fences, and
 * it is work that has retired that is counted. Nothing else is needed for order: the kernel writes a
 * thread's pages on the CPU that the thread is on.
 */
#ifndef ABSTAT_REGION_FAST_X86_H
#define ABSTAT_REGION_FAST_X86_H

#define ABSTAT_REGION_PUSH_(name) "pushq %" name "\n\t.cfi_adjust_cfa_offset 8\n\t"
#define ABSTAT_REGION_POP_(name) "popq %" name "\n\t.cfi_adjust_cfa_offset -8\n\t"
#define ABSTAT_REGION_KEEP_                                                                        \
	ABSTAT_REGION_PUSH_("rax")                                                                 \
	ABSTAT_REGION_PUSH_("rcx")                                                                 \
	ABSTAT_REGION_PUSH_("rdx")                                                                 \
	ABSTAT_REGION_PUSH_("rsi")                                                                 \
	ABSTAT_REGION_PUSH_("rdi")                                                                 \
	ABSTAT_REGION_PUSH_("r8")
#define ABSTAT_REGION_GIVE_BACK_                                                                   \
	".cfi_remember_state\n\t"                                                                  \
	ABSTAT_REGION_POP_("r8")                                                                   \
	ABSTAT_REGION_POP_("rdi")                                                                  \
	ABSTAT_REGION_POP_("rsi")                                                                  \
	ABSTAT_REGION_POP_("rdx")                                                                  \
	ABSTAT_REGION_POP_("rcx")                                                                  \
	ABSTAT_REGION_POP_("rax")

#define ABSTAT_REGION_SELF_FAST_ "movq %fs:abstat_region_cached@tpoff, %r10\n\t"

/*
 * Reads event number %r8 / 8 - 1 into %rax and its lock into %r11: the kernel's protocol. Goes to 7
 * where no counter can be read. Whether that is allowed at all does not change in an event's life.
 */
#define ABSTAT_REGION_READ_FAST_                                                                   \
	"movq 32(%r10,%r8,2), %rdi\n"                                                              \
	"2:\tmovl 8(%rdi), %r11d\n\t"                                                              \
	"movl 12(%rdi), %ecx\n\t"                                                                  \
	"subl $1, %ecx\n\t"                                                                        \
	"jb 7f\n\t"                                                                                \
	"rdpmc\n\t"                                                                                \
	"movswq %dx, %rdx\n\t"                                                                     \
	"shlq $32, %rdx\n\t"                                                                       \
	"orq %rdx, %rax\n\t"                                                                       \
	"addq 16(%rdi), %rax\n\t"                                                                  \
	"cmpl 8(%rdi), %r11d\n\t"                                                                  \
	"jne 2b\n\t"

/* Time is stored in the halves that it comes in. */
__asm__(
    /* clang-format off */
    ABSTAT_REGION_ONCE_("abstat_region_begin_marker")
	ABSTAT_REGION_FRAME_
	"cmpq $0, (%r11)\n\t"
	"je 9f\n\t"
	ABSTAT_REGION_SELF_FAST_
	ABSTAT_REGION_KEEP_
	"movq (%r10), %rsi\n\t"
	"testq %rsi, %rsi\n\t"
	"jz 8f\n\t"
	"cmpq 8(%r10), %rsi\n\t"
	"jae 8f\n\t"
	"movq $0, (%r10)\n\t"
	"movq %r11, 288(%r10)\n\t"
	"movq (%r11), %rdi\n\t"
	"addq 16(%r10), %rdi\n\t"
	"incq (%rdi)\n\t"
	"movq %rdi, 384(%rsi)\n\t"
	"movq 8(%r11), %rax\n\t"
	"orq -24(%rsi), %rax\n\t"
	"movq %rax, 392(%rsi)\n\t"
	"movq %rsp, 400(%rsi)\n\t"
	"movq 24(%r10), %r8\n\t"
	"lfence\n\t"
	"rdtsc\n\t"
	"movl %eax, (%rsi)\n\t"
	"movl %edx, 4(%rsi)\n"
    "1:\t" ABSTAT_REGION_READ_FAST_
	"movq %rax, (%rsi,%r8)\n\t"
	"subq $8, %r8\n\t"
	"jnz 1b\n\t"
	"movq %r11, 408(%rsi)\n\t"
	"addq $416, %rsi\n\t"
	"movq %rsi, (%r10)\n\t"
	ABSTAT_REGION_GIVE_BACK_
    "9:\t" ABSTAT_REGION_RETURN_
	".cfi_restore_state\n"
	/* As if it had never begun. */
    "7:\tmovq 384(%rsi), %rdi\n\t"
	"decq (%rdi)\n\t"
	"movq 288(%r10), %r11\n\t"
	"movq %rsi, (%r10)\n"
    "8:\t" ABSTAT_REGION_GIVE_BACK_
	"jmp abstat_region_begin_saved\n\t"
	".cfi_endproc\n\t"
    ABSTAT_REGION_END_OF_("abstat_region_begin_marker")
    /* clang-format on */
);

/*
 * A cost is begin minus end in the frame first. A value's bucket is (shift << 10) + (value >> shift),
 * where shift is the place of the highest bit of value >> 10, 0 if that is 0: then bsr leaves 0 where
 * it was, as AMD says and Linux relies on.
 */
__asm__(
    /* clang-format off */
    ABSTAT_REGION_ONCE_("abstat_region_end_marker")
	ABSTAT_REGION_FRAME_
	ABSTAT_REGION_SELF_FAST_
	ABSTAT_REGION_KEEP_
	"movq (%r10), %rsi\n\t"
	"subq $416, %rsi\n\t"
	"jb 8f\n\t"
	"movq (%r11), %rdi\n\t"
	"addq 16(%r10), %rdi\n\t"
	"cmpq %rdi, 384(%rsi)\n\t"
	"jne 8f\n\t"
	"movq $0, (%r10)\n\t"
	"movq %r11, 288(%r10)\n\t"
	"movq 24(%r10), %r8\n\t"
	"lfence\n"
    "1:\t" ABSTAT_REGION_READ_FAST_
	"subq %rax, (%rsi,%r8)\n\t"
	"subq $8, %r8\n\t"
	"jnz 1b\n\t"
	"rdtsc\n\t"
	"subl %eax, (%rsi)\n\t"
	"sbbl %edx, 4(%rsi)\n\t"
	"movl 412(%rsi), %eax\n\t"
	"orq -24(%rsi), %rax\n\t"
	"jne 6f\n\t"
	"movq 384(%rsi), %rdi\n\t"
	"leaq 560(%rdi), %rdx\n"
    "3:\tmovq 40(%r10,%r8,2), %rax\n\t"
	"subq (%rsi,%r8), %rax\n\t"
	"js 5f\n\t"
	"addq %rax, 48(%rdi,%r8)\n"
    "4:\tmovq %rax, %rcx\n\t"
	"shrq $10, %rcx\n\t"
	"bsrq %rcx, %rcx\n\t"
	"shrq %cl, %rax\n\t"
	"shll $10, %ecx\n\t"
	"addl %ecx, %eax\n\t"
	"incl (%rdx,%rax,4)\n\t"
	"addq $221184, %rdx\n\t"
	"addq $8, %r8\n\t"
	"cmpq 24(%r10), %r8\n\t"
	"jbe 3b\n\t"
	"incq 8(%rdi)\n\t"
	/* Interrupted, if the lock has grown. */
	"cmpl %r11d, 408(%rsi)\n\t"
	"adcq $0, 16(%rdi)\n\t"
	"movq %rsi, (%r10)\n\t"
	ABSTAT_REGION_GIVE_BACK_
    "9:\t" ABSTAT_REGION_RETURN_
	".cfi_restore_state\n"
	/* Less than an empty region. */
    "5:\taddq %rax, 48(%rdi,%r8)\n\t"
	"xorl %eax, %eax\n\t"
	"jmp 4b\n"
	/* If this was the first to be read, as if it had never ended; else it has no cost. */
    "7:\tcmpq 24(%r10), %r8\n\t"
	"je 7f\n\t"
	"movl $2, 412(%rsi)\n"
    "6:\tmovq 24(%r10), %r8\n"
    "1:\tmovq 40(%r10,%r8,2), %rax\n\t"
	"subq (%rsi,%r8), %rax\n\t"
	"movq %rax, (%rsi,%r8)\n\t"
	"subq $8, %r8\n\t"
	"jns 1b\n\t"
	"movq %rsi, 32(%r10)\n\t"
	"movq 288(%r10), %r11\n\t"
	ABSTAT_REGION_GIVE_BACK_
	"jmp abstat_region_finish_saved\n\t"
	".cfi_restore_state\n"
    "7:\tmovq 288(%r10), %r11\n\t"
	"addq $416, %rsi\n\t"
	"movq %rsi, (%r10)\n"
    "8:\t" ABSTAT_REGION_GIVE_BACK_
	"cmpq $0, (%r11)\n\t"
	"je 9b\n\t"
	"jmp abstat_region_end_saved\n\t"
	".cfi_endproc\n\t"
    ABSTAT_REGION_END_OF_("abstat_region_end_marker")
    /* clang-format on */
);

#define ABSTAT_REGION_AGAIN_                                                                       \
	"testq %r11, %r11\n\t"                                                                     \
	"jnz abstat_region_begin_marker\n\t"

#endif
