// SPDX-License-Identifier: GPL-2.0-or-later
// Fails, and does more, where its first argument begins with 1.
// instructions: 9 + 2 * N1
#include "exact.inc"
.global _start
_start:
	ldr	x1, [sp, #16]
	ldrb	w2, [x1]
	cmp	w2, #'1'
	b.eq	bad
	spin	N1
	exit_with 0
bad:
	spin	(N1+N2)
	exit_with 3
