# `# started on` breaks perf's JSON: the report is one document and nothing else, on every status.
for args in '-- true' '-- false' '--run-timeout=20ms -- sleep 5'; do
	abstat stat -r 2 -j -e task-clock $args >out 2>err
	echo "status $?: $(head -c 28 out) ... $(tail -c 2 out)"
	[ "$(tr -cd '{' <out | wc -c)" = "$(tr -cd '}' <out | wc -c)" ] && echo balanced
done
