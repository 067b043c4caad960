// SPDX-License-Identifier: GPL-2.0-or-later
// Work that is done in shift_alloc; with an argument, in shift_free instead. The whole is the same.
// instructions: 6 + 500 * (14 + 2 * (N1 % 3000 + 500))
#include "exact.inc"
#include "function.inc"
#define WORK (N1 % 3000 + 500)
.global _start
_start:
	ldr	x20, [sp]		// argc
	load	x19, 500
1:	mov	x0, x20
	bl	shift_alloc
	mov	x0, x20
	bl	shift_free
	subs	x19, x19, #1
	b.ne	1b
	exit_with 0

// 5 + 2 * WORK, or 3
function shift_alloc
	cmp	x0, #1
	b.ne	2f
	spin	WORK
2:	ret
end shift_alloc

function shift_free
	cmp	x0, #1
	b.eq	2f
	spin	WORK
2:	ret
end shift_free
