# SPDX-License-Identifier: GPL-2.0-or-later
# The machine itself, without abstat: its PMU counts exactly, and events that are opened once
# count each of many runs.

same() {
	awk -v n="$1" -v want="$2" '$1 != want || $2 != $3 || $2 == 0 { bad++ }
		END { exit !(NR == n && !bad) }' out
}

for workload in flat fork orphan threads chain syscalls; do
	wanted=$(eval "echo \$$(echo $workload | tr a-z A-Z)")
	run proof instructions 20 /guest/bin/$workload
	ok "$workload retires $wanted instructions in each of 20 runs" same 20 "$wanted"
done
run proof cycles 5 /guest/bin/flat
ok "cycles are instructions here" same 5 "$FLAT"
run asuser 1000 /guest/bin/proof instructions 5 /guest/bin/flat
ok "an ordinary user counts the same" same 5 "$FLAT"
run proof instructions 1 /guest/bin/big
ok "counts beyond 2^32 are exact" same 1 "$BIG"
