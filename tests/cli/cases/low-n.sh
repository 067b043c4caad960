# Below 6 pairs: Welch alone, and it says so.
noise
abstat compare -r 4 --seed=1 --null --primary=v --extract 'v[,lower]=v=([0-9]+)' './noise a 1000 1' './noise b 1100 1' >out
grep -c 'Welch, means' out
paste -sd ' ' out | sed -E 's/ +/ /g' | grep -o "Low n: [^.]*"
