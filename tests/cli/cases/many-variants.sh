# Each against the first, or as asked.
printf '#!/bin/sh\necho "v=$1"\n' >x
chmod +x x
x() { abstat compare -r 6 --seed=1 --primary=v --extract 'v[,lower]=v=([0-9]+)' "$@" './x 100' './x 110' './x 90' | grep -E '^ [ABC] is'; }
x
x --baseline './x 110'
x --pairs all
