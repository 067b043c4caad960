#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How often abstat is wrong, and how often it sees 5 %, in the noise of this machine.
#
#   real-noise.sh ABSTAT WORK [COUNT [OPTION...]]
#
# WORK N is a command that works N steps; N is chosen so that it takes about 4 ms. COUNT (200) times it is compared with
# itself, and COUNT times with one that works 5 % more. OPTIONs are for `abstat compare`; without any its defaults are
# tried, which take up to 10 seconds a comparison: --max-runs=200 takes less.
#
# Fails where more than 10 % of the comparisons with itself find a difference, where less than 80 % of the others
# find it worse, or where one finds it better.
set -uo pipefail

abstat=${1:?abstat} work=${2:?workload}
count=${3:-200}
shift $(($# < 3 ? $# : 3))
target_ns=4000000

# The shortest duration of WORK $1 of 50, in ns: whatever else the machine does.
shortest_ns()
{
	"$abstat" stat -q -r 50 --null -j -- "$work" "$1" |
		grep -F '"name":"duration_time"' | head -n 1 |
		sed -E 's/.*"min":([0-9.e+]+).*/\1/'
}

# The verdicts of COUNT comparisons of WORK $1 with WORK $2: "12 same", a line each.
verdicts()
{
	local first=$1 second=$2
	shift 2
	for ((i = 0; i < count; i++)); do
		"$abstat" compare -q -j "$@" "$work $first" "$work $second" |
			sed -nE 's/.*"moved":null,"verdict":"([a-z]+)".*/\1/p'
	done | sort | uniq -c
}

number_of()
{
	awk -v word="$1" '$2 == word { n = $1 } END { print n + 0 }' <<<"$2"
}

steps=4000000
steps=$(awk -v s="$steps" -v t="$(shortest_ns $steps)" -v u="$target_ns" 'BEGIN { printf "%d", s * u / t }')
more=$((steps + steps / 20))
echo "$work $steps takes at least $(shortest_ns "$steps" | awk '{ printf "%.2f ms", $1 / 1e6 }')"

begin=$SECONDS
equal=$(verdicts "$steps" "$steps" "$@")
echo "with itself, $count comparisons in $((SECONDS - begin)) s:"
echo "$equal"
begin=$SECONDS
slower=$(verdicts "$steps" "$more" "$@")
echo "with 5 % more work, $count comparisons in $((SECONDS - begin)) s:"
echo "$slower"

false_alarms=$(($(number_of better "$equal") + $(number_of worse "$equal")))
found=$(number_of worse "$slower")
wrong=$(number_of better "$slower")
total=$(awk '{ n += $1 } END { print n + 0 }' <<<"$equal
$slower")
awk -v f="$false_alarms" -v w="$found" -v b="$wrong" -v n="$count" 'BEGIN {
	printf "called different though equal: %.1f %% (at most 10 %%)\n", 100 * f / n
	printf "5 %% more work called worse: %.1f %% (at least 80 %%), better: %.1f %% (none)\n", 100 * w / n, 100 * b / n
	exit !(f <= n / 10 && w >= n * 8 / 10 && b == 0)
}' && [ "$total" -eq $((2 * count)) ]
