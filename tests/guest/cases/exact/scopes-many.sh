# SPDX-License-Identifier: GPL-2.0-or-later
# 100,000 calls of a function in a program that is loaded anywhere: each is exact, none is lost.
run scoped instructions:u scope_short -- /guest/bin/scopes
inside=$(($(cost scope_short 3) - 3 - 2 * (SCOPES_N1 % 500 + 11)))
run scoped instructions:u scope_middle -- /guest/bin/manycalls
each scope_middle 100000 $((3 + 2 * (MANYCALLS_N1 % 1000 + 9) + inside))
is "none is lost" "$(get scope_middle lost)" 0
