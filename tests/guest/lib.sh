# SPDX-License-Identifier: GPL-2.0-or-later
# What a case in the guest may use; read by busybox's sh before the case.
#
# A case is a file cases/BOOT/NAME.sh. It runs in an empty directory of its own, as root, with the
# workloads, abstat and the helpers in its PATH, and $FLAT and so on telling the exact instructions
# of each workload (see workloads.sh). Each ok or is makes one line of TAP.

# run COMMAND [ARG...]: keeps its output in ./out, its messages in ./err, its status in $status.
run() {
	ran="$*"
	status=0
	"$@" >out 2>err </dev/null || status=$?
}

# abstat with a document on its output: json reads from that.
run_json() {
	command=$1
	shift
	run abstat "$command" -j "$@"
}

# json PATH: a value of the document in ./out (see jget.c), "missing" where there is none.
json() {
	jget out "$1" 2>/dev/null || echo missing
}

diagnose() {
	echo "#   ran: ${ran-nothing} (status ${status-none})"
	for stream in err out; do
		[ -s $stream ] && tail -n 12 $stream | cut -c 1-300 | sed "s/^/#   $stream: /"
	done
	return 0
}

pass() {
	echo "ok - $case_name: $1"
	echo >>"$case_count"
}

fail() {
	echo "not ok - $case_name: $1"
	echo >>"$case_count"
	diagnose
}

# ok TEXT COMMAND [ARG...]: passes where the command succeeds.
ok() {
	text=$1
	shift
	if "$@"; then pass "$text"; else
		fail "$text"
		echo "#   false: $*"
	fi
}

# is TEXT GOT WANTED: passes where both are the same.
is() {
	if [ "$2" = "$3" ]; then pass "$1"; else
		fail "$1"
		echo "#   got '$2', wanted '$3'"
	fi
}

# says TEXT STREAM PATTERN: passes where a line of ./out or ./err matches.
says() {
	if grep -Eq -- "$3" "$2"; then pass "$1"; else
		fail "$1"
		echo "#   no line of $2 matches: $3"
	fi
}

# near TEXT GOT LOW HIGH: passes where LOW <= GOT <= HIGH.
near() {
	if awk -v g="$2" -v l="$3" -v h="$4" \
		'BEGIN { exit !(g ~ /^[-+.0-9e]+$/ && g + 0 >= l + 0 && g + 0 <= h + 0) }'; then
		pass "$1"
	else
		fail "$1"
		echo "#   got '$2', wanted $3 to $4"
	fi
}

skip() {
	echo "ok - $case_name: $1 # SKIP $2"
	echo >>"$case_count"
}

# metric NAME FIELD [VARIANT]: a field of a metric of a variant (the first), from ./out.
metric() {
	json "variants.${3:-0}.metrics.\"name=$1\".$2"
}

# same_in_every_run NAME COUNT RUNS [VARIANT]: what ./out says of a metric is COUNT, RUNS times.
same_in_every_run() {
	for field in mean min max median; do
		[ "$(metric "$1" $field "$4")" = "$2" ] || return 1
	done
	[ "$(metric "$1" sd "$4")" = 0 ] && [ "$(metric "$1" n "$4")" = "$3" ]
}

# exactly TEXT NAME COUNT RUNS [VARIANT]: passes where the last run_json succeeded, and found that
# number in each of so many runs.
exactly() {
	if [ "$status" = 0 ] && same_in_every_run "$2" "$3" "$4" "${5:-0}"; then pass "$1"; else
		fail "$1"
		echo "#   wanted $3 in $4 runs, status 0; got mean $(metric "$2" mean ${5:-0})," \
			"min $(metric "$2" min ${5:-0}), max $(metric "$2" max ${5:-0})," \
			"n $(metric "$2" n ${5:-0}), sd $(metric "$2" sd ${5:-0})"
	fi
}

# upper NAME: the name in the shell of a workload.
upper() {
	echo "$1" | tr a-z A-Z
}

# What the helper scoped printed to ./out. get SCOPE FIELD: of its calls.
get() {
	awk -v scope="$1" -v field="$2" \
		'$1 == scope && $2 == "calls" { for (i = 2; i < NF; i += 2) if ($i == field) print $(i + 1) }' out
}

# cost SCOPE N [EVENT]: of its costs, the total (1), self, the median, or the 99th percentile (4).
cost() {
	awk -v scope="$1" -v event="${3-instructions:u}" -v n="$2" \
		'$1 == scope && $2 == event { print $(n + 2) }' out
}

# all_measured SCOPE CALLS
all_measured() {
	is "$1: all calls are measured" "$(get "$1" calls) $(get "$1" measured)" "$2 $2"
}

# each SCOPE CALLS COST: every call costs that.
each() {
	all_measured "$1" "$2"
	is "$1: in sum" "$(cost "$1" 1)" $(($2 * $3))
	is "$1: in the middle" "$(cost "$1" 3)" "$3"
	is "$1: at the 99th percentile" "$(cost "$1" 4)" "$3"
}
