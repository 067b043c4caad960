#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Fails where --help of a command, its manual page and the completions of the three shells list
# different options.
#
#   docs-agree.sh ABSTAT MAN_DIR COMPLETIONS_DIR
set -eu
LC_ALL=C
export LC_ALL
abstat=$1 man=$2 completions=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# The options at the start of each line: "  -e, --event=LIST   Events" gives -e and --event.
options_of_lines()
{
	sed -n 's/^ *\(-.*\)$/\1/p' |
		sed 's/  .*//' | tr ',' '\n' | sed 's/^ *//; s/[ =[].*//' |
		grep -E '^(-[A-Za-z?]|--[a-z][a-z-]*)$' | sort -u
}

from_help()
{
	# Aliases and their arguments take the first column; explanations are indented further.
	"$abstat" "$1" --help | grep -E '^ {2,6}-' | sed 's/^ */ /' | options_of_lines
}

from_man()
{
	mandoc -T ascii -O width=1000 "$man/abstat-$1.1" | col -bx | grep -E '^     -' |
		options_of_lines
}

from_bash()
{
	bash -c '. "$1"; _abstat_options "$2"' - "$completions/abstat.bash" "$1" |
		tr ' ' '\n' | sed 's/=$//' | grep -v '^$' | sort -u
}

# The arrays that a command's _arguments names, and the options in them.
from_zsh()
{
	awk -v command="$1" '
		/^\tlocal -a [a-z]+_options=\($/ { array = $3; sub(/=.*/, "", array); next }
		/^\t\)$/ { array = "" }
		array { text[array] = text[array] $0 "\n" }
		/^\t\t[a-z|]+\)$/ {
			inside = 0; names = $1; sub(/\)/, "", names); n = split(names, name, "|")
			for (i = 1; i <= n; i++) if (name[i] == command) inside = 1
		}
		/;;$/ { inside = 0 }
		inside { used = used $0 }
		END { for (a in text) if (index(used, "$" a " ") || index(used, "$" a "\n")) printf "%s", text[a] }
	' "$completions/_abstat" |
		sed 's/\[.*//' | tr "'{}," '\n\n\n\n' | sed 's/^[*]//; s/\\//; s/[+=].*//' |
		grep -E '^(-[A-Za-z?]|--[a-z][a-z-]*)$' | sort -u
}

from_fish()
{
	grep -E "__abstat_command( [a-z]+)* $1( |')" "$completions/abstat.fish" | grep -E -- '-[sl] ' |
		sed "s/ -d .*//; s/'//g" | awk '{
			for (i = 1; i < NF; i++) {
				if ($i == "-s") print "-" $(i + 1)
				if ($i == "-l") print "--" $(i + 1)
			}
		}' | sort -u
}

commands=$("$abstat" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
[ -n "$commands" ] || { echo "abstat --help lists no commands"; exit 1; }
for command in $commands; do
	from_help "$command" >"$work/help"
	[ -s "$work/help" ] || { echo "$command: --help lists no options"; failed=1; }
	for source in man bash zsh fish; do
		"from_$source" "$command" >"$work/$source" || :
		if ! cmp -s "$work/help" "$work/$source"; then
			echo "$command: --help (-) and $source (+) differ:"
			diff "$work/help" "$work/$source" | sed -n 's/^</  -/p; s/^>/  +/p'
			failed=1
		fi
	done
	# A command that nothing offers or explains is not found.
	for where in abstat.bash _abstat abstat.fish; do
		grep -qw -- "$command" "$completions/$where" ||
			{ echo "$command: not in $where"; failed=1; }
	done
	grep -q "^\.It Cm $command\$" "$man/abstat.1" || { echo "$command: not in abstat(1)"; failed=1; }
done
exit $failed
