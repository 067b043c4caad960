# What a workload or a name says is data.
printf '#!/bin/sh\nprintf "\\033[2Jboom\\007\\n" >&2; exit 1\n' >bad
chmod +x bad
run abstat stat -r 2 -- ./bad
abstat stat -r 2 -e task-clock --name "$(printf 'a\033[31mb')" -- true | grep -c "$(printf '\033')"
