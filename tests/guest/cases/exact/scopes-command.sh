# SPDX-License-Identifier: GPL-2.0-or-later
# Scopes by the command: what probing adds is calibrated and taken off, so that all is exact; what is in
# no scope is the rest; and a cost that moved is called moved, to the instruction.
work=$((SHIFT_N1 % 3000 + 500))
long=$((5 + 2 * work))

value() {
	json "variants.0.metrics.\"name=$1\".median"
}

run_json stat -q -A -r 3 -e instructions:u --scope shift_alloc --scope shift_free -- shift
is "it works" $status 0
is "the whole is that of the bare runs" "$(value instructions:u)" $SHIFT
is "calls" "$(value shift_alloc/calls)" 500
is "none is lost" "$(value shift_alloc/lost)" 0
is "a call" "$(value shift_alloc/instructions:u)" $long
is "half of the calls" "$(value shift_alloc/instructions:u.p50)" $long
is "99 of 100" "$(value shift_alloc/instructions:u.p99)" $long
is "all calls" "$(value shift_alloc/instructions:u.total)" $((500 * long))
is "calls that ended on the CPU" "$(value shift_alloc/CPU0/calls)" 500
is "a call there" "$(value shift_alloc/CPU0/instructions:u)" $long
is "all calls there" "$(value shift_free/CPU0/instructions:u.total)" $((500 * 3))
is "a call of the other" "$(value shift_free/instructions:u)" 3
is "what is in no scope" "$(value rest/instructions:u.total)" $((SHIFT - 500 * (long + 3)))
near "its share" "$(value shift_alloc/instructions:u.share)" 0.9 1

run_json compare -q -r 6 --no-evidence -e instructions:u --scope shift_alloc --scope shift_free \
	--metric 'both=shift_alloc/instructions:u.total+shift_free/instructions:u.total' shift 'shift late'
is "the whole is the same" "$(json comparisons.0.verdict)" same
is "won" "$(json comparisons.0.moved.won.estimate)" $((-500 * (2 + 2 * work)))
is "lost" "$(json comparisons.0.moved.lost.estimate)" $((500 * (2 + 2 * work)))
is "net" "$(json comparisons.0.moved.net.estimate)" 0
is "where it was won" "$(json comparisons.0.moved.won.scopes.0)" shift_alloc
is "and lost" "$(json comparisons.0.moved.lost.scopes.0)" shift_free
is "both together are the same" "$(json 'comparisons.0.metrics.name=both.verdict')" same
says "the sentence says so" out 'only moved \(instructions:u, a run\): shift_alloc'

# While another process holds the counters, the calls are counted, and cost null, never 0.
hold 6 pinned >holding &
holder=$!
until grep -q holding holding; do sleep 0.1; done
run_json stat -q -A -r 3 -e task-clock,instructions:u --scope shift_alloc -- shift
is "without a counter, calls" "$(value shift_alloc/calls)" 500
is "are not counted" "$(value shift_alloc/instructions:u.total)" null
is "nor are those of the CPU, which are not 0" "$(value shift_alloc/CPU0/calls)" null
is "nor is the rest" "$(value rest/instructions:u.total)" null
ok "for a reason" [ "$(json 'variants.0.metrics."name=shift_alloc/instructions:u.total".reason')" != null ]
kill $holder
wait $holder 2>/dev/null || true
