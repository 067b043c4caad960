# perf stat -r: failing runs are averaged in, and the exit status is the last run's.
cat >flaky <<'EOF'
#!/bin/sh
echo x >>log
[ $(wc -l <log) != 3 ] || { echo "no such luck" >&2; exit 7; }
EOF
chmod +x flaky
run abstat stat -r 6 -- ./flaky
echo "runs: $(wc -l <log)"
