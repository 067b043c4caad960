# SPDX-License-Identifier: GPL-2.0-or-later
# Beside others: more events than there are counters, groups, and every way to name an event.

# Nine hardware events do not fit six counters: groups take turns, the primary metric in each.
many=instructions:u,r8:u,r11:u,r1:u,r3:u,r4:u,r12:u,r14:u,r1b:u
run_json stat -e $many -r 6 /guest/bin/flat
exactly "the first of nine events, counted in every run" instructions:u "$FLAT" 6
is "more than one group was needed" "$(json plan.groups)" 2
is "nothing was scaled" "$(json plan.multiplexed)" false
counted=$(metric r8:u n)
near "another was counted in some of the runs" "$counted" 3 6
exactly "and is exact in those" r8:u "$FLAT" "$counted"
exactly "as is a third" r11:u "$FLAT" "$(metric r11:u n)"
exactly "an event that never happens is a true 0" r12:u 0 "$(metric r12:u n)"

run_json stat -e $many -r 1 --warmup 1 /guest/bin/flat
is "fewer runs than groups is an error" "$status" 129
says "which names the number" err '\b2\b'

# perf's way: the kernel takes turns. A short program shows what that costs.
run_json stat --multiplex -e $many -r 4 /guest/bin/fork
is "multiplexing on demand" "$(json plan.multiplexed)" true
near "is shown by the share of the time" "$(metric instructions:u running_percent)" 1 99.9

run_json stat -e instructions:u,page-faults,context-switches,cpu-migrations,minor-faults,major-faults,task-clock,cpu-clock,alignment-faults \
	-r 5 /guest/bin/flat
exactly "with eight software events" instructions:u "$FLAT" 5
is "all in one group" "$(json plan.groups)" 1
near "page faults are few" "$(metric page-faults mean)" 1 20
near "and task-clock in nanoseconds" "$(metric task-clock mean)" "$FLAT" $((FLAT * 2 + 500000))

run_json stat -e '{instructions:u,cycles:u},{r8:u,r11:u}' -r 4 /guest/bin/flat
exactly "groups in braces: the first" instructions:u "$FLAT" 4
exactly "and the second" r11:u "$FLAT" 4

run_json stat -e instructions:u --metric 'TWICE=2*r8:u' --metric 'PER=instructions:u/cycles:u' \
	-e cycles:u,r8:u -r 4 /guest/bin/flat
exactly "a metric of the user's" TWICE $((FLAT * 2)) 4
exactly "a ratio of the user's" PER 1 4

run_json stat -r 4 -e armv8_pmuv3/inst_retired/u,armv8_pmuv3/event=0x8/u,arm_ac57::INST_RETIRED:u,r8:u \
	/guest/bin/flat
for name in armv8_pmuv3/inst_retired/u armv8_pmuv3/event=0x8/u arm_ac57::INST_RETIRED:u r8:u; do
	exactly "named as $name" $name "$FLAT" 4
done

run_json stat -r 4 -e syscalls:sys_enter_getppid,raw_syscalls:sys_enter /guest/bin/syscalls
exactly "a tracepoint" syscalls:sys_enter_getppid "$SYSCALLS_N1" 4
near "and one of all system calls" "$(metric raw_syscalls:sys_enter mean)" \
	"$SYSCALLS_N1" $((SYSCALLS_N1 + 3))
