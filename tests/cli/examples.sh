#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of the manual pages work when they are pasted.
#
#   examples.sh [--demo-time TIME] ABSTAT PAGE...
#
# With --demo-time, the comparisons of an experiment take that long and no longer.
#
# Every line of a page that begins with "$ abstat" is run by a shell, in the order of the page, in a
# directory of its own that has a ./prog. They end with 0; one with a gate may end as the gate does.
# Before them, files that the page writes by "$ cat >FILE <<'END'" are written, and "$ cc" is run.
set -u
demo_time=
if [ "$1" = --demo-time ]; then
	demo_time=$2
	shift 2
fi
abstat=$(readlink -f "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$abstat" "$work/bin/abstat"
if [ -n "$demo_time" ]; then
	rm "$work/bin/abstat"
	cat >"$work/bin/abstat" <<END
#!/bin/sh
case "\$1 \$*" in
demo\ *\ [a-z]*) exec "$abstat" "\$@" -- --max-time=$demo_time ;;
esac
exec "$abstat" "\$@"
END
	chmod +x "$work/bin/abstat"
fi
export PATH="$work/bin:$PATH" LC_ALL=C TERM=dumb
number=0 failed=0
commands=$(abstat --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')

examples()
{
	sed -n 's/^\.Dl \$ \(abstat .*\)/\1/p; s/^\$ \(abstat .*\)/\1/p' "$1" |
		sed "s/\\\\-/-/g; s/\\\\(aq/'/g; s/\\\\e/\\\\/g"
}

can_probe()
{
	[ "$(id -u)" = 0 ] && grep -qw uprobe_register /proc/kallsyms
}

# The files that a page writes, and what it compiles, as a script.
preparation()
{
	sed -n "s/\\\\(aq/'/g; s/\\\\-/-/g; /^\\$ cat >/,/^END\$/{ s/^\\$ //; p; }; s/^\\$ \\(cc .*\\)/\\1/p" "$1"
}

for page; do
	mkdir "$work/dir"
	printf '#!/bin/sh\nexec ls /\n' >"$work/dir/prog"
	chmod +x "$work/dir/prog"
	preparation "$page" >"$work/prepare"
	(cd "$work/dir" && sh -e "$work/prepare") || failed=1
	while read -r line; do
		# What another tool has to print first is not there.
		case $line in *a.txt*) continue ;; esac
		# Probes take root, and a kernel that has them.
		case $line in *--scope*) can_probe || continue ;; esac
		# A page may be ahead of its command.
		word=${line#abstat }
		grep -qx "${word%% *}" <<<"$commands" || continue
		number=$((number + 1))
		(cd "$work/dir" && timeout 100 sh -c "$line" >"$work/out" 2>&1 </dev/null)
		status=$?
		case "$status $line" in
		0\ * | 1\ *--gate* | 125\ *--gate*) echo "ok $number - $(basename "$page"): $line" ;;
		*)
			echo "not ok $number - $(basename "$page"): $line"
			echo "# status $status"
			sed 's/^/# /' "$work/out"
			failed=1
			;;
		esac
	done < <(examples "$page")
	rm -rf "$work/dir"
done
echo "1..$number"
exit $failed
