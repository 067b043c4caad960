#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `meson install` with DESTDIR puts everything where it belongs, and what is there runs.
#
#   install.sh BUILD_DIR PREFIX
set -eu
build=$1 prefix=$2
dest=$(mktemp -d)
trap 'rm -rf "$dest"' EXIT
DESTDIR=$dest meson install -C "$build" --no-rebuild >"$dest/log" 2>&1 || { cat "$dest/log"; exit 1; }
root=$dest$prefix
failed=0
for file in bin/abstat share/bash-completion/completions/abstat share/zsh/site-functions/_abstat \
	share/fish/vendor_completions.d/abstat.fish share/man/man1/abstat.1 \
	include/abstat/region.h include/abstat/region-runtime.h share/pkgconfig/abstat-region.pc; do
	[ -f "$root/$file" ] || { echo "not installed: $prefix/$file"; failed=1; }
done
for command in $("$root/bin/abstat" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
	[ -f "$root/share/man/man1/abstat-$command.1" ] || { echo "no manual page: abstat-$command(1)"; failed=1; }
done
# The experiments' programs are found where they are, although that is not where they will be.
"$root/bin/abstat" demo --print prefetch | grep -q -F "$(readlink -f "$root")" || {
	echo "abstat demo does not find the installed programs"
	failed=1
}
# A program that marks regions finds its header by pkg-config.
if command -v pkg-config >/dev/null && command -v cc >/dev/null; then
	printf '#include <abstat/region.h>\nint main(void) { ABSTAT_REGION_BEGIN(a); ABSTAT_REGION_END(a); return 0; }\n' >"$dest/log.c"
	flags=$(PKG_CONFIG_PATH=$root/share/pkgconfig pkg-config --define-variable=prefix="$root" --cflags --libs abstat-region) ||
		failed=1
	# shellcheck disable=SC2086
	cc $flags -o "$dest/log.bin" "$dest/log.c" && "$dest/log.bin" || { echo "a program with regions: cc $flags"; failed=1; }
	rm -f "$dest/log.c" "$dest/log.bin"
fi
"$root/bin/abstat" --version >/dev/null || failed=1
outside=$(find "$dest" -type f ! -path "$root/*" ! -path "$dest/log")
[ -z "$outside" ] || { echo "installed outside of $prefix: $outside"; failed=1; }
exit $failed
