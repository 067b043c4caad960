# SPDX-License-Identifier: GPL-2.0-or-later
# Breakpoints of the processor, for an ordinary user at paranoid 2: calls of functions of lengths that
# were drawn for this boot are exact to the instruction, and none is lost.

probe() {
	run asuser 1000 /guest/bin/abstat stat -j -e instructions:u -r 1 --warmup 0 --probed-only "$@"
}

# scope_is NAME CALLS COUNT: so many calls, each of so many instructions.
scope_is() {
	is "$1: calls" "$(metric "$1/calls" mean)" "$2"
	is "$1: none is lost" "$(metric "$1/lost" mean) $(metric "$1/unreturned" mean)" "0 0"
	is "$1: half of them, and 99 of 100" \
		"$(metric "$1/instructions:u.p50" mean) $(metric "$1/instructions:u.p99" mean)" "$3 $3"
	is "$1: in sum" "$(metric "$1/instructions:u.total" mean)" $(($2 * $3))
}

short=$((3 + 2 * (HUNDREDTHOUSAND_N1 % 90 + 9)))
middle=$((3 + 2 * (HUNDREDTHOUSAND_N2 % 900 + 99)))
probe --scope call_short --scope call_middle -- /guest/bin/hundredthousand
says "the engine is named" out 'measured by execute breakpoints'
scope_is call_short 100000 $short
scope_is call_middle 100000 $middle
is "what is in no scope" "$(metric rest/instructions:u.total mean)" \
	$((HUNDREDTHOUSAND - 100000 * (short + middle)))
is "the whole" "$(metric probed/instructions:u mean)" "$HUNDREDTHOUSAND"

# Nested in one another; up to 200,000 instructions; as many as there are breakpoints for.
few=$((SCOPECLASSES_N1 % 90 + 9))
many=$((SCOPECLASSES_N2 % 9000 + 900))
long=$(((SCOPECLASSES_N1 + SCOPECLASSES_N2) % 90000 + 9990))
probe --scope class_nest --scope class_nop --scope class_long -- /guest/bin/scopeclasses
scope_is class_long 5 $((3 + 2 * long))
scope_is class_nop 900 $((4 + 2 * few))
scope_is class_nest 300 $((45 + 8 * few + 8 * many))
is "what it does itself" "$(metric class_nest/instructions:u.self mean)" \
	$((300 * (41 + 6 * few + 8 * many)))

# In every thread, on kernels that cannot follow them by themselves, too; and one that is not called.
probe --scope scope_work --scope scope_never -- /guest/bin/threadcalls
scope_is scope_work $((THREADCALLS_K * 301)) $((3 + 2 * (THREADCALLS_N1 % 900 + 10)))
is "what is in no scope of any thread" "$(metric rest/instructions:u.total mean)" \
	$((THREADCALLS - THREADCALLS_K * 301 * (3 + 2 * (THREADCALLS_N1 % 900 + 10))))
is "a function that is not called has 0 calls" "$(metric scope_never/calls mean)" 0

# Where the counters are taken, nothing tells which calls the breakpoints missed.
hold 6 pinned >holding &
holder=$!
until grep -q holding holding; do sleep 0.1; done
probe --scope class_nop -- /guest/bin/scopeclasses
is "while others hold the counters, the run is refused" $status 128
says "with the reason" err 'others hold the hardware counters'
kill $holder
wait $holder 2>/dev/null || true
