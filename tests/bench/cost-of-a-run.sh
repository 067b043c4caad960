#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a run costs: abstat, perf stat -r and hyperfine -N against a bare posix_spawn and wait4 loop.
#
#   cost-of-a-run.sh ABSTAT BENCH_DIR [RUNS [ROUNDS]]
#
# BENCH_DIR holds bench-bare and bench-nothing (build/tests/bench). Every round takes all of them, in turn; printed are the
# medians over the rounds of each one's wall time over the bare loop's of the same round. abstat counts 8 software
# events, perf stat the same, hyperfine none. What is not installed is left out.
set -eu
abstat=$1 bench=$2 runs=${3:-1000} rounds=${4:-7}
events=task-clock,cpu-clock,page-faults,minor-faults,major-faults,context-switches,cpu-migrations,alignment-faults
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nothing=$bench/bench-nothing
bare() { "$bench/bench-bare" "$nothing" "$runs"; }
abstat() { "$abstat" stat -q -r "$runs" -e "$events" "$nothing" >/dev/null; }
perf_stat() { perf stat -r "$runs" -e "$events" "$nothing" >/dev/null 2>&1; }
hyperfine_n() { hyperfine -N --style none --warmup 1 -r "$runs" "$nothing" >/dev/null 2>&1; }

tools="bare abstat"
command -v perf >/dev/null && tools="$tools perf_stat"
command -v hyperfine >/dev/null && tools="$tools hyperfine_n"
for round in $(seq "$rounds"); do
	for tool in $tools; do
		begin=$(date +%s%N)
		$tool
		echo "$tool $round $(($(date +%s%N) - begin))" >>"$work/times"
	done
done
for tool in $tools; do
	awk -v tool="$tool" '
		$1 == "bare" { bare[$2] = $3 }
		$1 == tool { mine[$2] = $3 }
		END { for (i in mine) printf "%.4f\n", mine[i] / bare[i] }' "$work/times" | sort -n |
		awk -v tool="$tool" -v runs="$runs" '
		{ r[NR] = $1 }
		END { printf "%-12s %.3f of the bare loop (from %.3f to %.3f; %d rounds of %d runs)\n", tool,
			NR % 2 ? r[(NR + 1) / 2] : (r[NR / 2] + r[NR / 2 + 1]) / 2, r[1], r[NR], NR, runs }'
done
