// SPDX-License-Identifier: GPL-2.0-or-later
// The second of three programs that replace one another.
// instructions: 7 + 2 * N1 + FLAT
#include "exact.inc"
.global _start
_start:
	spin	N1
	become	path, argv
path:	.asciz	"/guest/bin/flat"
	.balign	8
argv:	.quad	path, 0
