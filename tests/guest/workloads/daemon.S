// SPDX-License-Identifier: GPL-2.0-or-later
// Leaves a process behind, in a session of its own, that computes for a very long time.
// The instructions are those of the first process.
// instructions: 13 + 2 * N1
#include "exact.inc"
.global _start
_start:
	spin	N1
	new_process
	cbz	x0, child
	exit_with 0
child:
	mov	x8, #157		// setsid
	svc	#0
	load	x9, 0xffffffff
next:	.rept	100
	nop
	.endr
	subs	x9, x9, #1
	b.ne	next
	exit_with 0
