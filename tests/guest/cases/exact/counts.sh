# SPDX-License-Identifier: GPL-2.0-or-later
# Every run of every kind of process tree reads exactly what it retires: children, threads, chains
# of exec, a first process that ends first. Once, and in every run.

for workload in flat fork orphan threads chain syscalls; do
	run_json stat -e instructions:u -r 10 -- /guest/bin/$workload
	exactly "$workload" instructions:u "$(eval "echo \$$(upper $workload)")" 10
done

run_json stat -e instructions:u -r 150 --warmup 0 /guest/bin/flat
exactly "150 runs in a row" instructions:u "$FLAT" 150

run_json stat -e instructions:u -r 2 --warmup 0 /guest/bin/big
exactly "counts beyond 2^32" instructions:u "$BIG" 2
is "that are all there" "$(metric instructions:u running_percent)" 100

run abstat stat -e instructions:u -r 3 /guest/bin/flat
grouped=$(echo "$FLAT" | sed -E ':a; s/^([0-9]+)([0-9]{3})/\1,\2/; ta')
says "the table has it with its spread" out "^ +$grouped +instructions:u .*\( \+- +0\.00% \)"
