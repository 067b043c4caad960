// SPDX-License-Identifier: GPL-2.0-or-later
// A tenth of a second where an instruction takes a nanosecond, for what is told by CPU time.
// N1: 500000 + N2 / 10
// instructions: 5 + 202 * N1
#include "exact.inc"
.global _start
_start:
	load	x9, N1
next:
	.rept	200
	nop
	.endr
	subs	x9, x9, #1
	b.ne	next
	exit_with 0
