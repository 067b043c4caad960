# hyperfine subtracts the shell's start and clamps, so that `true` takes exactly 0.0 s.
abstat stat -r 20 -j -- true >out
holds "$(field min '"name":"duration_time"' <out) > 0"
