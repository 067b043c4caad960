#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Golden tests of the command line.
#
#   run.sh [--update] [--once] [--part I/N] ABSTAT [CASE...]
#
# A case is cases/NAME.sh, or with --once cases-once/NAME.sh, which takes long and says the same of
# every build: a few lines of shell that run in an empty directory of their own; what they print must
# be what NAME.out beside it holds. --update writes that file instead: look at the difference before it
# is committed. A case that cannot run here calls `skip REASON`. --part 2/3 runs every third case from
# the second on, so that three can run beside each other.
#
# usage.tsv has a line per bad invocation: the arguments, the exit status, the exact message.
set -u
here=$(cd "$(dirname "$0")" && pwd)
update='' part=1 parts=1 once=''
while [[ ${1-} == --* ]]; do
	case $1 in
	--update) update=1 ;;
	--once) once=1 ;;
	--part) part=${2%/*} parts=${2#*/} && shift ;;
	*) break ;;
	esac
	shift
done
if [ ! -x "${1-}" ]; then
	echo "usage: run.sh [--update] [--once] [--part I/N] ABSTAT [CASE...]" >&2
	exit 2
fi
abstat=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$abstat" "$work/bin/abstat"
export PATH="$work/bin:$PATH" LC_ALL=C TERM=dumb CASES="$here/cases${once:+-once}"
unset NO_COLOR

# What is measured is never the same twice: numbers become N, and blanks that align them one blank.
# Warnings depend on what the machine did meanwhile.
normal()
{
	awk '/^ warning: / { skip = 1; next } skip && /^        / { next } { skip = 0; print }' |
		sed -E 's/\+-/ +- /g; s/<0\.0001|inf/N/g; s/[-+]?[0-9][0-9,]*(\.[0-9]+)?(e[-+][0-9]+)?/N/g' |
		sed -E 's/N (nsec|usec|msec|ns|us|ms|s|B|KiB|MiB|GiB|K|M|G)( |$)/N U\2/g; s/<=N/N/g' |
		sed -E 's/ +/ /g; s/ $//' | cat -s
}

# Runs a command; prints both streams and the exit status as they are.
run()
{
	"$@" 2>&1 </dev/null
	echo "status $?"
}

# Deterministic noise: `./noise FILE BASE STEP [PHASE]` prints v=BASE and up to 12 STEPs more; FILE counts
# its calls.
noise()
{
	cat >noise <<'EOF'
#!/bin/sh
echo x >>"$1"
n=$(($(wc -l <"$1") + ${4-0}))
echo "v=$(($2 + $3 * (n * n * 7919 / 3 % 13)))"
EOF
	chmod +x noise
}

# The rows of metric v in a comparison as text: the rank test's and Welch's.
rows_of_v()
{
	awk '/^ [* ]v / { n = 2 } n-- > 0' | sed -E 's/ +/ /g'
}

# The same with numbers and blanks made equal.
run_normal()
{
	"$@" >"$work/streams" 2>&1 </dev/null
	local status=$?
	normal <"$work/streams"
	echo "status $status"
}

# The value of a field of JSON on standard input, in the first line that holds all the texts given:
# field sem_percent '"name":"task-clock"'
field()
{
	local name=$1 line
	shift
	line=$(cat)
	for text; do
		line=$(grep -F -- "$text" <<<"$line")
	done
	grep -oE "\"$name\":(\"([^\"\\]|\\\\.)*\"|[^],}]*)" <<<"$line" | head -n 1 | cut -d: -f2-
}

# Says so where the arithmetic condition does not hold: holds "$x < 3"
holds()
{
	awk "BEGIN { exit !($1) }" && echo "holds" || echo "does not hold: $1"
}

skip()
{
	echo "SKIP $*"
	exit 77
}
export -f normal noise rows_of_v run run_normal field holds skip
export work

number=0 failed=0
result()
{
	number=$((number + 1))
	echo "$1 $number - $2"
	[ "${1%% *}" = ok ] || failed=$((failed + 1))
}

run_case()
{
	local name=$1 dir="$work/case.$1" status
	mkdir "$dir"
	(cd "$dir" && exec bash -u "$CASES/$name.sh") >"$work/actual" 2>&1
	status=$?
	if [ $status = 77 ]; then
		result ok "$name # SKIP $(sed -n 's/^SKIP //p' "$work/actual")"
	elif [ -n "$update" ]; then
		cp "$work/actual" "$CASES/$name.out"
		result ok "$name"
	elif diff -u --label "$name.out" --label actual "$CASES/$name.out" "$work/actual" >"$work/diff"; then
		result ok "$name"
	else
		result "not ok" "$name"
		sed 's/^/# /' "$work/diff"
	fi
	chmod -R u+w "$dir"
	rm -rf "$dir"
}

# A bad invocation: nothing on standard output, the first line of standard error as in the table.
run_usage()
{
	local arguments=$1 expected_status=$2 expected=$3 actual status
	actual=$(cd "$work" && eval "abstat $arguments" 2>&1 >"$work/stdout" </dev/null)
	status=$?
	actual=${actual%%$'\n'*}
	if [ "$status" = "$expected_status" ] && [ "$actual" = "$expected" ] && [ ! -s "$work/stdout" ]; then
		result ok "abstat $arguments"
		[ -z "$update" ] || printf '%s\t%s\t%s\n' "$arguments" "$status" "$actual" >>"$work/usage"
		return
	fi
	if [ -n "$update" ]; then
		printf '%s\t%s\t%s\n' "$arguments" "$status" "$actual" >>"$work/usage"
		result ok "abstat $arguments"
		return
	fi
	result "not ok" "abstat $arguments"
	printf '# expected %s: %s\n# actual   %s: %s\n' "$expected_status" "$expected" "$status" "$actual"
	sed 's/^/# stdout: /' "$work/stdout"
}

run_usages()
{
	local arguments status message
	while IFS=$'\t' read -r arguments status message; do
		case $arguments in
		'' | '#'*) [ -z "$update" ] || echo "$arguments" >>"$work/usage" ;;
		*) run_usage "$arguments" "$status" "$message" ;;
		esac
	done <"$here/usage.tsv"
	[ -z "$update" ] || cp "$work/usage" "$here/usage.tsv"
}

if [ $# -gt 0 ]; then
	for name; do
		if [ "$name" = usage ]; then run_usages; else run_case "$name"; fi
	done
else
	[ -n "$once" ] || [ "$part" != 1 ] || run_usages
	files=("$CASES"/*.sh)
	for ((i = part - 1; i < ${#files[@]}; i += parts)); do
		run_case "$(basename "${files[i]}" .sh)"
	done
fi
echo "1..$number"
[ $failed = 0 ]
