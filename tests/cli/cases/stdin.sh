# Every run reads the same input from its beginning.
echo hello >in
printf '#!/bin/sh\ncat >>log\n' >x
chmod +x x
abstat stat --warmup=0 -r 3 --stdin=in -- ./x >/dev/null
cat log
abstat stat --warmup=0 -r 1 -- ./x >/dev/null && wc -l <log
