# Fewer runs than groups of events is an error that names the number.
abstat stat -r 2 -e task-clock,cycles -j -- true | grep '"event":"cycles"' | grep -q '"n":0' &&
	skip "there are no counters here that could be too few"
abstat stat -r 1 -e cycles,instructions,branches,branch-misses,cache-misses,cache-references,r1,r2,r3,r8,r10,r11,r12,r13 -- true 2>&1 | grep -oE 'use -r [0-9]+ or more' | sed 's/[0-9]*/N/g'
