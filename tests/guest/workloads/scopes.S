// SPDX-License-Identifier: GPL-2.0-or-later
// Functions of known length. scope_nest calls scope_short K times, scope_recurse itself until it is 9
// deep, scope_tail jumps to scope_short; scope_branch begins with an instruction that the kernel
// does itself. Each is called 2000 times, but scope_long K times; and the kernel is asked 2000 times
// for the parent's number.
// instructions: 7 + 2000 * (12 + (3 + 2 * (N1 % 500 + 11)) + (4 + K * (6 + 2 * (N1 % 500 + 11))) + 53 + (5 + 2 * (N1 % 500 + 11)) + (4 + 2 * (N1 % 500 + 11))) + K * (6 + 2 * (N2 % 50000 + 500))
#include "exact.inc"
#include "function.inc"
#define SHORT (N1 % 500 + 11)
#define LONG (N2 % 50000 + 500)
.global _start
_start:
	load	x19, 2000
1:	bl	scope_short
	bl	scope_nest
	mov	x0, #9
	bl	scope_recurse
	bl	scope_tail
	bl	scope_branch
	mov	x8, #173		// getppid
	svc	#0
	subs	x19, x19, #1
	b.ne	1b
	mov	x19, #K
2:	bl	scope_long
	subs	x19, x19, #1
	b.ne	2b
	exit_with 0

// 3 + 2 * SHORT
function scope_short
	spin	SHORT
	ret
end scope_short

function scope_long
	spin	LONG
	ret
end scope_long

// 4 + K * (3 + short)
function scope_nest
	stp	x29, x30, [sp, #-16]!
	mov	x20, #K
1:	bl	scope_short
	subs	x20, x20, #1
	b.ne	1b
	ldp	x29, x30, [sp], #16
	ret
end scope_nest

// 6 a level, the deepest 5
function scope_recurse
	stp	x29, x30, [sp, #-16]!
	subs	x0, x0, #1
	b.eq	1f
	bl	scope_recurse
1:	ldp	x29, x30, [sp], #16
	ret
end scope_recurse

// 2 + short
function scope_tail
	mov	x1, #0
	b	scope_short
end scope_tail

// 4 + 2 * SHORT
function scope_branch
	adr	x1, scope_branch
	spin	SHORT
	ret
end scope_branch
