# Two records that were each run in blocks were not run in the same ones: heading and verdict agree.
abstat stat -q -r 6 -n --save=before true >/dev/null
abstat stat -q -r 6 -n --save=after true >/dev/null
abstat diff before after | tr -s ' \n' ' ' | grep -oE 'not run in blocks|not interleaved|random blocks'
