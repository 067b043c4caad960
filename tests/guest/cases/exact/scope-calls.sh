# SPDX-License-Identifier: GPL-2.0-or-later
# 100,000 calls of functions whose lengths were drawn for this boot: each call is exact, none is lost.
run_json stat -e instructions:u -r 1 --probed-only --warmup 0 --scope call_short --scope call_middle \
	-- /guest/bin/hundredthousand
for kind in short:$((3 + 2 * (HUNDREDTHOUSAND_N1 % 90 + 9))) \
	middle:$((3 + 2 * (HUNDREDTHOUSAND_N2 % 900 + 99))); do
	name=call_${kind%:*}
	is "$name: calls" "$(metric $name/calls mean)" 100000
	is "$name: none is lost" "$(metric $name/lost mean)" 0
	for field in instructions:u instructions:u.p50 instructions:u.p99; do
		is "$name: $field" "$(metric $name/$field mean)" ${kind#*:}
	done
done
