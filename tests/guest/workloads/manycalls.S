// SPDX-License-Identifier: GPL-2.0-or-later
// 100,000 calls of scope_middle, in a program that is loaded anywhere.
// link: -static-pie
// instructions: 5 + 100000 * (6 + 2 * (N1 % 1000 + 9))
#include "exact.inc"
#include "function.inc"
.global _start
_start:
	load	x19, 100000
1:	bl	scope_middle
	subs	x19, x19, #1
	b.ne	1b
	exit_with 0

function scope_middle
	spin	(N1 % 1000 + 9)
	ret
end scope_middle
