/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code of x86-64 that uses tables as compilers write it: by addresses that are before, behind or
 * within something else. -DMOVE puts other data around them, -DCHANGE_... changes one thing.
 */
#ifndef MOVE
#define MOVE 0
#endif

	.section .note.GNU-stack, "", @progbits

#define FUNCTION(name) .section .text.name, "ax", @progbits; .globl name; \
	.type name, @function; name:
#define END(name) .size name, . - name

	.text
	.globl _start
	.type _start, @function
_start:	hlt
	END(_start)

/* A value for 1 to 4: the address is that of an entry for 0, which is not there. */
FUNCTION(biased)
	lea -1(%rdi), %ecx
	cmp $3, %ecx
	ja 1f
	movslq %edi, %rax
	mov .Lvalues - 8(, %rax, 8), %rax
	ret
1:	mov $.Lnone, %eax
	ret
	END(biased)

/* The same by an address in a register, before the guard. */
FUNCTION(biased_by_register)
	mov $.Lvalues - 8, %edx
	mov %edi, %ecx
	sub $1, %ecx
	cmp $4, %ecx
	jae 1f
	movslq %edi, %rax
	mov (%rdx, %rax, 8), %rax
	ret
1:	mov $.Lnone, %eax
	ret
	END(biased_by_register)

/* A value for 0 to 2, behind which another table begins that nothing names. */
FUNCTION(guarded)
	cmp $2, %edi
	ja 1f
	mov %edi, %edi
	mov .Lmore(, %rdi, 8), %rax
	ret
1:	xor %eax, %eax
	ret
	END(guarded)

/* Offsets of texts from the table. */
FUNCTION(offsets)
	cmp $2, %edi
	ja 1f
	lea .Loffsets(%rip), %rcx
	movslq %edi, %rax
	movslq (%rcx, %rax, 4), %rax
	add %rcx, %rax
	ret
1:	xor %eax, %eax
	ret
	END(offsets)

/* The number that is compared is in memory. */
FUNCTION(jumps)
	cmpl $2, 8(%rdi)
	ja 4f
	mov 8(%rdi), %eax
	jmp *.Ljumps(, %rax, 8)
1:	mov $11, %eax
	ret
2:	mov $12, %eax
	ret
3:	mov $13, %eax
	ret
4:	xor %eax, %eax
	ret
	.section .rodata.jumps, "a", @progbits
	.balign 8
#ifdef CHANGE_JUMPS
.Ljumps: .quad 1b, 3b, 2b
#else
.Ljumps: .quad 1b, 2b, 3b
#endif
	.section .text.jumps, "ax", @progbits
	END(jumps)

/* Counts from 1 in an array that begins with 0. */
FUNCTION(counted)
	mov $1, %ebx
1:	mov named - 8(, %rbx, 8), %rdi
	add $1, %rbx
	cmp $3, %rbx
	jne 1b
	ret
	END(counted)

/* From the second entry, back from the end. */
FUNCTION(backwards)
	mov $-24, %rcx
1:	mov named + 32(%rcx), %rdi
	add $8, %rcx
	jne 1b
	ret
	END(backwards)

	.section .rodata.aaa, "a", @progbits
	.balign 8
#if MOVE
	.quad 0x1111111111111111, .Lnone, 0x3333333333333333
#endif
	.quad 0x0102030405060708
	.section .rodata.bbb, "a", @progbits
	.balign 8
.Lvalues:
#if defined CHANGE_FIRST
	.quad .Lother, .Ltwo, .Lthree, .Lfour
#elif defined CHANGE_LAST
	.quad .Lone, .Ltwo, .Lthree, .Lother
#elif defined CHANGE_ORDER
	.quad .Lone, .Lthree, .Ltwo, .Lfour
#else
	.quad .Lone, .Ltwo, .Lthree, .Lfour
#endif
	.section .rodata.ccc, "a", @progbits
	.balign 8
.Lmore:
#ifdef CHANGE_GUARDED
	.quad .Lone, .Ltwo, .Lthree
#else
	.quad .Lone, .Ltwo, .Lfour
#endif
#if MOVE
	.quad .Lfour, .Lother, 0x7777777777777777
#else
	.quad .Ltwo, .Ltwo
#endif
	.section .rodata.ddd, "a", @progbits
	.balign 8
.Loffsets:
	.long .Ltwo - .Loffsets, .Lthree - .Loffsets, .Lfour - .Loffsets, 0x123 + MOVE
#if MOVE
	.quad 0x4444444444444444
#endif
	.quad MOVE + 0x5555555555555555
	.type named, @object
	.size named, 32
named:
#ifdef CHANGE_NAMED
	.quad .Lfour, .Lthree, .Ltwo, .Lone
#else
	.quad .Lone, .Ltwo, .Lthree, .Lfour
#endif
#if !MOVE
	.quad 0x6666666666666666
#endif
	.type behind, @object
	.size behind, 16
behind: .quad .Lother, 5

	.section .rodata.texts, "a", @progbits
.Lnone:	.asciz "none"
.Lone:	.asciz "the first"
#ifdef CHANGE_TEXTS
.Ltwo:	.asciz "third one"
.Lthree: .asciz "secondary"
#else
.Ltwo:	.asciz "secondary"
.Lthree: .asciz "third one"
#endif
.Lfour:	.asciz "the fourth"
.Lother: .asciz "another one"
