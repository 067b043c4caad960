# SPDX-License-Identifier: GPL-2.0-or-later
# Marked regions: exact, by counters read in user space and by read(2), as root and as an ordinary user,
# and what their markers cost.

access=/proc/sys/kernel/perf_user_access
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
echo 2 >/proc/sys/kernel/perf_event_paranoid
n1=$((FLAT_N1 % 5000 + 100)) n2=$((FLAT_N2 % 500 + 10))

# region NAME PART: of the first variant.
region() {
	metric "$1" "${2:-mean}"
}

# all_are TEXT SCOPE COUNT: mean, median and 99th percentile of every run.
all_are() {
	is "$1" "$(region "$2/instructions:u") $(region "$2/instructions:u.p50") $(region "$2/instructions:u.p99") $(region "$2/instructions:u" sd)" \
		"$3 $3 $3 0"
}

# run_json, again where a total is not the same in every run, twice at most. A reading amid which the kernel stopped
# the thread is made again, which is 10 instructions more: in one of many thousand calls, and of few runs.
run_exact() {
	for attempt in 1 2 3; do
		run_json "$@"
		grep -E '"name":"(work|outer|deep)/instructions:u.total"' out | grep -qv '"sd":0,' || break
		echo "# attempt $attempt: a reading was made again"
	done
}

# The kernel's own number of calls, of which none may be missing.
calls_are() {
	is "$1" "$(region "$2/calls") $(region "$2/lost") $(region "$2/unreturned") $(region "$2/not-counted")" "$3 0 0 0"
}

for allowed in 1 0; do
	echo $allowed >$access
	how="in user space"
	[ $allowed = 1 ] || how="by read(2)"

	for n in $n2 $n1 100003; do
		calls=2000
		[ "$n" -lt 100000 ] || calls=20
		run_exact stat -e instructions:u -r 2 --probed-only --scope region:work -- regions flat "$n" $calls
		all_are "$how: a body of $n iterations" work $((2 * n + 1))
		calls_are "$how: its calls" work $calls
	done
	says "$how: the output says so" out "read their counters $(echo "$how" | sed 's/[()]/./g')"

	run_exact stat -e instructions:u,cycles:u -r 2 --probed-only --scope region:work --scope region:outer \
		--scope region:deep -- regions nested "$n2" 500
	piece=$((2 * n2 + 1))
	all_are "$how: the innermost" deep $piece
	is "$how: what lies in another" "$(region work/instructions:u.total) $(region work/instructions:u.self)" \
		"$((500 * 3 * piece)) $((500 * 2 * piece))"
	all_are "$how: with all that is in it" outer $((5 * piece))
	is "$how: without it" "$(region outer/instructions:u.self)" $((500 * 2 * piece))
	is "$how: two counters" "$(region deep/cycles:u)" $piece

	run_exact stat -e instructions:u -r 2 --probed-only --scope region:work -- regions threads "$n2" 500
	all_are "$how: threads" work $piece
	calls_are "$how: calls of threads" work 2000
	run_exact stat -e instructions:u -r 2 --probed-only --scope region:work -- regions forks "$n2" 500
	all_are "$how: children" work $piece
	calls_are "$how: calls of children" work 2000

	run asuser 1000 /guest/bin/abstat stat -j -e instructions:u -r 2 --probed-only --scope region:work -- \
		/guest/bin/regions flat "$n2" 500
	all_are "$how: an ordinary user" work $piece
done

# Beside probes, and without them, in blocks.
echo 1 >$access
run_exact stat -e instructions:u -r 3 --scope region:work -- regions flat "$n2" 1000
all_are "beside runs that are not probed" work $((2 * n2 + 1))

# User-space reads are forbidden while a region is open: every call has a cost.
run_json stat -e instructions:u -r 1 --probed-only --scope region:work --scope region:outer -- regions forbid "$n2" 1000
is "reads are forbidden meanwhile" "$status $(region work/calls) $(region work/lost) $(region outer/calls)" "0 1000 0 1"
is "and nothing of it shows" "$(region work/instructions:u) $(region work/instructions:u.p99)" \
	"$((2 * n2 + 1)) $((2 * n2 + 1))"

# What a pair costs, as the program's own counter has it.
pair() {
	events=$1
	run_json stat -e "$events" -r 1 --probed-only --scope region:work --extract 'pair=pair ([0-9]+)' -- regions cost 1 20000
	metric pair mean
}
run regions cost 1 20000
near "nothing is measured: instructions a pair" "$(sed 's/pair //' out)" 0 4
echo 1 >$access
one=$(pair instructions:u) two=$(pair instructions:u,cycles:u)
near "a pair, one counter" "$one" 20 150
near "each further counter" $((two - one)) 20 80

# Others hold the counters: the calls are known, what they cost is not, and is not 0.
hold 6 pinned >holding &
holder=$!
until grep -q holding holding; do sleep 0.1; done
run_json stat -e task-clock,instructions:u -r 2 --probed-only --scope region:work -- regions flat "$n2" 100
is "without counters" "$status $(region work/calls) $(region work/instructions:u)" "0 100 null"
kill $holder
wait $holder 2>/dev/null
echo 0 >$access
echo "$paranoid" >/proc/sys/kernel/perf_event_paranoid
