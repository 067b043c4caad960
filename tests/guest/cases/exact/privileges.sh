# SPDX-License-Identifier: GPL-2.0-or-later
# As an ordinary user; and programs whose events the kernel drops.

user() {
	command=$1
	shift
	run asuser 1000 /guest/bin/abstat "$command" "$@"
}

cp /guest/bin/flat setuid && chmod 4755 setuid
cp /guest/bin/flat setgid && chmod 2755 setgid
cp /guest/bin/flat unreadable && chmod 711 unreadable
cp /guest/bin/flat other && chown 1000 other && chmod 4755 other

user stat -j -e instructions -r 4 /guest/bin/flat
exactly "at paranoid 2, an event falls back to :u" instructions:u "$FLAT" 4
is "asked for as instructions" "$(metric instructions:u event)" instructions
user stat -e instructions -r 4 /guest/bin/flat
is "one note says so" "$(grep -c note: out)" 1
says "and names the setting" out perf_event_paranoid
user stat -j -e instructions:u,instructions:k -r 4 /guest/bin/flat
exactly "the user's part" instructions:u "$FLAT" 4
is "the kernel's has no value" "$(metric instructions:k mean)" null
user compare -j -e instructions -r 4 /guest/bin/flat /guest/bin/flat30
exactly "a comparison" instructions:u "$FLAT30" 4 1
is "by that metric" "$(json comparisons.0.metrics.0.name)" instructions:u

for program in setuid setgid unreadable; do
	user stat -j -e instructions:u -r 4 ./$program
	is "$program: no value" "$(metric instructions:u mean)" null
	says "$program: the reason" out 'setuid'
	is "$program: as the primary metric, that is status 128" "$status" 128
	user stat -j -r 4 ./$program
	is "$program: times are measured all the same" "$status $(metric duration_time n)" "0 4"
done
run_json stat -e instructions:u -r 4 ./other
is "a setuid program of another user's, run by root: no value" "$(metric instructions:u mean)" null
cp /guest/bin/long long && chmod 4755 long
printf '#!/bin/sh\n/guest/bin/flat\n./long\n' >script && chmod +x script
user stat -e instructions:u -r 4 ./script
is "a script that calls one: status 128" "$status" 128
says "and the reason" err 'setuid'

echo 3 >/proc/sys/kernel/perf_event_paranoid
user stat -e instructions -r 4 /guest/bin/flat
is "at paranoid 3, the primary metric is refused" "$status" 128
says "with the setting that is in the way" err 'perf_event_paranoid'
user stat -r 4 /guest/bin/flat
is "the default set is not an error" "$status" 0
says "times are measured" out 'seconds time elapsed'
says "and one line says why the rest is not" out 'perf_event_paranoid'
echo -1 >/proc/sys/kernel/perf_event_paranoid
user stat -j -e instructions:u,instructions:k -r 4 /guest/bin/flat
exactly "at paranoid -1, all of it is permitted" instructions:u "$FLAT" 4
near "the kernel's part, too" "$(metric instructions:k mean)" 1000 400000
