// SPDX-License-Identifier: GPL-2.0-or-later
// A parent that ends before its child does.
// instructions: 19 + 2 * N1 + 2 * N2
#include "exact.inc"
.global _start
_start:
	spin	N1
	new_process
	cbz	x0, child
	exit_with 0
child:
	spin	N2
	exit_with 0
