# SPDX-License-Identifier: GPL-2.0-or-later
# While another process holds counters: what can be counted is exact, what cannot has no value.

# held N [pinned]: takes N of the six counters away, until released.
held() {
	hold "$@" >holding &
	holder=$!
	until grep -q holding holding; do sleep 0.1; done
}
released() {
	kill $holder
	wait $holder 2>/dev/null
}

held 6
run_json stat -e instructions:u,r8:u,r11:u -r 5 /guest/bin/flat
exactly "others' counters that can be taken turns with" instructions:u "$FLAT" 5
exactly "do not disturb a second event either" r8:u "$FLAT" "$(metric r8:u n)"
released

held 3 pinned
run_json stat -e instructions:u,r8:u,r11:u,r1:u,r3:u -r 6 /guest/bin/flat
exactly "three of six counters are pinned by others" instructions:u "$FLAT" 6
near "the rest is used in turns" "$(json plan.groups)" 2 3
exactly "and exact" r11:u "$FLAT" "$(metric r11:u n)"
released

held 6 pinned
run_json stat -e task-clock,instructions:u -r 4 /guest/bin/flat
is "all counters are pinned by others: the rest is measured" "$status" 0
is "the event has no value" "$(metric instructions:u mean)" null
ok "but a reason" [ "$(metric instructions:u reason)" != null ]
ok "as many words as it takes" [ "$(metric instructions:u reason)" != missing ]
run_json stat -e instructions:u -r 4 /guest/bin/flat
is "as the primary metric, that is status 128" "$status" 128
says "with what is in the way" err "primary metric 'instructions:u' has no value in any run.*others hold"
released

run_json stat -e instructions:u -r 4 /guest/bin/flat
exactly "once they are free again" instructions:u "$FLAT" 4
