# SPDX-License-Identifier: GPL-2.0-or-later
# What a call costs by each engine, in instructions of the program and of the kernel for it: the table of
# abstat-scopes(7) has these.

access=/proc/sys/kernel/perf_user_access
# Ordinary users count the kernel, too.
echo -1 >/proc/sys/kernel/perf_event_paranoid
calls=5000

# price ENGINE TEXT COMMAND...: the instructions that COMMAND says a call takes, less the bare ones.
price() {
	engine=$1 text=$2
	shift 2
	run "$@"
	price=$(($(sed -n 's/.*price \([0-9]*\).*/\1/p' out | head -n 1) - bare))
	says "$engine" out "$text"
	echo "# cost of a call, $engine: $price instructions"
}

# The program's own output is shown.
stat="stat -e instructions:u -r 1 --warmup 0 --probed-only --stdout=inherit"
function="--scope plain" markers="--scope usdt:abstat:watched__start..watched__stop" region="--scope region:watched"
program="/guest/bin/regions price 1 $calls"
bare=0
price "nothing" price $program
bare=$price
# Words on purpose.
# shellcheck disable=SC2086
price "uprobe" "measured by uprobes" abstat $stat $function -- $program
uprobe=$price
price "uprobe, on USDT markers" "measured by uprobes" abstat $stat $markers -- $program
usdt=$price
price "execute breakpoint" "execute breakpoints" asuser 1000 /guest/bin/abstat $stat $function -- $program
breakpoint=$price
price "region, counter read by read(2)" "by read\(2\)" abstat $stat $region -- $program
by_read=$price
echo 1 >$access
price "region, counter read in user space" "in user space" abstat $stat $region -- $program
echo 0 >$access
near "a uprobe" $uprobe 1000 20000
near "on markers" $usdt 1000 20000
near "a breakpoint" $breakpoint 1000 20000
near "a region by read(2)" $by_read 300 $uprobe
near "a region in user space" $price 20 150
