// SPDX-License-Identifier: GPL-2.0-or-later
// More than 2^32 instructions, which a counter of 32 bits overflows. In long stretches without a
// branch, which the emulator runs fast.
// N1: 21474837 + N2 % 100000
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
