#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Manual pages without a complaint from mandoc, whose references lead somewhere.
#
#   manual.sh PAGE...
set -u
LC_ALL=C
export LC_ALL
failed=0
references=$(mktemp)
# Whether other packages' pages are installed is not our business.
complaints=$(mandoc -T lint "$@" 2>/dev/null | grep -v "referenced manual not found")
if [ -n "$complaints" ]; then
	echo "$complaints"
	failed=1
fi
for page; do
	sed -n 's/^\.Xr \(abstat[a-z-]*\) \([1-9]\).*/\1.\2/p' "$page"
done | sort -u >/tmp/manual.$$
while read -r name; do
	for page; do
		[ "$(basename "$page")" != "$name" ] || continue 2
	done
	echo "nothing is called $name, which other pages refer to"
	failed=1
done </tmp/manual.$$
rm -f "$references"
exit $failed
