# Reads like perf stat -r; every row has its uncertainty.
run_normal abstat stat -r 5 -e task-clock,page-faults,max_rss -- true
run_normal abstat stat -r 1 -e task-clock,page-faults -- true
