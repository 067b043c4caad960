// SPDX-License-Identifier: GPL-2.0-or-later
// 300 passes between USDT markers: plain ones; such as are only reached while their semaphores are
// raised; of a function that calls itself, 5 deep, with an end in two places; and with begin and
// end in different functions.
// link: -static-pie
// instructions: 4 + 300 * (4 + 2 * (N1 % 90 + 9) + 6 + 2 * (N2 % 900 + 99) + 51 + 10 * K + 10 + 2 * (N1 % 90 + 9) + 2) + 3
#include "exact.inc"
#include "function.inc"
#define S (N1 % 90 + 9)
#define M (N2 % 900 + 99)

// What sys/sdt.h makes of a marker without arguments: a nop, and a note about it.
.macro marker name, semaphore=0
990:	nop
	.pushsection .note.stapsdt, "?", "note"
	.balign	4
	.4byte	992f - 991f, 994f - 993f, 3
991:	.asciz	"stapsdt"
992:	.balign	4
993:	.8byte	990b, _.stapsdt.base, \semaphore
	.asciz	"guest"
	.asciz	"\name"
	.byte	0
994:	.balign	4
	.popsection
.endm

	.section .stapsdt.base, "aG", "progbits", .stapsdt.base, comdat
	.weak	_.stapsdt.base
	.hidden	_.stapsdt.base
_.stapsdt.base:
	.space	1
	.size	_.stapsdt.base, 1

	.section .probes, "aw", "progbits"
	.balign	2
used_begin:
	.2byte	0
used_end:
	.2byte	0

	.text
.global _start
_start:
	load	x19, 300
	adrp	x20, used_begin
	add	x20, x20, :lo12:used_begin

	// 4 + 2 * S; between the markers 3 + 2 * S, as the first of them is in it
1:	marker	plain_begin
	spin	S
	marker	plain_end

	// 6 + 2 * M; between the markers 5 + 2 * M
	ldrh	w1, [x20]
	cbz	w1, 2f
	marker	used_begin, used_begin
2:	spin	M
	ldrh	w1, [x20, #2]
	cbz	w1, 3f
	marker	used_end, used_end

	// 51 + 10 * K
3:	mov	x0, #5
	bl	nests

	// 10 + 2 * S; between the markers 6 + 2 * S
	bl	begins
	spin	S
	bl	ends
	subs	x19, x19, #1
	b.ne	1b
	exit_with 0

// 10 + 2 * K a level, the deepest 9 + 2 * K; between the markers 5 + 2 * K, and 10 + 2 * K more a level
function nests
	stp	x29, x30, [sp, #-16]!
	marker	nest_begin
	spin	K
	subs	x0, x0, #1
	b.eq	1f
	bl	nests
	marker	nest_end
	ldp	x29, x30, [sp], #16
	ret
1:	marker	nest_end
	ldp	x29, x30, [sp], #16
	ret
end nests

function begins
	sub	sp, sp, #64
	marker	far_begin
	add	sp, sp, #64
	ret
end begins

function ends
	marker	far_end
	ret
end ends
