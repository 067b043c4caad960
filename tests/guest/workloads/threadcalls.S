// SPDX-License-Identifier: GPL-2.0-or-later
// K threads beside the first call scope_work 300 times each, and the first calls it K times;
// scope_never is not called.
// instructions: 5 + K * (6 + 2 * (N1 % 900 + 10)) + K * 11 + K * (6 + 300 * (6 + 2 * (N1 % 900 + 10)))
#include "exact.inc"
#include "function.inc"
.global _start
_start:
	mov	x19, #K
1:	bl	scope_work
	subs	x19, x19, #1
	b.ne	1b
	mov	x19, #K
next:
	new_thread
	cbz	x0, thread
	subs	x19, x19, #1
	b.ne	next
	exit_with 0
thread:
	load	x20, 300
1:	bl	scope_work
	subs	x20, x20, #1
	b.ne	1b
	exit_with 0

function scope_work
	spin	(N1 % 900 + 10)
	ret
end scope_work

function scope_never
	ret
end scope_never
