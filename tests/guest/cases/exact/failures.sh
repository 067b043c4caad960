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

direction=lower
[ "$FLAKY" -lt "$FLAT" ] || direction=higher
run_json compare -e instructions:u --$direction-is-better instructions:u -r 16 --ignore-failure \
	/guest/bin/flat '/guest/bin/flaky {block}'
left=$((16 - $(json variants.1.failed)))
exactly "a block with a failed run is left out of both: the one" instructions:u "$FLAT" $left 0
exactly "and the other" instructions:u "$FLAKY" $left 1
ok "what fails more often is never better" [ "$(json comparisons.0.verdict)" != better ]

run_json stat -e instructions:u -r 3 sh -c 'kill -SEGV $$'
is "a crash is no measurement" "$status" 125
says "and is named" err 'SEGV'
