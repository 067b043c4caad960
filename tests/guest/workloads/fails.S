// SPDX-License-Identifier: GPL-2.0-or-later
// Exits with status 1, always.
// instructions: 5 + 2 * N1
#include "exact.inc"
.global _start
_start:
	spin	N1
	exit_with 1
