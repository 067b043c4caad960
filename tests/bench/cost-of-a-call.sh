#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a call of a scope costs by each engine, on the same program in turn, as a table.
#
#   cost-of-a-call.sh ABSTAT BENCH_DIR [CALLS [ROUNDS [MEMORY_CALLS]]]
#
# BENCH_DIR holds bench-calls and bench-marked (build/tests/bench); uftrace, for comparison, patches the
# room that the compiler left in the former's function. A call's cost is the processor time (of the program and of
# whoever watches it) with CALLS calls less that without any, by CALLS; what is much faster gets 20 times as
# many. Printed are the medians over the rounds, and as many times a uprobe's of the same round. What
# this machine or this user has no way to measure is said at the end. As root, breakpoints are measured as nobody, who
# may not use the kernel's probes. Then MEMORY_CALLS (0: skipped; 10000000 is a matter of minutes) calls in
# one run, and abstat's peak memory.
set -eu
bench=$2 calls=${3:-100000} rounds=${4:-5} memory=${5:-0}
work=$(mktemp -d /tmp/cost-of-a-call.XXXXXX)
trap 'rm -rf "$work"' EXIT

# Where nobody can execute them, too.
chmod 755 "$work"
install -m 755 "$1" "$work/abstat"
install -m 755 "$bench/bench-calls" "$bench/bench-marked" "$work"
program=$work/bench-calls marked=$work/bench-marked
nobody=()
[ "$(id -u)" != 0 ] || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# scoped EVENT SCOPE COMMAND...
scoped() {
	local event=$1 scope=$2
	shift 2
	"$work/abstat" stat -q -r 1 --warmup=0 --probed-only -e "$event" --scope "$scope" -- "$@"
}

# Each does so many calls.
bare() { "$program" "$1"; }
uprobe() { scoped task-clock callee "$program" "$1"; }
usdt() { scoped task-clock usdt:abstat:nop__begin..nop__end "$marked" "$1"; }
breakpoint() {
	"${nobody[@]}" "$work/abstat" stat -q -r 1 --warmup=0 --probed-only -e task-clock --scope callee -- "$program" "$1"
}
region_read() { scoped task-clock region:callee "$marked" "$1"; }
region_user() { scoped instructions:u region:callee "$marked" "$1"; }
uftrace() { command uftrace record -d "$work/uftrace" -P callee --no-libcall "$program" "$1"; }

engines="uprobe usdt breakpoint region_read region_user uftrace bare"
declare -A title=(
	[uprobe]="uprobe" [usdt]="uprobe, on USDT markers" [breakpoint]="execute breakpoint"
	[region_read]="region, counter read by read(2)" [region_user]="region, counter read in user space"
	[uftrace]="uftrace record, for comparison" [bare]="nothing")
declare -A often=([region_user]=20 [uftrace]=20 [bare]=20)
# What abstat says where it is the engine that is meant.
declare -A proof=([breakpoint]="execute breakpoints" [region_user]="in user space" [region_read]="by read(2)")

# Which of them there are here; why others are not.
there=
for engine in $engines; do
	if [ $engine = uftrace ] && ! command -v uftrace >/dev/null; then
		echo "${title[$engine]}: is not installed" >>"$work/lacking"
	elif ! $engine 100 >"$work/out" 2>&1; then
		echo "${title[$engine]}: $(grep -v '^$' "$work/out" | tail -n 1)" >>"$work/lacking"
	elif [ "${proof[$engine]-}" ] && ! tr -s ' \n' ' ' <"$work/out" | grep -qF "${proof[$engine]}"; then
		echo "${title[$engine]}: abstat did otherwise:$(sed -n '/^ note: \(scopes are measured\|regions are\)/,$p' \
			"$work/out" | tr -s ' \n' ' ')" >>"$work/lacking"
	else
		there="$there $engine"
	fi
done

TIMEFORMAT='%3U %3S'
nanoseconds() {
	{ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ printf "%.0f", ($1 + $2) * 1e9 }'
}
for round in $(seq "$rounds"); do
	for engine in $there; do
		n=$((calls * ${often[$engine]-1}))
		with=$(nanoseconds $engine $n)
		without=$(nanoseconds $engine 0)
		echo "$engine $round $(((with - without) / n))" >>"$work/costs"
	done
done

median='{ v[NR] = $1 } END { printf "%s", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
echo "$(uname -srm), $(nproc) CPUs, load $(cut -d' ' -f1 /proc/loadavg); medians of $rounds rounds"
printf '%-38s %9s %10s   %s\n' "" "ns a call" "of uprobe" "all rounds, ns"
for engine in $there; do
	cost=$(awk -v e="$engine" '$1 == e { print $3 }' "$work/costs" | sort -n | awk "$median")
	ratio=$(awk -v e="$engine" '
		$1 == "uprobe" { u[$2] = $3 }
		$1 == e { c[$2] = $3 }
		END { for (i in u) if (u[i] > 0) printf "%.4f\n", c[i] / u[i] }' "$work/costs" | sort -n | awk "$median")
	printf '%-38s %9s %10s   %s\n' "${title[$engine]}" "$cost" "${ratio:--}" \
		"$(awk -v e="$engine" '$1 == e { print $3 }' "$work/costs" | sort -n | tr '\n' ' ')"
done
[ ! -s "$work/lacking" ] || { echo "not here:" && sed 's/^/  /' "$work/lacking"; }

if [ "$memory" -gt 0 ]; then
	python3 - "$work/abstat" "$program" "$memory" <<'EOF'
import json, resource, subprocess, sys

abstat, program, calls = sys.argv[1:]
run = subprocess.run([abstat, "stat", "-j", "-r", "1", "--warmup=0", "--probed-only", "-e", "task-clock",
                      "--scope", "callee", program, calls], stdout=subprocess.PIPE, check=True)
values = {m["name"]: m["mean"] for m in json.loads(run.stdout)["variants"][0]["metrics"]}
print("%s calls: %s seen, %s lost, peak memory of the largest process %.1f MiB" % (
    calls, values.get("callee/calls"), values.get("callee/lost"),
    resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024))
EOF
fi
