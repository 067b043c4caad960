// SPDX-License-Identifier: GPL-2.0-or-later
// 100,000 calls of each of two functions, whose lengths are drawn: 20 to 200, and 200 to 2,000
// instructions.
// instructions: 2 + 100000 * (4 + 3 + 2 * (N1 % 90 + 9) + 3 + 2 * (N2 % 900 + 99)) + 3
#include "exact.inc"
.global _start
_start:
	load	x19, 100000
1:	bl	call_short
	bl	call_middle
	subs	x19, x19, #1
	b.ne	1b
	exit_with 0

	.type	call_short, %function
call_short:
	spin	(N1 % 90 + 9)
	ret
	.size	call_short, . - call_short

	.type	call_middle, %function
call_middle:
	spin	(N2 % 900 + 99)
	ret
	.size	call_middle, . - call_middle
