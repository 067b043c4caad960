# perf stat: variance 0.00 and pcnt-running 100.00 for events that are not supported; <not counted> is 0
# in the mean. Here: null beside a reason, in every format, and no row of zeros.
abstat stat -r 2 -e task-clock,cycles -j -- true >out
line=$(grep '"event":"cycles"' out | head -n 1)
[ "$(field n <<<"$line")" = 0 ] || skip "cycles can be counted here"
for f in mean sd sem_percent running_percent; do echo "$f $(field $f <<<"$line")"; done
[ "$(grep -o '"reason":"[^"]*"' <<<"$line")" ] && echo "has a reason"
abstat stat -r 2 -e task-clock,cycles -- true | grep -A 1 cycles | sed -E 's/(supported>|permitted>).*/\1 .../; 2d'
abstat stat -r 2 -e task-clock,cycles -x, -- true | awk -F, '$2 ~ /cycles/ { print $2, $8, "mean=" $9 }'
