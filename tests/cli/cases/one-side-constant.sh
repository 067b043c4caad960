# benchstat prints ~ where one side has no variance.
noise
abstat compare -r 12 -j --primary=v --extract 'v[,lower]=v=([0-9]+)' 'echo v=1000' './noise a 2000 1' >out
line=$(grep '"direction"' out | grep '"primary":true')
echo "$(field method <<<"$line") $(field verdict <<<"$line")"
holds "$(field p_adjusted <<<"$line") < 0.01"
