# A run that fails takes its whole block out of the statistics, is counted, and nothing is better then.
cat >flaky <<'EOF'
#!/bin/sh
echo x >>log
echo v=$(($1 + $(wc -l <log) % 3))
[ $(($(wc -l <log) % 4)) != 0 ]
EOF
chmod +x flaky
abstat compare --warmup=0 -r 24 --seed=1 -j --primary=v --extract 'v[,lower]=v=([0-9]+)' --ignore-failure 'echo v=200' './flaky 100' >out 2>err
echo "status $?"
grep '"runs"' out | sed -E 's/.*("runs":.*"failed":[0-9]*).*/\1/'
line=$(grep '"direction"' out | grep '"primary":true')
field n <<<"$line"
grep -o '"code":"failure[a-z-]*"' out | sort -u
field verdict <<<"$line"
