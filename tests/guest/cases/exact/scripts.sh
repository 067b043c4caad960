# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts, by their interpreter's exec, and shells that start programs.

printf '#!/guest/bin/flat\n' >exact
chmod +x exact
run_json stat -e instructions:u -r 5 ./exact
exactly "a script whose interpreter is known exactly" instructions:u "$FLAT" 5

printf '#!/bin/sh\n/guest/bin/flat\n/guest/bin/flat\n' >two
printf '#!/bin/sh\n/guest/bin/flat\n/guest/bin/flat\n/guest/bin/flat\n/guest/bin/flat\n' >four
chmod +x two four
run_json compare -e instructions:u -r 5 ./two ./four
two=$(metric instructions:u min 0)
four=$(metric instructions:u min 1)
near "two more programs in a script count once each" $((four - two)) $((2 * FLAT)) \
	$((2 * FLAT + 200000))

run_json stat -e instructions:u -r 5 --shell '/guest/bin/flat; /guest/bin/flat | /guest/bin/flat'
near "a pipeline in a shell" "$(metric instructions:u min)" $((3 * FLAT)) $((3 * FLAT + 1000000))
run_json compare -e instructions:u -r 5 '/guest/bin/flat | /guest/bin/flat' /guest/bin/flat
is "without --shell, a pipeline is a usage error" "$status" 129
says "which names --shell" err '--shell'
