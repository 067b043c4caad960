# Nothing takes the place of a primary metric that cannot be counted.
abstat stat -r 2 -e task-clock,cycles -j -- true | grep '"event":"cycles"' | grep -q '"n":0' ||
	skip "cycles can be counted here"
abstat compare -r 6 --primary=cycles -e task-clock,cycles true true >out 2>err
echo "status $?"
cat out
grep -c "^abstat: the primary metric 'cycles' cannot be counted here: " err
