# pyperf calls two identical constant samples significant, benchstat prints ~ for zero variance: a metric
# that never varies is compared exactly.
abstat compare -r 6 -j --primary=v --extract 'v=v=([0-9]+)' 'echo v=5' 'sh -c "echo v=5"' >same
abstat compare -r 6 -j --primary=v --extract 'v[,lower]=v=([0-9]+)' 'echo v=1000' 'echo v=1001' >more
for f in same more; do
	line=$(grep '"direction"' $f | grep '"primary":true')
	echo "$(field method <<<"$line") $(field estimate <<<"$line") $(field verdict <<<"$line") $(field within_margin <<<"$line")"
done
