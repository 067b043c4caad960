# SPDX-License-Identifier: GPL-2.0-or-later
# What the hooks do is not counted, nor is what they leave behind.

run_json stat -e instructions:u -r 6 --setup /guest/bin/flat30 --prepare /guest/bin/fork \
	--conclude /guest/bin/threads --cleanup /guest/bin/flat30 /guest/bin/flat
exactly "hooks that compute" instructions:u "$FLAT" 6

for hook in setup prepare conclude; do
	run_json stat -e instructions:u -r 4 --$hook /guest/bin/daemon /guest/bin/flat
	exactly "--$hook leaves a daemon behind" instructions:u "$FLAT" 4
	killall -9 daemon 2>/dev/null
done

run_json compare -e instructions:u -r 4 --prepare '/guest/bin/{w}' -L w=flat,fork,threads \
	'/guest/bin/{w}'
exactly "a hook a variant: the first" instructions:u "$FLAT" 4 0
exactly "the second" instructions:u "$FORK" 4 1
exactly "the third" instructions:u "$THREADS" 4 2

run_json stat -e instructions:u -r 4 --prepare /guest/bin/fails /guest/bin/flat
ok "a hook that fails is an error" [ "$status" -ge 125 ]
