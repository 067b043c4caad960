# The order of hooks and runs; for all commands, or one a command.
say() { printf "echo '%s' >>log" "$1"; }
abstat compare --warmup=0 -r 1 --seed=1 --shell --setup "$(say setup)" --prepare "$(say prepare)" \
	--conclude "$(say conclude)" --cleanup "$(say cleanup)" "$(say run)" "$(say run)" >/dev/null
paste -sd ' ' log
rm log
abstat compare --warmup=0 -r 1 --seed=1 --prepare "$(say one)" --prepare "$(say two)" true false --ok-status=0,1 >/dev/null
sort log | paste -sd ' '
run abstat stat -r 2 --prepare 'echo sad >&2; exit 3' -- true
run abstat stat -r 2 --conclude 'exit 4' -- true
