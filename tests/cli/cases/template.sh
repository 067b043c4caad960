# compare -L bin=./old,./new '{bin} -x in'
for b in old new; do
	printf '#!/bin/sh\necho "$0 $*" >>log\n' >$b
	chmod +x $b
done
abstat compare --warmup=0 -r 2 -L bin=./old,./new '{bin} -x in' | sed -n 's/^ *\([AB] = .*\)/\1/p'
sort -u log
abstat compare --warmup=0 -r 1 -L a=1,2 -L b=x,y --name '{a}{b}' 'echo {a} {b}' | sed -n 's/^ *\([12][xy] = .*\)/\1/p'
