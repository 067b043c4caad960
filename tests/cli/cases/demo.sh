# The experiments: each names its commands, which run when they are pasted.
abstat demo
for name in $(abstat demo | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
	echo
	echo "$name:"
	abstat demo --print --scale 0.002 "$name" -- -q -r 2 | sed -n 's/^[$] //p' |
		grep -v -w hackbench >commands
	while read -r line; do
		# What is counted depends on the machine, and so does where the programs are.
		sed -E 's/ (-n|-e [^ ]*)( --primary=(duration|user)_time)?/ EVENTS/; s/ --cpus=[0-9]+ --margin/ --cpus=N --margin/; s,/[^ ]*/,,g' <<<"$line"
		sh -c "$line" >out 2>err </dev/null
		echo "status $?, $(grep -c '^ [*][a-z]' out) rows that decide"
	done <commands
done

echo
abstat demo --scale 0.001 prefetch -- -r 2 -j 2>err | head -n 1 | cut -c 1-28
grep -c '^\$ abstat compare' err
abstat demo --scale 0.001 prefetch -- --nosuch 2>&1 | tail -n 2 | head -n 1
