# benchstat prints p=1.000 for n=1, pyperf calls n=1 against n=1 significant: there is no p, and a reason.
abstat compare -r 1 -j 'sleep 0.01' 'sleep 0.05' >out
echo "status $?"
line=$(grep '"direction"' out | grep '"primary":true')
for f in n p verdict; do echo "$f $(field $f <<<"$line")"; done
[ "$(field reason '"welch"' <<<"$line")" != null ] && echo "has a reason"
