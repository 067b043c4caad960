#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that the guest's cases can fail: builds abstat with one deliberate fault at a time, and
# boots it with the case that must find it.
#
#   faults.sh [--build DIR] [--cache DIR] [--boot NAME] [FAULT...]
#
# A fault is faults/NAME.patch, with a line "Case: NAME". It is found where that case fails on a
# machine that works otherwise. A patch that does not apply is a failure, too. The last line is
# "faults: N passed, N failed, N skipped".
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build-faults
cache=$root/build-guest/cache
boot=exact-6.1
faults=()
while [ $# -gt 0 ]; do
	case $1 in
	--build) build=${2:?} && shift ;;
	--cache) cache=${2:?} && shift ;;
	--boot) boot=${2:?} && shift ;;
	-h | --help) sed -n '3,11s/^# \{0,1\}//p' "$0" && exit 0 ;;
	-*) echo "faults: unknown option '$1'" >&2 && exit 2 ;;
	*) faults+=("$1") ;;
	esac
	shift
done
if [ ${#faults[@]} -eq 0 ]; then
	for file in "$here"/faults/*.patch; do
		faults+=("$(basename "$file" .patch)")
	done
fi

mkdir -p "$build"
build=$(cd "$build" && pwd)
tree=$build/tree
rm -rf "$tree"
mkdir -p "$tree"
# With new times: ninja would take a file that is older than its object for built.
(cd "$root" && { git ls-files -co --exclude-standard -z 2>/dev/null ||
	find . -path './build*' -prune -o -type f -print0; } | xargs -0r ls -d 2>/dev/null |
	tar -cf - -T -) | tar -xmf - -C "$tree"

# found FAULT: whether the case did not pass, and its machine came to its end all the same.
found() {
	local case log=$build/logs/$boot.tap
	case=$(sed -n 's/^Case: //p' "$here/faults/$1.patch")
	"$here/run.sh" --source "$tree" --build "$build" --cache "$cache" --boot "$boot" \
		--case "$case" >"$build/$1.log" 2>&1 </dev/null
	grep -q '^1\.\.' "$log" && grep "^not ok - $case: " "$log"
}

passed=0 failed=0
for fault in "${faults[@]}"; do
	patch=$here/faults/$fault.patch
	rm -f "$build"/logs/*.tap
	if ! patch -d "$tree" -p0 --fuzz=1 --no-backup-if-mismatch -s <"$patch" >"$build/$fault.log" 2>&1; then
		echo "not ok - $fault: the patch does not apply"
		sed 's/^/    /' "$build/$fault.log"
		failed=$((failed + 1))
		rm -rf "$tree" && break
	elif found "$fault" >"$build/$fault.found"; then
		echo "ok - $fault: $(sed -n 2p "$patch") Found by:"
		head -n 3 "$build/$fault.found" | sed 's/^/    /'
		passed=$((passed + 1))
	else
		echo "not ok - $fault: $(sed -n 2p "$patch") No test saw it."
		tail -n 20 "$build/$fault.log" | sed 's/^/    /'
		failed=$((failed + 1))
	fi
	patch -d "$tree" -p0 -R --fuzz=1 --no-backup-if-mismatch -s <"$patch" || break
done
echo "faults: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -eq ${#faults[@]} ]
