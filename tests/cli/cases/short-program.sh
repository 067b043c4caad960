# A program of 200 us: its time is above 0 and below what a shell would add.
abstat stat -r 50 -j -- true >out
mean=$(field mean '"name":"duration_time"' <out)
holds "$mean > 20000 && $mean < 20000000"
