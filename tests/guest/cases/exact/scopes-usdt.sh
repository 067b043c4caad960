# SPDX-License-Identifier: GPL-2.0-or-later
# Between USDT markers, to the instruction: with and without semaphores, nested in itself, from one
# function to another; and between the markers that abstat/region.h leaves.

s=$((MARKERS_N1 % 90 + 9)) m=$((MARKERS_N2 % 900 + 99)) k=$MARKERS_K
plain=$((3 + 2 * s)) used=$((5 + 2 * m)) far=$((6 + 2 * s)) level=$((10 + 2 * k))
deepest=$((level - 5))

# scope_is NAME CALLS COUNT: so many calls, each of so many instructions.
scope_is() {
	is "$1: calls" "$(metric "$1/calls" mean) $(metric "$1/lost" mean) $(metric "$1/unreturned" mean)" "$2 0 0"
	is "$1: mean, median, 99th percentile" "$(metric "$1/instructions:u" mean) $(metric "$1/instructions:u.p50" mean) $(metric "$1/instructions:u.p99" mean)" \
		"$3 $3 $3"
}

# The bare runs, between probed ones, are as if there were no markers.
run_json stat -e instructions:u -r 2 --warmup 0 --scope used=usdt:guest:used_begin..used_end -- markers
exactly "where nothing is probed, semaphores are 0" instructions:u "$MARKERS" 2
scope_is used 300 $used

run_json stat -e instructions:u,cycles:u -r 1 --warmup 0 --probed-only --scope plain=usdt:guest:plain_begin..plain_end \
	--scope used=usdt:guest:used_begin..used_end --scope far=usdt:guest:far_begin..far_end \
	--scope nest=usdt:guest:nest_begin..nest_end -- markers
scope_is plain 300 $plain
scope_is used 300 $used
scope_is far 300 $far
is "nested: calls" "$(metric nest/calls mean) $(metric nest/unreturned mean)" "1500 0"
is "nested: in sum, of the outermost" "$(metric nest/instructions:u.total mean)" $((300 * (deepest + 4 * level)))
is "nested: the middle of five" "$(metric nest/instructions:u.p50 mean)" $((deepest + 2 * level))
is "nested: the outermost of five" "$(metric nest/instructions:u.p99 mean)" $((deepest + 4 * level))
is "a second counter" "$(metric used/cycles:u mean)" $used

# A marker of a region is a load and a branch; this one is in four places.
for n in 200 1700; do
	run_json stat -e instructions:u -r 1 --warmup 0 --probed-only \
		--scope work=usdt:abstat:work__begin..abstat:work__end -- regions flat $n 300
	each=$(metric work/instructions:u mean)
	near "a region of $n iterations, by its USDT markers" "$each" $((2 * n + 3)) $((2 * n + 7))
	scope_is work 300 "$each"
	[ $n = 200 ] || is "the difference is exact" $((each - before)) $((2 * 1500))
	before=$each
done

# Without privileges, where there is no semaphore.
run asuser 1000 /guest/bin/abstat stat -j -e instructions:u -r 1 --warmup 0 --probed-only \
	--scope plain=usdt:guest:plain_begin..plain_end -- /guest/bin/markers
scope_is plain 300 $plain
run asuser 1000 /guest/bin/abstat stat -e instructions:u -r 1 --warmup 0 --probed-only \
	--scope used=usdt:guest:used_begin..used_end -- /guest/bin/markers
is "a semaphore takes privileges" $status 128
