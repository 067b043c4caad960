# SPDX-License-Identifier: GPL-2.0-or-later
# A process that outlives the command, in a session of its own, is not counted in any later run.

run_json compare -e instructions:u -r 4 /guest/bin/daemon /guest/bin/flat
exactly "the next command's runs are exact" instructions:u "$FLAT" 4 1
near "its own have what it did itself" "$(metric instructions:u min 0)" "$DAEMON" 1e12
ok "it is gone" sh -c '! pidof daemon'
says "the report says so" out 'left processes behind'

run_json stat -e instructions:u -r 3 --stragglers=error /guest/bin/daemon
is "as an error on demand" "$status" 125

run_json stat -e instructions:u -r 3 --stragglers=wait /guest/bin/orphan
exactly "those that are waited for are counted" instructions:u "$ORPHAN" 3
