# SPDX-License-Identifier: GPL-2.0-or-later
# What a probe adds depends on the instruction that a function begins with. It is calibrated, and
# subtracted: what the tool prints is the function's own count, to the instruction, for each kind,
# alone and nested.

s=$((SCOPECLASSES_N1 % 90 + 9))
m=$((SCOPECLASSES_N2 % 9000 + 900))
l=$(((SCOPECLASSES_N1 + SCOPECLASSES_N2) % 90000 + 9990))
passes=300
kinds="nop:4:$s sub:5:$m stp:5:$s adrp:4:$m b:4:$s cbz:4:$m ldr:4:$s bti:4:$m"
leaves=$(for kind in $kinds; do echo "--scope class_${kind%%:*}"; done)

# scope_is NAME CALLS COUNT: so many calls, each of so many instructions.
scope_is() {
	is "$1: calls" "$(metric "$1/calls" mean)" "$2"
	is "$1: none is lost" "$(metric "$1/lost" mean)" 0
	for field in instructions:u instructions:u.p50 instructions:u.p99; do
		is "$1: $field" "$(metric "$1/$field" mean)" "$3"
	done
}

probe() {
	run_json stat -e instructions:u -r 1 --warmup 0 --probed-only "$@" -- /guest/bin/scopeclasses
}

leaves_are_exact() {
	for kind in $kinds; do
		name=${kind%%:*} more=${kind#*:}
		calls=$((2 * passes))
		[ $name = nop ] && calls=$((3 * passes))
		scope_is class_$name $calls $((${more%:*} + 2 * ${more#*:}))
	done
}

probe $leaves
leaves_are_exact

# Left by a jump; up to 200,000 instructions; and a range, from before a loop to the return.
probe --scope class_tail --scope class_long --scope r=class_nop+4..class_nop+20
scope_is class_tail $passes $((6 + 2 * s))
scope_is class_long 5 $((3 + 2 * l))
scope_is r $((3 * passes)) $((2 + 2 * s))

# Nested, all at once.
probe --scope class_nest $leaves
scope_is class_nest $passes $((11 + 34 + 8 * s + 8 * m))
is "what class_nest does itself" "$(metric class_nest/instructions:u.self mean)" $((passes * 11))
leaves_are_exact
