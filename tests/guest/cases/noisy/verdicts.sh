# SPDX-License-Identifier: GPL-2.0-or-later
# Cycles that are noisy, from end to end.

cp /guest/bin/flat copy
# One in 10,000 equal pairs is called different.
run_json compare -e cycles:u -r 30 --margin 25% --alpha 0.0001 /guest/bin/flat ./copy
is "an equal pair is measured" "$status" 0
near "in all runs" "$(metric cycles:u n)" 30 30
ok "which differ" [ "$(metric cycles:u sd)" != 0 ]
verdict=$(json comparisons.0.verdict)
ok "it is not called different, but $verdict" [ "$verdict" = same -o "$verdict" = unclear ]

run_json compare -e cycles:u --max-runs 300 /guest/bin/flat /guest/bin/flat30
is "30 % more work is measured" "$status" 0
is "and worse" "$(json comparisons.0.verdict)" worse
near "by something like that" "$(json comparisons.0.metrics.0.change.estimate)" 0.1 0.6
near "which the interval holds" 0.3 "$(json comparisons.0.metrics.0.change.low)" 1

run_json stat -e cycles:u,instructions:u -r 10 /guest/bin/flat
is "what does not exist here has no value" "$(metric instructions:u mean)" null
