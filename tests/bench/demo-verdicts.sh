#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How often the experiments of `abstat demo` come out as their causes are known.
#
#   demo-verdicts.sh ABSTAT [COUNT [EXPERIMENT...]]
#
# Each experiment is run COUNT (10) times. Of each comparison it is counted what was said; where the
# cause is known (more work, a cost that is known to have moved, the same work), what must be said is
# in the table below: at least 9 of 10 must say it, and none the opposite. Where only the machine
# knows, what it said is printed. On a calm machine, 10 of each take about half an hour.
set -uo pipefail

abstat=${1:?abstat}
count=${2:-10}
shift $(($# < 2 ? $# : 2))

# Experiment, step, comparison, and what must come out: a verdict; "within", which is the same, or a
# difference that is shown to be below the margin; or "any".
table='markers 1 immediate within
markers 1 memory worse
markers 2 immediate within
markers 2 memory within
prefetch 1 valid any
prefetch 1 null any
hlist 1 prefetch any
hlist 2 prefetch any
buffer-init 1 at-alloc any
buffer-init 2 at-alloc within
buffer-init 3 at-alloc any
buffer-init 3 alloc worse
buffer-init 3 free better
messaging 1 pointer within
messaging 1 more worse
messaging 2 again within
messaging 2 more worse
alloc-loop 1 cache,plain any
alloc-loop 1 cache,safe worse
alloc-loop 1 common,plain any
alloc-loop 1 common,safe worse'

experiments=("$@")
[ $# -gt 0 ] || mapfile -t experiments < <(cut -d ' ' -f 1 <<<"$table" | uniq)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# From the JSON of one experiment: "STEP VARIANT VERDICT", a line each, scopes by the names of scopes.
verdicts()
{
	python3 -c '
import json, sys

decoder = json.JSONDecoder()
text, step = sys.stdin.read().lstrip(), 0
while text:
    report, end = decoder.raw_decode(text)
    text, step = text[end:].lstrip(), step + 1
    for comparison in report["comparisons"]:
        for metric in comparison["metrics"]:
            name, _, rest = metric["name"].partition("/")
            verdict = metric["verdict"]
            if metric.get("within_margin") and verdict in ("better", "worse"):
                verdict += ",within"
            if metric["primary"]:
                print(step, comparison["variant"], verdict)
            elif rest.endswith(".total"):
                print(step, name, verdict)
'
}

for experiment in "${experiments[@]}"; do
	for ((i = 0; i < count; i++)); do
		begin=$SECONDS
		"$abstat" demo "$experiment" -- -j -q 2>/dev/null | verdicts |
			sed "s/^/$experiment /" >>"$work/verdicts"
		echo "$experiment $((SECONDS - begin))" >>"$work/seconds"
	done
	awk -v e="$experiment" '$1 == e { if ($2 > most) most = $2; sum += $2; n++ }
		END { printf "%s: %d runs of at most %d s, %.0f s on average\n", e, n, most, sum / n }' "$work/seconds"
done

failed=0
while read -r experiment step variant wanted; do
	said=$(awk -v e="$experiment" -v s="$step" -v v="$variant" \
		'$1 == e && $2 == s && $3 == v { print $4 }' "$work/verdicts")
	[ -n "$said" ] || continue
	n=$(wc -l <<<"$said")
	case $wanted in
	any) right=$n opposite=0 ;;
	within)
		right=$(grep -cE '^same$|,within$' <<<"$said")
		opposite=$(grep -cxE 'better|worse' <<<"$said")
		;;
	worse) right=$(grep -c '^worse' <<<"$said") opposite=$(grep -c '^better' <<<"$said") ;;
	better) right=$(grep -c '^better' <<<"$said") opposite=$(grep -c '^worse' <<<"$said") ;;
	esac
	result=ok
	[ $((10 * right)) -ge $((9 * n)) ] && [ "$opposite" -eq 0 ] || { result="not ok" failed=1; }
	echo "$result - $experiment $step $variant: wanted $wanted, said" \
		"$(sort <<<"$said" | uniq -c | sort -rn | awk '{ printf "%s%d %s", (NR > 1 ? ", " : ""), $1, $2 }')"
done <<<"$table"
exit $failed
