# SPDX-License-Identifier: GPL-2.0-or-later
# All that runs on the machine while the command does.

for where in -a "-C 0"; do
	run_json stat $where -e instructions:u -r 5 /guest/bin/flat
	near "$where counts the command" "$(metric instructions:u min)" "$FLAT" $((FLAT + 200000))
done
/guest/bin/daemon
run_json stat -a -e instructions:u -r 5 /guest/bin/flat
near "and others" "$(metric instructions:u max)" $((FLAT + 100000)) 1e12
killall -9 daemon
run_json stat -a -A -e instructions:u -r 5 /guest/bin/flat
is "a row a CPU" "$status" 0
near "has this CPU's" "$(json variants.0.metrics.0.min)" "$FLAT" $((FLAT + 200000))
