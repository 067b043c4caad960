#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How often a cost that moved from an allocation to a free is called moved, and one that did not.
#
#   moved.sh ABSTAT SHIFT [POSITIVES [NEGATIVES [OPTION...]]]
#
# SHIFT is tests/workloads/shift, which allocates on one CPU and frees on another. POSITIVES (10) comparisons move work
# from the one to the other; NEGATIVES (200) are of three kinds in turn: the work is lost, nothing changes, or it is called
# less often. OPTIONs are for `abstat compare` (-r 10).
#
# Needs what scopes need. Fails where fewer than 9 of 10 are found, or more than 5 % falsely claimed.
set -uo pipefail

abstat=${1:?abstat} shift=${2:?workload}
positives=${3:-10} negatives=${4:-200}
shift $(($# < 4 ? $# : 4))
[ $# -gt 0 ] || set -- -r 10

# Prints "moved" or "not" for SHIFT with options $1 against $2.
compare()
{
	local a=$1 b=$2
	shift 2
	"$abstat" compare -q -j --no-evidence -e task-clock --scope=alloc=buffer_alloc --scope=free=buffer_free \
		"$@" "$shift $a" "$shift $b" |
		sed -nE 's/.*"moved":(null|\{).*"narrow".*/\1/p' | sed 's/{/moved/; s/null/not/'
}

plain='--alloc=60 --free=20'
moved=('--alloc=20 --free=60' '--alloc=30 --free=50' '--alloc=0 --free=80' '--alloc=0 --free=20 --rest=160')
not=('--alloc=20 --free=20' "$plain" '--alloc=60 --free=20 --batch=4')

found=0 begin=$SECONDS
for ((i = 0; i < positives; i++)); do
	[ "$(compare "$plain" "${moved[i % ${#moved[@]}]}" "$@")" = moved ] && found=$((found + 1))
done
echo "moved: found in $found of $positives ($((SECONDS - begin)) s)"
begin=$SECONDS
declare -A claimed=() tried=()
for ((i = 0; i < negatives; i++)); do
	options=${not[i % ${#not[@]}]}
	tried[$options]=$((${tried[$options]:-0} + 1))
	[ "$(compare "$plain" "$options" "$@")" = moved ] && claimed[$options]=$((${claimed[$options]:-0} + 1))
done
wrong=0
for options in "${!tried[@]}"; do
	echo "not moved, $options: called moved in ${claimed[$options]:-0} of ${tried[$options]}"
	wrong=$((wrong + ${claimed[$options]:-0}))
done
echo "falsely claimed in $wrong of $negatives ($((SECONDS - begin)) s)"
[ $((found * 10)) -ge $((positives * 9)) ] && [ $((wrong * 20)) -le "$negatives" ]
