# What is said of scopes, in every format, of records that are always the same.
cp "$CASES"/../../data/scopes/*.abstat .
export LC_ALL=C.UTF-8
# The last digits are the compiler's.
short()
{
	sed -E 's/(\.[0-9]{5})[0-9]+/\1/g'
}
abstat report stat.abstat
for record in moved narrow; do
	abstat report $record.abstat
	abstat report --format=csv $record.abstat | cut -d, -f3,7,43- | grep -E '^metric|cycles:u.(total|p50)'
	abstat report -j $record.abstat |
		grep -oE '"moved":.*"verdict"' | sed 's/,"verdict"//' | short
done
abstat report --format=markdown moved.abstat | sed -n '/calls/,$p'
abstat report -j moved.abstat | grep -o '"probing":.*\],"metrics"' | head -n 1 | short
# Another margin, a scope as the metric that decides, and an expression after the fact.
abstat report --primary=alloc/cycles.total --margin=30% moved.abstat | tail -n 6
abstat report --metric 'both=alloc/cycles.total+free/cycles.total' --primary=both moved.abstat | tail -n 5
run abstat report --metric 'x=alloc/cycles.total+cycles' moved.abstat
# A rest that no run has, because threads ran at the same time: why is said in the place of its row; and nothing
# stands over a table without one.
sed -E '/\["probed"\]/s/(, [^,]*, [^,]*)(, [^,]*, [^,]*\]\})$/, ["overlap"], ["overlap"]\2/' moved.abstat >overlap.abstat
abstat report --primary=duration_time overlap.abstat | sed -n '/^ Scopes/,/^ And what/p'
nulls=$(printf '["not-counted"], %.0s' $(seq 51))
sed -E '/\["probed"\]/s/"readings": .*/"readings": [["probed"], ["probed"], '"$nulls"'["not-counted"]]}/' \
	moved.abstat >nothing.abstat
abstat report nothing.abstat | sed -n '/decides/,$p'
# A row a CPU, where calls ended on it in any run; CSV and JSON have all. One of A's runs has no call on CPU 2.
abstat report cpus.abstat | sed -n '/^ Scopes/,/^ Effect/p'
abstat report -v cpus.abstat | grep -A 1 'CPU2/duration'
abstat report --format=markdown cpus.abstat | grep CPU
abstat report --format=csv cpus.abstat | cut -d, -f3,7- | grep -E 'CPU(2|7)/(calls|cycles:u,)' | short
abstat report -j cpus.abstat | grep -E '"cpu":[27]' | grep -E '/(calls|cycles:u)"' | sed -E 's/"event":.*"n":/"n":/' | short
abstat report --metric 'here=alloc/CPU0/cycles.total/alloc/CPU0/calls' --primary=here cpus.abstat | grep ' \*here'
# The total of one CPU's calls can be chosen to decide.
abstat report --primary=alloc/CPU0/cycles.total cpus.abstat | sed -n '/^ Scopes/,/^$/p;/p  verdict/,/^$/p' | grep CPU
