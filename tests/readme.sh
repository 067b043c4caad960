#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# readme.sh DIR: follows the README in a fresh copy of the tree, made in DIR: its first command as it
# stands, which must end with a verdict, and the installation. What is installed must then run.
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
copy=${1:?directory}/abstat
passed=0 failed=0

check() {
	local text=$1
	shift
	if "$@"; then
		echo "ok - $text"
		passed=$((passed + 1))
	else
		echo "not ok - $text"
		failed=$((failed + 1))
	fi
}

# The README's commands: the lines of its sh blocks.
commands() {
	sed -n '/^```sh$/,/^```$/p' "$root/README.md" | grep -v '^```'
}

rm -rf "$copy"
mkdir -p "$copy"
# What git would check out, with what has not been committed yet.
(cd "$root" && git ls-files -co --exclude-standard -z 2>/dev/null | xargs -0r ls -d 2>/dev/null |
	tar -cf - -T -) | tar -xf - -C "$copy"
cd "$copy" || exit 1

first=$(commands | sed -n 1p)
echo "+ $first"
bash -c "$first" >log 2>&1 </dev/null
check "the first command succeeds" [ $? -eq 0 ]
tail -n 40 log
check "it ends with a verdict" grep -Eqw 'better|worse|same|unclear' <(tail -n 3 log)
check "the second command is what continuous integration runs" \
	[ "$(commands | sed -n 2p)" = "tools/setup --tests && tools/test" ]

DESTDIR=$copy/image meson install -C build --no-rebuild >install.log 2>&1 || cat install.log
installed=$(find image -type f | sort)
echo "$installed"
check "the installed program runs" sh -c "\$(find image -type f -name abstat -perm -u+x) --version"
for page in man/*.[1-8].in; do
	page=$(basename "$page" .in)
	check "$page is installed" grep -q "/man${page##*.}/$page" <<<"$installed"
done
for shell in bash-completion/completions/abstat zsh/site-functions/_abstat \
	fish/vendor_completions.d/abstat.fish; do
	check "$shell is installed" grep -q "/$shell\$" <<<"$installed"
done
echo "readme: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
