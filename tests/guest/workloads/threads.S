// SPDX-License-Identifier: GPL-2.0-or-later
// K threads beside the first, which ends before they do.
// instructions: 6 + 2 * N1 + K * (17 + 2 * N2)
#include "exact.inc"
.global _start
_start:
	spin	N1
	mov	x19, #K
next:
	new_thread
	cbz	x0, thread
	subs	x19, x19, #1
	b.ne	next
	exit_with 0
thread:
	spin	N2
	exit_with 0
