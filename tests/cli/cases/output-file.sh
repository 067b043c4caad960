# -o is written whole or not at all.
run abstat stat -r 2 -e task-clock -o report -- true
grep -c 'task-clock' report
echo precious >kept
run abstat stat -r 2 -e task-clock -o kept -- false
cat kept
run abstat stat -r 2 -o /nonexistent/dir/report -- true
abstat stat -r 2 -e task-clock -- true >/dev/full
echo "status $?"
