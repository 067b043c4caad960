// SPDX-License-Identifier: GPL-2.0-or-later
// The first of three programs that replace one another.
// instructions: 7 + 2 * N1 + CHAIN2
#include "exact.inc"
.global _start
_start:
	spin	N1
	become	path, argv
path:	.asciz	"/guest/bin/chain2"
	.balign	8
argv:	.quad	path, 0
