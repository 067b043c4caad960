# A program whose normal exit is 1.
run_normal abstat stat -r 3 -e task-clock --ok-status=0,1 -- grep -q nothing /dev/null
abstat stat -r 3 -e task-clock --ok-status=1 -- true 2>&1 | cut -d';' -f1
