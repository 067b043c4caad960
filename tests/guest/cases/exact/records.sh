# SPDX-License-Identifier: GPL-2.0-or-later
# Records of runs that counted groups in turn: saved, read back, and judged as when they were measured.

many=instructions:u,r8:u,r11:u,r1:u,r3:u,r4:u,r12:u,r14:u,r1b:u
run_json compare -e $many -r 8 --seed 1 --save turns /guest/bin/flat /guest/bin/fork
is "events taken in turn, in two groups" "$(json plan.groups)" 2
sed -n '/^"comparisons"/,/^"evidence"/{/^"evidence"/!p}' out >measured
run_json diff turns
sed -n '/^"comparisons"/,/^"evidence"/{/^"evidence"/!p}' out >judged
ok "are judged as they were when measured, to the byte" cmp measured judged
ok "and there was something to compare" test -s measured
ok "the record tells which group each run counted" grep -q '"group":1' turns
