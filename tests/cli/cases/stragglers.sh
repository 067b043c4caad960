# Processes that outlive the command are killed after a second, a setsid daemon too, and the report says so.
printf '#!/bin/sh\nsetsid sleep 300 >/dev/null 2>&1 & echo $! >>pids\n' >leave
chmod +x leave
abstat stat --warmup=0 -r 1 -e task-clock -- ./leave >out
grep -ciE 'outlive|left|straggl' out
sleep 0.2
kill -0 $(cat pids) 2>/dev/null && echo "the daemon lives" || echo "the daemon is gone"
run abstat stat --warmup=0 -r 1 --stragglers=error -- ./leave
