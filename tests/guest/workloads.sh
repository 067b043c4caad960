#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the guest's workloads: programs that retire a number of user instructions that is known
# exactly, and that nobody knew before, as their loop counts are drawn here.
#
#   workloads.sh DIR [SEED]
#
# Each workloads/NAME.S becomes DIR/bin/NAME. It may use N1 and N2 (100,000 to 999,999) and K (3 to
# 9), and has a comment "instructions: EXPRESSION". A comment "N1: EXPRESSION" replaces a draw, and
# "link: OPTIONS" replaces -static.
# DIR/expected.sh tells the tests: NAME, and what was drawn, NAME_N1, NAME_N2, NAME_K.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
out=${1:?directory}
seed=${2:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
CC=${CROSS_COMPILE-aarch64-linux-gnu-}gcc
RANDOM=$((seed % 32749))

mkdir -p "$out/bin"

# The expression after "$2:" in a comment of the file, with N1, N2 and K made NAME_N1 and so on.
expression() {
	sed -n "s|^// $2: ||p" "$1" | sed -E "s/\\b(N1|N2|K)\\b/$3_\\1/g"
}

# Draws first, as an expression may use another workload's. bash evaluates names in an
# arithmetic expression by evaluating what they hold, however deep.
names=()
for source in "$here"/workloads/*.S; do
	name=$(basename "$source" .S)
	upper=${name^^}
	names+=("$upper")
	for draw in N1 N2; do
		declare "${upper}_$draw=$((100000 + (RANDOM << 15 | RANDOM) % 900000))"
	done
	declare "${upper}_K=$((3 + RANDOM % 7))"
	for draw in N1 N2; do
		replaced=$(expression "$source" $draw "$upper")
		[ -z "$replaced" ] || declare "${upper}_$draw=$replaced"
	done
	count=$(expression "$source" instructions "$upper")
	[ -n "$count" ] || {
		echo "workloads: $name.S does not say how many instructions it retires" >&2
		exit 1
	}
	declare "$upper=$count"
done

{
	echo "# Drawn with seed $seed"
	for name in "${names[@]}"; do
		for suffix in "" _N1 _N2 _K; do
			echo "$name$suffix=$(($name$suffix))"
		done
	done
} >"$out/expected.sh"

for source in "$here"/workloads/*.S; do
	name=$(basename "$source" .S)
	upper=${name^^}
	link=$(sed -n 's|^// link: ||p' "$source")
	# Options are words on purpose.
	# shellcheck disable=SC2086
	"$CC" -nostdlib ${link:--static} -Wl,--build-id=none -I "$here/workloads" \
		-DN1="$((${upper}_N1))" -DN2="$((${upper}_N2))" -DK="$((${upper}_K))" \
		-o "$out/bin/$name" "$source"
done
