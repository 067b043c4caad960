// SPDX-License-Identifier: GPL-2.0-or-later
// Maps the code of a library, the workload "shared", and calls its function 500 times.
// instructions: 19 + 500 * (6 + 2 * (SHARED_N1 % 700 + 10))
#include "exact.inc"
.global _start
_start:
	mov	x0, #-100		// AT_FDCWD
	adr	x1, path
	mov	x2, #0			// O_RDONLY
	mov	x3, #0
	mov	x8, #56			// openat
	svc	#0
	mov	x4, x0
	mov	x0, #0
	mov	x1, #4096
	mov	x2, #5			// read, execute
	mov	x3, #2			// private
	mov	x5, #0x10000		// where its code is in the file
	mov	x8, #222		// mmap
	svc	#0
	mov	x20, x0
	mov	x19, #500
1:	blr	x20
	subs	x19, x19, #1
	b.ne	1b
	exit_with 0
path:
	.asciz	"/guest/bin/shared"
