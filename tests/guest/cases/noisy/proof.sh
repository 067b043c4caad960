# SPDX-License-Identifier: GPL-2.0-or-later
# The machine itself, without abstat: cycles exist and are noisy, instructions do not exist.

run proof cycles 20 /guest/bin/flat
is "cycles can be counted" "$status" 0
ok "they differ from run to run" [ "$(cut -d ' ' -f 1 out | sort -u | wc -l)" -gt 1 ]
run proof instructions 1 /guest/bin/flat
is "instructions cannot" "$status" 1
