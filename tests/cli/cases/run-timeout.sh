# A run hangs: its whole group is killed at the limit.
printf '#!/bin/sh\nsleep 300 & echo $! >child; wait\n' >hang
chmod +x hang
run abstat stat -r 2 --run-timeout=200ms -- ./hang
kill -0 "$(cat child)" 2>/dev/null && echo "the child lives" || echo "the child is gone"
