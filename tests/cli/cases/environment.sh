# 'FOO=1 ./x', and --env.
printf '#!/bin/sh\necho "FOO=$FOO BAR=${BAR-unset}" >>log\n' >x
chmod +x x
export BAR=kept
abstat compare --warmup=0 -r 1 'FOO=1 ./x' 'FOO=2 BAR= ./x' >/dev/null
abstat stat --warmup=0 -r 1 --env FOO=3 --env BAR -- ./x >/dev/null
sort log
