# IPC carries no uncertainty in perf: what is derived is computed in every run.
abstat stat -r 8 -j -- true >out
line=$(grep '"name":"cpus-utilized"' out | head -n 1)
field n <<<"$line"
holds "$(field sem_percent <<<"$line") > 0"
abstat stat -r 8 -- true | grep -Ec '# +[0-9.]+ \+-[0-9.]+% CPUs utilized'
