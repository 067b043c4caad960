/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of known length, one set for each class of first instructions: see scope-stubs.h. For
 * other machines the table is empty.
 */
	.text

/* NAME begins with FIRST, has so many nops MORE, then LAST; its end is at THEN, and it returns. */
.macro leaf name, first, more, last, then, at_last
	.balign	16
\name:
	\first
	.rept	\more
	nop
	.endr
	\last
\name\()_end:
	\then
	\at_last
	ret
.endm

#if defined(__x86_64__)
.macro calls name, called
	.balign	16
\name:
	push	%rbx
	mov	$8, %ebx
1:	call	\called
	dec	%ebx
	jnz	1b
	pop	%rbx
\name\()_end:
	ret
.endm
#elif defined(__aarch64__)
.macro calls name, called
	.balign	16
\name:
	stp	x29, x30, [sp, #-32]!
	str	x19, [sp, #16]
	mov	w19, #8
1:	bl	\called
	subs	w19, w19, #1
	b.ne	1b
	ldr	x19, [sp, #16]
	ldp	x29, x30, [sp], #32
\name\()_end:
	ret
.endm
#endif

#if defined(__x86_64__) || defined(__aarch64__)
.macro stubs name, first, last, then, at_last
	leaf	\name\()_short, "\first", 0, "\last", "\then", "\at_last"
	leaf	\name\()_long, "\first", 64, "\last", "\then", "\at_last"
	leaf	\name\()_copy, "\first", 0, "\last", "\then", "\at_last"
	calls	\name\()_nested, \name\()_short
	calls	\name\()_alone, \name\()_copy
	.pushsection .data.rel.ro, "aw"
	.8byte	\name\()_short, \name\()_short_end, \name\()_long, \name\()_long_end
	.8byte	\name\()_nested, \name\()_nested_end, \name\()_alone, \name\()_alone_end
	.popsection
.endm

/* Those that end at their return, and those that end at another instruction of the class. */
.macro class name, first, last
	stubs	\name, "\first", "\last", "", ""
	stubs	\name\()_placed, "\first", "\last", "\first", "\last"
.endm

	.pushsection .data.rel.ro, "aw"
	.balign	8
	.globl	scope_stub_table
	.hidden	scope_stub_table
scope_stub_table:
	.popsection

/* In the order of enum scope_class. */
#if defined(__x86_64__)
	class	stepped, "mov %edi, %eax", ""
	class	emulated, "jmp 1f; 1:", ""
	class	address, "lea scope_stub_idle_0(%rip), %rax", ""
	class	nothing, "nop", ""
	class	landing, "endbr64", ""
	class	push, "push %rbp", "pop %rbp"
	class	stack, "sub $8, %rsp", "add $8, %rsp"
#else
	class	stepped, "mov x9, x0", ""
	class	emulated, "b 1f; 1:", ""
	class	address, "adr x9, .", ""
	class	nothing, "nop", ""
	class	landing, "hint #34", ""
	class	push, "stp x29, x30, [sp, #-16]!", "ldp x29, x30, [sp], #16"
	class	stack, "sub sp, sp, #16", "add sp, sp, #16"
#endif

/* 64 that are never called, 16 bytes each. */
	.globl	scope_stub_idle_0
	.hidden	scope_stub_idle_0
	.balign	16
scope_stub_idle_0:
	.rept	64
	nop
	ret
	.balign	16
	.endr
#else
	.globl	scope_stub_table, scope_stub_idle_0
	.hidden	scope_stub_table, scope_stub_idle_0
scope_stub_table:
scope_stub_idle_0:
#endif

	.section .note.GNU-stack, "", %progbits
