# Ctrl-C: what was measured is shown, status 130, also in JSON.
timeout --foreground --preserve-status -s INT 1.5 abstat stat -r 1000 -e task-clock -j -- sleep 0.02 >out 2>err
echo "status $?"
field status <out
field stopped <out
holds "$(field n '"name":"task-clock"' <out) > 3"
timeout --foreground --preserve-status -s INT 1.5 abstat stat -r 1000 -e task-clock -- sleep 0.02 >out 2>err
echo "status $?"
grep -cE '^ +[0-9.]+ +(msec|ns) +task-clock' out
