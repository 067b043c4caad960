# What a hook does, and a daemon that it leaves behind, is in no run.
burn='i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'
abstat stat -r 5 -j -e task-clock,user_time --prepare "$burn" -- true >out
holds "$(field max '"name":"task-clock"' <out) < 100000000"
abstat stat -r 5 -j -e task-clock --prepare "($burn; $burn) >/dev/null 2>&1 &" -- true >out
holds "$(field max '"name":"task-clock"' <out) < 100000000"
