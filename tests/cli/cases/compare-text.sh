# One row a metric by ranks, Welch's test under it, the primary metric marked, a sentence at the end.
noise
abstat compare -r 12 --seed=1 --null --primary=v --extract 'v[,lower]=v=([0-9]+)' './noise a 1000 1' './noise b 1100 1' >out
sed -n '1,/verdict/p' out | sed -E 's/ +/ /g'
rows_of_v <out
sed -n '/^ B is/,$p' out
