#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs in the guest: all the cases, one after the other, as TAP on the console.
export PATH=/guest/bin:/bin
busybox --install -s /bin
ip link set lo up 2>/dev/null
hostname guest
echo 1 >/proc/sys/kernel/printk
echo 2 >/proc/sys/kernel/perf_event_paranoid

echo "# $(uname -r), $(nproc) CPU(s)"
export case_count=/tmp/count
: >$case_count
for case in /guest/cases/*.sh; do
	case_name=$(basename "$case" .sh)
	export case_name
	mkdir /tmp/case
	chmod 777 /tmp/case
	cd /tmp/case || exit 1
	echo "# case $case_name"
	lines=$(wc -l <$case_count)
	status=0
	timeout -s KILL 300 sh -c 'set -u; . /guest/expected.sh; . /guest/lib.sh; . "$1"' \
		sh "$case" </dev/null 2>&1 || status=$?
	if [ $status -ne 0 ] || [ "$lines" = "$(wc -l <$case_count)" ]; then
		echo "not ok - $case_name: ended with status $status, after" \
			"$(($(wc -l <$case_count) - lines)) assertions"
		echo >>$case_count
	fi
	# What a case changed for the next one.
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	cd /
	rm -rf /tmp/case
	read -r now _ </proc/uptime
	echo "# end $case_name (at $now s)"
done
echo "1..$(wc -l <$case_count)"
