# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's share and the user's.

run_json stat -e instructions,instructions:u,instructions:k -r 5 /guest/bin/syscalls
exactly "the user's is exact beside the others" instructions:u "$SYSCALLS" 5
kernel=$(metric instructions:k min)
near "each of $SYSCALLS_N1 system calls costs the kernel something" "$kernel" \
	$((SYSCALLS_N1 * 50)) $((SYSCALLS_N1 * 20000))
near "both make the whole" "$(metric instructions mean)" $((SYSCALLS + kernel)) \
	$((SYSCALLS + $(metric instructions:k max | cut -d. -f1) + 2000))

run_json stat -e instructions:u,instructions:k -r 5 /guest/bin/flat
exactly "a program that only computes" instructions:u "$FLAT" 5
near "leaves the kernel little to do" "$(metric instructions:k mean)" 1000 400000
