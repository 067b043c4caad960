# SPDX-License-Identifier: GPL-2.0-or-later
# Events that this machine's PMU does not have.

run_json stat -e instructions:u,cache-misses,branches -r 4 /guest/bin/flat
exactly "the others are measured" instructions:u "$FLAT" 4
for name in cache-misses branches; do
	is "$name has no value" "$(metric $name mean)" null
	ok "but a reason" expr "$(metric $name reason)" : '.*not supported'
done
run abstat stat -e instructions:u,cache-misses,branches -r 4 /guest/bin/flat
says "one line names them both" out 'cache-misses, branches'
run_json stat -e cache-misses,instructions:u -r 4 /guest/bin/flat
is "as the primary metric, that is status 128" "$status" 128
says "which names it" err cache-misses
run_json stat -e instructions:u,cahce-misses -r 4 /guest/bin/flat
is "an unknown event is a usage error" "$status" 129
says "that offers the nearest name" err 'cache-misses'
run abstat stat -r 4 /guest/bin/flat
is "without -e, what there is is counted" "$status" 0
says "cycles among it" out '^ +[0-9,]+ +cycles'
run abstat list instructions
says "list says what works" out 'instructions +yes'
run abstat list cache-misses
says "and what does not" out 'cache-misses +no'
