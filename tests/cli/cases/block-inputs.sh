# A new random input every run, the same for both variants: {block}.
printf '#!/bin/sh\necho "$1" >>log\n' >x
chmod +x x
abstat compare --warmup=0 -r 5 --seed=3 './x {block}' './x {block} b' >/dev/null
sort log | uniq -c | awk '{ print $1 }' | sort -u
sort -u log | wc -l
