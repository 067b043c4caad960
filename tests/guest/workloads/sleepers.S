// SPDX-License-Identifier: GPL-2.0-or-later
// 100 threads and 10 K more beside the first sleep at the same time, and the first after them.
// instructions: 3 + (100 + 10 * K) * 10 + (100 + 10 * K) * 7 + 7
#include "exact.inc"
.global _start
_start:
	load	x19, (100 + 10 * K)
next:
	new_thread
	cbz	x0, sleep
	subs	x19, x19, #1
	b.ne	next
sleep:
	adr	x0, second
	mov	x1, #0
	mov	x8, #101		// nanosleep
	svc	#0
	exit_with 0
	.balign 8
second:
	.quad	2, 0
