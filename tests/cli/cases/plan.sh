# From two columns of numbers, from one, from what does not vary, and from what is not there.
awk 'BEGIN { for (i = 0; i < 30; i++) print 100 + i * 7 % 11, 100 + i * 5 % 11, 3 }' >columns
run abstat plan columns --effect 5%
run abstat plan columns --column=3 --effect 5%
run abstat plan columns --primary=nosuch --effect 5%
echo 17 >one
run abstat plan one --effect 5%
run abstat plan nosuch --effect 5%

abstat stat -q -r 12 -e page-faults,duration_time --save=pilot -- true >out
abstat plan pilot --effect 300% --primary=duration_time -j >out
echo "status $?"
field schema <out
field source '"name":"duration_time"' <out
field n '"name":"duration_time"' <out
holds "$(field runs '"name":"duration_time"' <out) >= 6"
holds "$(field max_runs '"name":"duration_time"' <out) >= $(field runs '"name":"duration_time"' <out)"
