#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Fetches what the guest is made of from a Debian archive: the stock arm64 kernels, busybox, and
# the libraries that abstat is linked with.
#
#   fetch.sh [--cache DIR] [--mirror URI] [--keyring FILE]
#
# The archive is the one that this machine's own apt uses, unless --mirror (or ABSTAT_DEBIAN_MIRROR)
# names one. apt runs with a configuration and state of its own inside the cache: neither the
# machine's sources nor its architectures are touched, and root is not needed. A complete cache is
# used as it is, without the network.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=$here/../../build-guest/cache
mirror=${ABSTAT_DEBIAN_MIRROR-}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The guest is this release of Debian, whatever the host is.
release=bookworm
# The kernels: series, then the suite that has it.
kernels=(6.1 "$release" 6.12 "$release-backports")
libraries=(libcapstone-dev libelf-dev libjansson-dev libpfm4-dev r-mathlib zlib1g-dev)

die() {
	echo "fetch: $*" >&2
	exit 1
}

while [ $# -gt 0 ]; do
	case $1 in
	--cache) cache=${2?} && shift ;;
	--mirror) mirror=${2?} && shift ;;
	--keyring) keyring=${2?} && shift ;;
	*) die "unknown option '$1'" ;;
	esac
	shift
done

mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
exec 9>"$cache/lock"
flock 9

# The stamp is this script's checksum: what an older script fetched is fetched anew.
stamp=$(cksum <"$0")
if [ "$(cat "$cache/complete" 2>/dev/null)" = "$stamp" ]; then
	exit 0
fi
command -v apt-get >/dev/null || die "needs apt-get (on Fedora and Arch the package is 'apt')"
rm -rf "$cache/complete" "$cache/work" "$cache/sysroot" "$cache"/vmlinuz-* "$cache/busybox"

work=$cache/work
mkdir -p "$work"/{apt/lists/partial,archives/partial,debs,kernel}
: >"$work/status"

# apt with nothing of the machine's but its apt.conf (proxies and the like). $1 is the file of
# sources, the rest goes to apt's own command line.
private_apt() {
	local tool=$1 sources=$2
	shift 2
	"$tool" -q -o Dir::Etc::sourcelist="$sources" -o Dir::Etc::sourceparts=/dev/null \
		-o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
		-o Dir::State="$work/apt" -o Dir::State::status="$work/status" \
		-o Dir::Cache="$work" -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
		-o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

# Where this machine's apt gets Debian from. It can say only after an update, so that is done in
# private where the machine has none.
find_mirror() {
	local state
	for state in /var/lib/apt "$work/host"; do
		mkdir -p "$work/host/lists/partial"
		[ "$state" = /var/lib/apt ] ||
			apt-get -q -o Dir::State="$state" -o Dir::Cache="$work" update >&2 || continue
		apt-get -o Dir::State="$state" indextargets \
			--format '$(ORIGIN) $(COMPONENT) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
			awk '$1 == "Debian" && $2 == "main" && $3 == "Debian" { print $4; exit }' |
			grep . && return 0
	done
	return 1
}

if [ -z "$mirror" ]; then
	mirror=$(find_mirror) || die "this machine's apt has no source of Debian's main archive;" \
		"name one with --mirror URI"
fi
sources=$work/debian.sources
{
	echo "Types: deb"
	echo "URIs: $mirror"
	echo "Suites: $release ${kernels[3]}"
	echo "Components: main"
	[ ! -e "$keyring" ] || echo "Signed-By: $keyring"
} >"$sources"

retry() {
	local try
	for try in 1 2 3; do
		"$@" && return 0
		[ "$try" = 3 ] || sleep $((try * 5))
	done
	return 1
}

echo "fetch: arm64 packages of $release from $mirror"
retry private_apt apt-get "$sources" -o APT::Update::Error-Mode=any update >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	die "the package lists could not be fetched"
}

# The meta package's newest version in the series names the package with the kernel in it.
kernel_package() {
	private_apt apt-cache "$sources" show linux-image-cloud-arm64 | awk -v series="$1." '
		/^Version:/ { match_series = index($2, series) == 1 }
		/^Depends:/ && match_series { sub(/,.*/, "", $2); print $2; exit }' | grep .
}

packages=()
for ((i = 0; i < ${#kernels[@]}; i += 2)); do
	name=$(kernel_package "${kernels[i]}") || die "${kernels[i + 1]} has no kernel ${kernels[i]}"
	packages+=("$name")
done

cd "$work/debs"
retry private_apt apt-get "$sources" download busybox-static "${libraries[@]}" "${packages[@]}" \
	>>"$work/log" 2>&1 || {
	tail -n 20 "$work/log" >&2
	die "the packages could not be fetched"
}

for ((i = 0; i < ${#kernels[@]}; i += 2)); do
	series=${kernels[i]}
	dpkg-deb --fsys-tarfile "${packages[i / 2]}"_*.deb |
		tar -xf - -C "$work/kernel" --wildcards './boot/vmlinuz-*'
	mv "$work"/kernel/boot/vmlinuz-* "$cache/vmlinuz-$series"
done
for library in "${libraries[@]}"; do
	dpkg-deb -x "$library"_*.deb "$cache/sysroot"
done
dpkg-deb -x busybox-static_*.deb "$work/busybox"
cp "$(find "$work/busybox" -type f -name busybox -perm -u+x | head -n 1)" "$cache/busybox"

for name in *.deb; do
	echo "fetch: ${name%.deb}"
done
cd "$cache"
rm -rf "$work"
echo "$stamp" >"$cache/complete"
