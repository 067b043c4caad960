# Equal commands: what every row of JSON has, what is too few, and that the runs are kept.
abstat calibrate -q -r 60 -e duration_time --save=runs -j -- true >out
echo "status $?"
field schema <out
field blocks <out
field comparisons '"n":10' <out
field comparisons '"n":20' <out
field reason '"n":10' <out
field reason '"n":20' <out
holds "$(field smallest_visible '"n":10' <out) > 0"
abstat diff runs:A runs:B >out
echo "status $?"

abstat calibrate -q -r 20 -e duration_time -- true >out
echo "status $?"
tail -n 3 out
run abstat calibrate -q --max-time=1ms -- sleep 0.01 | sed 's,only [0-9]* of [0-9]*,only N of N,'
# Which of the two comes first is drawn.
run abstat calibrate -q -r 20 -- sh -c 'exit 3' | sed "s/'[AB]'/'X'/"
run abstat calibrate -q -r 20 -- nonexistent-command | sed "s/'[AB]'/'X'/"
