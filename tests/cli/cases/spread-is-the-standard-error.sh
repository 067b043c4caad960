# perf's "+-" is the standard error, called stddev in its manual; some rows have none.
abstat stat -r 8 -j -- true >out
awk 'match($0, /"n":[0-9]+/) && /"name":"task-clock"/ && /"sem_percent"/ {
	n = substr($0, RSTART + 4, RLENGTH - 4)
	match($0, /"mean":[^,]*/); mean = substr($0, RSTART + 7, RLENGTH - 7)
	match($0, /"sd":[^,]*/); sd = substr($0, RSTART + 5, RLENGTH - 5)
	match($0, /"sem_percent":[^,]*/); sem = substr($0, RSTART + 14, RLENGTH - 14)
	d = sem - 100 * sd / sqrt(n) / mean
	print (d < 1e-9 && d > -1e-9) ? "standard error" : "something else"
	exit
}' out
echo "rows without a spread: $(abstat stat -r 8 -- true | sed "/elapsed/q" | grep -E '^ {5}.*[0-9]' | grep -v '<' | grep -vc '( +-')"
