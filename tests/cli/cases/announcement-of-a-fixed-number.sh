# With -r N it is known how long it takes.
timeout --foreground -s INT 4 abstat compare -r 100 'sleep 0.5' 'sleep 0.5' 2>&1 >/dev/null | head -n 1 | sed 's/[0-9][0-9.]*/N/g'
