// SPDX-License-Identifier: GPL-2.0-or-later
// Asks the kernel something, N1 times.
// N1: 1000 + SYSCALLS_N2 / 500
// instructions: 5 + 4 * N1
#include "exact.inc"
.global _start
_start:
	load	x19, N1
next:
	mov	x8, #173		// getppid
	svc	#0
	subs	x19, x19, #1
	b.ne	next
	exit_with 0
