# SPDX-License-Identifier: GPL-2.0-or-later
# Scopes are exact to the instruction: functions of lengths that were drawn for this boot. What a
# probe adds is a constant of the first instruction's class (here not calibrated, but found from
# scope_short); so all that is read of other functions is known.

short=$((3 + 2 * (SCOPES_N1 % 500 + 11)))
long=$((3 + 2 * (SCOPES_N2 % 50000 + 500)))
nest=$((4 + SCOPES_K * (3 + short)))
inherits=no
case $(uname -r) in
6.1.*) ;;
*) inherits=yes ;;
esac

run scoped instructions:u scope_short -- /guest/bin/scopes
calls=$((2000 * (2 + SCOPES_K)))
all_measured scope_short $calls
inside=$(($(cost scope_short 3) - short))
near "what a probe adds to a call is few instructions" $inside -2 2
each scope_short $calls $((short + inside))

run scoped instructions:u scope_long -- /guest/bin/scopes
each scope_long "$SCOPES_K" $((long + inside))

run scoped instructions:u scope_nest scope_short -- /guest/bin/scopes
each scope_short $calls $((short + inside))
around=$((($(cost scope_nest 3) - nest - inside) / SCOPES_K))
near "what a probe adds to the caller is few instructions" $around 0 4
each scope_nest 2000 $((nest + inside + SCOPES_K * around))
is "exclusive of what is nested in it" "$(cost scope_nest 2)" \
	$((2000 * (4 + 3 * SCOPES_K + inside + SCOPES_K * (around - inside))))

run scoped instructions:u scope_recurse -- /guest/bin/scopes
all_measured scope_recurse 18000
is "what is recursive is counted once" "$(cost scope_recurse 1)" $((2000 * (53 + inside + 8 * around)))
is "the fifth of nine levels" "$(cost scope_recurse 3)" $((29 + inside + 4 * around))
is "the outermost level" "$(cost scope_recurse 4)" $((53 + inside + 8 * around))

run scoped instructions:u scope_branch -- /guest/bin/scopes
each scope_branch 2000 "$(cost scope_branch 3)"
near "an instruction that the kernel does itself adds less" "$(cost scope_branch 3)" \
	$((short + 1 + inside - 2)) $((short + 1 + inside))

run scoped instructions:u scope_tail -- /guest/bin/scopes
each scope_tail 2000 "$(cost scope_tail 3)"
near "what a tail call costs is its caller's" "$(cost scope_tail 3)" $((short + 2)) $((short + 4))

run scoped instructions:u /guest/bin/shared:scope_shared -- /guest/bin/opens
each scope_shared 500 $((3 + 2 * (SHARED_N1 % 700 + 10) + inside))

work=$((3 + 2 * (THREADCALLS_N1 % 900 + 10)))
run scoped instructions:u scope_work -- /guest/bin/threadcalls
if [ $inherits = yes ]; then
	each scope_work $((THREADCALLS_K * 301)) $((work + inside))
else
	is "calls of other threads are known" "$(get scope_work calls)" $((THREADCALLS_K * 301))
	is "not to be followed" "$(get scope_work unfollowed)" $((THREADCALLS_K * 300))
	is "those of the first are exact" "$(cost scope_work 1)" $((THREADCALLS_K * (work + inside)))
	is "the whole has no value" "$(cost whole 1)" nan
fi

run scoped instructions:k,instructions:u k:__arm64_sys_getppid -- /guest/bin/scopes
all_measured k:__arm64_sys_getppid 2000
near "the kernel's instructions, the probe's included" "$(cost k:__arm64_sys_getppid 3 instructions:k)" 100 20000
is "in user mode there are none" "$(cost k:__arm64_sys_getppid 1)" 0

hold 6 pinned >holding &
holder=$!
until grep -q holding holding; do sleep 0.1; done
run scoped instructions:u scope_short -- /guest/bin/scopes
is "while others hold the counters, calls are known" "$(get scope_short calls)" $calls
is "as not counted" "$(get scope_short not_counted) $(get scope_short measured)" "$calls 0"
is "and the whole has no value" "$(cost whole 1)" nan
kill $holder
wait $holder 2>/dev/null

is "no definition is left" "$(grep -c abstat /sys/kernel/tracing/uprobe_events /sys/kernel/tracing/kprobe_events | tr '\n' ' ')" \
	"/sys/kernel/tracing/uprobe_events:0 /sys/kernel/tracing/kprobe_events:0 "

if [ $inherits = yes ]; then
	run scoped instructions:u k:__arm64_sys_nanosleep -- /guest/bin/sleepers
	is "of more sleepers at once than the kernel can see return, all are known" \
		"$(get k:__arm64_sys_nanosleep calls)" $((101 + 10 * SLEEPERS_K))
	is "100 are measured" "$(get k:__arm64_sys_nanosleep measured)" 100
	is "the others are missed, and said to be" "$(get k:__arm64_sys_nanosleep missed)" $((1 + 10 * SLEEPERS_K))
fi
