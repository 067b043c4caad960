# SPDX-License-Identifier: GPL-2.0-or-later
# Runs that fail are not averaged in.

run_json stat -e instructions:u -r 4 /guest/bin/fails
is "a failing run ends the measurement" "$status" 125
run_json stat -e instructions:u -r 4 --ok-status=0,1 /guest/bin/fails
exactly "unless that is how it ends" instructions:u "$FAILS" 4

# Its failing runs retire more. About half of the blocks' numbers make it fail.
run_json stat -e instructions:u -r 16 --ignore-failure /guest/bin/flaky '{block}'
failed=$(json variants.0.failed)
near "some of 16 runs failed" "$failed" 1 15
exactly "the others are exact" instructions:u "$FLAKY" $((16 - failed))

run_json compare -e instructions:u -r 16 --ignore-failure '/guest/bin/flaky {block}' /guest/bin/flat
left=$((16 - $(json variants.0.failed)))
exactly "a block with a failed run is left out of both: the one" instructions:u "$FLAKY" $left 0
exactly "and the other" instructions:u "$FLAT" $left 1
ok "a failure rate that differs is never better" [ "$(json comparisons.0.verdict)" != better ]

run_json stat -e instructions:u -r 3 sh -c 'kill -SEGV $$'
is "a crash is no measurement" "$status" 125
says "and is named" err 'SEGV'
