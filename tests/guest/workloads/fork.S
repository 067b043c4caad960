// SPDX-License-Identifier: GPL-2.0-or-later
// K children, one after the other, each waited for.
// instructions: 6 + 2 * N1 + K * (22 + 2 * N2)
#include "exact.inc"
.global _start
_start:
	spin	N1
	mov	x19, #K
next:
	new_process
	cbz	x0, child
	mov	x0, #-1
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x8, #260		// wait4
	svc	#0
	subs	x19, x19, #1
	b.ne	next
	exit_with 0
child:
	spin	N2
	exit_with 0
