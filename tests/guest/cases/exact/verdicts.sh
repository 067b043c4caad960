# SPDX-License-Identifier: GPL-2.0-or-later
# Comparisons of counts that do not vary.

cp /guest/bin/flat copy
run_json compare -e instructions:u -r 6 /guest/bin/flat ./copy
exactly "the same program twice" instructions:u "$FLAT" 6 1
is "is the same" "$(json comparisons.0.verdict)" same
is "by exactly nothing" "$(json comparisons.0.metrics.0.change.estimate)" 0

run_json compare -e instructions:u -r 6 /guest/bin/flat /guest/bin/flat30
is "30 % more is worse" "$(json comparisons.0.verdict)" worse
near "by 30 %" "$(json comparisons.0.metrics.0.change.estimate)" 0.2999 0.3001
run_json compare -e instructions:u -r 6 --gate /guest/bin/flat /guest/bin/flat30
is "which a gate stops" "$status" 1
run_json compare -e instructions:u -r 6 --gate /guest/bin/flat30 /guest/bin/flat
is "while the way back is open" "$status" 0
run_json compare -e instructions:u -r 6 --gate=40% /guest/bin/flat /guest/bin/flat30
is "and 30 % is less than 40 %" "$status" 0

run_json compare -e instructions:u --max-runs 50 -L bin=flat,flat30 '/guest/bin/{bin} -x in'
is "a template, as long as it takes" "$(json comparisons.0.verdict)" worse
near "which is not long" "$(json variants.0.runs)" 2 50

abstat compare -q -e instructions:u -r 6 --save record /guest/bin/flat /guest/bin/flat30 >/dev/null
run abstat report -j record
exactly "every run is in the record" instructions:u "$FLAT" 6 0
is "with its verdict" "$(json comparisons.0.verdict)" worse
