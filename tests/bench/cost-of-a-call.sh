#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a call of a scope costs: abstat's probes, and regions that the program marks, against uftrace record, on the same program in turn.
#
#   cost-of-a-call.sh ABSTAT BENCH_DIR [CALLS [ROUNDS [MEMORY_CALLS]]]
#
# BENCH_DIR holds bench-calls (build/tests/bench), in whose function uftrace patches the room that the
# compiler left. A call's cost is the processor time (of the program and of whoever watches it) with
# CALLS calls less that without any, by CALLS; uftrace, which is so much faster, gets 20 times as many.
# Printed are the medians over the rounds, and abstat's over uftrace's of the same round. Then MEMORY_CALLS (0:
# skipped; 10000000 is a matter of minutes) calls in one run, and abstat's peak memory. Needs root.
set -eu
abstat=$1 bench=$2 calls=${3:-200000} rounds=${4:-5} memory=${5:-0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

program=$bench/bench-calls
bare() { "$program" "$1"; }
abstat() { "$abstat" stat -q -r 1 --warmup=0 --probed-only -e task-clock --scope callee "$program" "$1" >/dev/null; }
region() { "$abstat" stat -q -r 1 --warmup=0 --probed-only -e task-clock --scope region:callee "$bench/bench-marked" "$1" >/dev/null; }
uftrace() { command uftrace record -d "$work/uftrace" -P callee --no-libcall "$program" "$1" >/dev/null 2>&1; }

tools="bare abstat region"
command -v uftrace >/dev/null && tools="$tools uftrace"
TIMEFORMAT='%3U %3S'
nanoseconds() {
	{ time "$@" 2>/dev/null; } 2>&1 | awk '{ printf "%.0f", ($1 + $2) * 1e9 }'
}
for round in $(seq "$rounds"); do
	for tool in $tools; do
		n=$calls
		[ "$tool" = abstat ] || [ "$tool" = region ] || n=$((20 * calls))
		with=$(nanoseconds "$tool" "$n")
		without=$(nanoseconds "$tool" 0)
		echo "$tool $round $(((with - without) / n))" >>"$work/costs"
	done
done
median='{ v[NR] = $1 } END { printf "%s", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
for tool in $tools; do
	echo "$tool: $(awk -v t="$tool" '$1 == t { print $3 }' "$work/costs" | sort -n | awk "$median") ns a call"
done
if [[ $tools = *uftrace* ]]; then
	echo "abstat over uftrace: $(awk '
		$1 == "uftrace" { u[$2] = $3 }
		$1 == "abstat" { a[$2] = $3 }
		END { for (i in u) printf "%.1f\n", a[i] / (u[i] > 0 ? u[i] : 1) }' "$work/costs" | sort -n | awk "$median")"
fi
if [ "$memory" -gt 0 ]; then
	python3 - "$abstat" "$program" "$memory" <<'END'
import json, resource, subprocess, sys

abstat, program, calls = sys.argv[1:]
run = subprocess.run([abstat, "stat", "-j", "-r", "1", "--warmup=0", "--probed-only", "-e", "task-clock",
                      "--scope", "callee", program, calls], stdout=subprocess.PIPE, check=True)
values = {m["name"]: m["mean"] for m in json.loads(run.stdout)["variants"][0]["metrics"]}
print("%s calls: %s seen, %s lost, peak memory of the largest process %.1f MiB" % (
    calls, values.get("callee/calls"), values.get("callee/lost"),
    resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024))
END
fi
