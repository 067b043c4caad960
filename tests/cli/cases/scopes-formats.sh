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
