// SPDX-License-Identifier: GPL-2.0-or-later
// Functions that begin with each kind of instruction that matters to a probe, of lengths that are
// drawn: up to 200, up to 20,000 and up to 200,000 instructions. All are called PASSES times, then
// once more each by class_nest; class_long five times.
// instructions: 4 + 300 * (12 + (34 + 8 * (N1 % 90 + 9) + 8 * (N2 % 9000 + 900)) + 6 + 2 * (N1 % 90 + 9) + 11 + (34 + 8 * (N1 % 90 + 9) + 8 * (N2 % 9000 + 900))) + 5 * (3 + 3 + 2 * ((N1 + N2) % 90000 + 9990)) + 3
#include "exact.inc"
#define S (N1 % 90 + 9)
#define M (N2 % 9000 + 900)
#define L ((N1 + N2) % 90000 + 9990)
#define PASSES 300

.macro begin name
	.balign	64
	.type	\name, %function
\name:
.endm

.macro end name
	.size	\name, . - \name
.endm

.global _start
_start:
	load	x19, PASSES
	mov	x0, #0
1:	bl	class_nop
	bl	class_sub
	bl	class_stp
	bl	class_adrp
	bl	class_b
	bl	class_cbz
	bl	class_ldr
	bl	class_bti
	bl	class_tail
	bl	class_nest
	subs	x19, x19, #1
	b.ne	1b
	mov	x19, #5
2:	bl	class_long
	subs	x19, x19, #1
	b.ne	2b
	exit_with 0

// 4 + 2 * S
begin class_nop
	nop
	spin	S
	ret
end class_nop

// 5 + 2 * M
begin class_sub
	sub	sp, sp, #32
	spin	M
	add	sp, sp, #32
	ret
end class_sub

// 5 + 2 * S
begin class_stp
	stp	x29, x30, [sp, #-16]!
	spin	S
	ldp	x29, x30, [sp], #16
	ret
end class_stp

// 4 + 2 * M
begin class_adrp
	adrp	x1, class_adrp
	spin	M
	ret
end class_adrp

// 4 + 2 * S
begin class_b
	b	1f
1:	spin	S
	ret
end class_b

// 4 + 2 * M
begin class_cbz
	cbz	x0, 1f
1:	spin	M
	ret
end class_cbz

// 4 + 2 * S; cannot be probed where it begins
begin class_ldr
	ldr	x1, 2f
	spin	S
	ret
	.balign	8
2:	.8byte	1
end class_ldr

// 4 + 2 * M
begin class_bti
	hint	#34
	spin	M
	ret
end class_bti

// 2 + class_nop: left by a jump
begin class_tail
	nop
	b	class_nop
end class_tail

// 11 + all of those but class_tail
begin class_nest
	stp	x29, x30, [sp, #-16]!
	bl	class_nop
	bl	class_sub
	bl	class_stp
	bl	class_adrp
	bl	class_b
	bl	class_cbz
	bl	class_ldr
	bl	class_bti
	ldp	x29, x30, [sp], #16
	ret
end class_nest

// 3 + 2 * L
begin class_long
	spin	L
	ret
end class_long
