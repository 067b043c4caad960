// SPDX-License-Identifier: GPL-2.0-or-later
// The same as flat with 30 % more to do.
// N1: FLAT_N1 * 13 / 10
// instructions: 5 + 2 * N1
#include "exact.inc"
.global _start
_start:
	spin	N1
	exit_with 0
