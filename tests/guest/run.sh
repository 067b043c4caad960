#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests abstat on a PMU that every machine has: an emulated arm64 one.
#
#   run.sh [OPTIONS]         boots all machines, runs their cases, prints "guest: N passed, ..."
#     --boot NAME            only this machine (may be repeated)
#     --case NAME            only this case of each machine (may be repeated)
#     --shell                a shell in the guest instead of its cases (with --boot; exit ends it)
#     --list                 names machines and cases
#     --source DIR           builds abstat from this tree instead of the one around this script
#     --build DIR            where everything is built (build-guest)
#     --cache DIR            where what was downloaded is kept (BUILD/cache)
#     --seed N               draws the workloads' loop counts again as a former run did
#     --jobs N               machines that run at the same time (2)
#
# abstat is cross-built, linked statically, and packed with workloads whose exact instruction counts
# were drawn for this run into an initramfs; qemu boots the stock Debian kernels with it. With -icount
# the emulated PMU counts exactly; without, it has noisy cycles and no instructions.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

# A machine: its kernel, the directory of its cases, what its qemu adds.
declare -A kernel=([exact-6.1]=6.1 [exact-6.12]=6.12 [noisy-6.12]=6.12)
declare -A cases=([exact-6.1]=exact [exact-6.12]=exact [noisy-6.12]=noisy)
declare -A machine=(
	[exact-6.1]="-smp 1 -icount shift=0"
	[exact-6.12]="-smp 1 -icount shift=0"
	[noisy-6.12]="-smp 1"
)
# What no kernel has a part in is run with one of them.
declare -A without=([exact-6.1]='engines experiments')
boot_limit=${GUEST_BOOT_LIMIT:-3000}

build=$root/build-guest
source=$root
cache=
seed=
jobs=2
shell=no
list=no
boots=()
only=()

die() {
	echo "guest: $*" >&2
	exit 2
}

while [ $# -gt 0 ]; do
	case $1 in
	--boot) boots+=("${2:?}") && shift ;;
	--case) only+=("${2:?}") && shift ;;
	--source) source=$(cd "${2:?}" && pwd) && shift ;;
	--build) build=${2:?} && shift ;;
	--cache) cache=${2:?} && shift ;;
	--seed) seed=${2:?} && shift ;;
	--jobs) jobs=${2:?} && shift ;;
	--shell) shell=yes ;;
	--list) list=yes ;;
	-h | --help) sed -n '3,18s/^# \{0,1\}//p' "$0" && exit 0 ;;
	*) die "unknown option '$1'; see run.sh --help" ;;
	esac
	shift
done
for boot in "${boots[@]}"; do
	[ -n "${kernel[$boot]-}" ] || die "no machine '$boot'; there are: ${!kernel[*]}"
done
if [ ${#boots[@]} -eq 0 ]; then
	mapfile -t boots < <(printf '%s\n' "${!kernel[@]}" | sort)
fi

# The names of a machine's cases that were asked for.
cases_of() {
	local file name
	for file in "$here/cases/${cases[$1]}"/*.sh; do
		name=$(basename "$file" .sh)
		if [ ${#only[@]} -eq 0 ] && [[ " ${without[$1]:-} " != *" $name "* ]] ||
			printf '%s\n' "${only[@]}" | grep -qxF "$name"; then
			echo "$name"
		fi
	done
}

if [ $list = yes ]; then
	for boot in "${boots[@]}"; do
		cases_of "$boot" | sed "s/^/$boot /"
	done
	exit 0
fi

for tool in qemu-system-aarch64 "${CROSS_COMPILE-aarch64-linux-gnu-}gcc" cpio meson; do
	command -v "$tool" >/dev/null || die "needs $tool: run tools/setup --tests"
done

mkdir -p "$build/logs"
build=$(cd "$build" && pwd)
cache=${cache:-$build/cache}
exec 8>"$build/lock"
flock -n 8 || die "$build is in use by another run.sh: choose another --build"
cross=${CROSS_COMPILE-aarch64-linux-gnu-}

# Keeps a command's output, and shows it only where the command fails.
quietly() {
	local log=$build/logs/$1.log
	shift
	"$@" >"$log" 2>&1 </dev/null || {
		tail -n 60 "$log" >&2
		die "failed: $* (all of it is in $log)"
	}
}

"$here/fetch.sh" --cache "$cache"
cache=$(cd "$cache" && pwd)

# ---- abstat and the helpers, for arm64 ----

sysroot=$cache/sysroot
search="'-B$sysroot/usr/lib/', '-B$sysroot/usr/lib/aarch64-linux-gnu/'"
cat >"$build/cross.new" <<END
[binaries]
c = ['${cross}gcc', $search, '-isystem', '$sysroot/usr/include']
ar = '${cross}ar'
strip = '${cross}strip'
pkgconfig = 'pkg-config'
pkg-config = 'pkg-config'

[properties]
sys_root = '$sysroot'
pkg_config_libdir = ['$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig', '$sysroot/usr/lib/pkgconfig']
needs_exe_wrapper = true

[built-in options]
c_link_args = ['-static']

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'cortex-a57'
endian = 'little'
END

if ! cmp -s "$build/cross.new" "$build/cross.txt" ||
	[ "$(cat "$build/source" 2>/dev/null)" != "$source" ]; then
	rm -rf "$build/arm64"
	mv "$build/cross.new" "$build/cross.txt"
	echo "$source" >"$build/source"
fi
if [ ! -e "$build/arm64/build.ninja" ]; then
	rm -rf "$build/arm64"
	quietly setup meson setup --cross-file "$build/cross.txt" --buildtype=release \
		-Dstatic=true -Dtests=disabled "$build/arm64" "$source"
fi
quietly compile meson compile -C "$build/arm64"

stage=$build/initramfs
rm -rf "$stage"
mkdir -p "$stage"/{bin,dev,etc,proc,sys,tmp,root,guest/bin}
for helper in asuser hold proof; do
	quietly "$helper" "${cross}gcc" -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static \
		-o "$stage/guest/bin/$helper" "$here/$helper.c"
done
quietly regions "${cross}gcc" -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static -I "$source/include" \
	-o "$stage/guest/bin/regions" "$here/regions.c"
quietly jget "${cross}gcc" -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static -isystem "$sysroot/usr/include" \
	-o "$stage/guest/bin/jget" "$here/jget.c" \
	"$sysroot/usr/lib/aarch64-linux-gnu/libjansson.a" -lm
quietly scoped "${cross}gcc" -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static -I "$source/probes" \
	-isystem "$sysroot/usr/include" -o "$stage/guest/bin/scoped" "$here/scoped.c" \
	"$build/arm64/probes/libprobes.a" "$sysroot"/usr/lib/aarch64-linux-gnu/lib{pfm,elf,capstone,z}.a -lm
quietly init "${cross}gcc" -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static -o "$stage/init" "$here/init.c"
quietly workloads "$here/workloads.sh" "$stage/guest" ${seed:+"$seed"}
if [ -e "$build/arm64/abstat" ]; then
	"${cross}strip" -o "$stage/guest/bin/abstat" "$build/arm64/abstat"
fi
# The experiments' programs, where an installed abstat finds them.
mkdir -p "$stage/guest/libexec/abstat"
for program in "$build"/arm64/tests/workloads/*; do
	if [ -f "$program" ]; then
		"${cross}strip" -g -o "$stage/guest/libexec/abstat/$(basename "$program")" "$program"
	fi
done
cp "$cache/busybox" "$stage/bin/busybox"
ln -s busybox "$stage/bin/sh"
cp "$here/lib.sh" "$here/main.sh" "$stage/guest/"
printf 'root:x:0:0::/root:/bin/sh\nuser:x:1000:1000::/tmp:/bin/sh\n' >"$stage/etc/passwd"
printf 'root:x:0:\nuser:x:1000:\n' >"$stage/etc/group"
chmod -R go+rX "$stage"

# pack BOOT: the initramfs of a machine, with its cases.
pack() {
	local name
	rm -rf "$stage/guest/cases"
	mkdir -p "$stage/guest/cases"
	for name in $(cases_of "$1"); do
		cp "$here/cases/${cases[$1]}/$name.sh" "$stage/guest/cases/"
	done
	(cd "$stage" && find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0) >"$build/$1.cpio"
}

# boot BOOT COMMAND...: the machine, on this terminal, until the command in it has ended.
boot() {
	local name=$1
	shift
	# The machine's options are words on purpose.
	# shellcheck disable=SC2086
	qemu-system-aarch64 -M virt -cpu cortex-a57 ${machine[$name]} -m 512 -nic none -nographic \
		-no-reboot -kernel "$cache/vmlinuz-${kernel[$name]}" -initrd "$build/$name.cpio" \
		-append "console=ttyAMA0 quiet panic=-1 -- guest $*"
}

if [ $shell = yes ]; then
	pack "${boots[0]}"
	boot "${boots[0]}" /bin/sh -c 'busybox\ --install\ -s\ /bin;exec\ sh\ -i'
	exit 0
fi

# ---- the boots, and what they said ----

# judge BOOT STATUS SECONDS: turns what a machine printed into one line of counts; whatever is
# missing from it (its plan, a case, the end) is a failure.
judge() {
	local log=$build/logs/$1.console tap=$build/logs/$1.tap
	tr -d '\r' <"$log" >"$tap"
	cases_of "$1" | awk -v name="$1" -v status="$2" -v seconds="$3" '
		function broken(what) { failed++; print "not ok - " name ": " what }
		FNR == NR && FILENAME == "-" { expected[$1]; next }
		/^# end / { delete expected[$3] }
		/^ok / { if (/# SKIP/) skipped++; else passed++ }
		/^not ok / { failed++; print name ": " $0; show = 1; next }
		/^#   / && show { print name ": " $0 }
		/^ok |^# case / { show = 0 }
		/^1\.\.[0-9]+$/ { plan = substr($0, 4) + 0; planned = 1 }
		END {
			total = passed + failed + skipped
			for (lost in expected)
				broken("case " lost " did not come to its end")
			if (status != 0)
				broken("qemu ended with status " status)
			if (!planned)
				broken("no plan: the machine died or took too long")
			else if (plan != total || total == 0)
				broken("planned " plan " tests, saw " total)
			printf "%s: %d passed, %d failed, %d skipped (%d s)\n", name, passed, failed,
				skipped, seconds
		}' - "$tap" >"$build/logs/$1.result"
}

run_boot() {
	local started=$SECONDS status=0
	timeout -k 10 "$boot_limit" bash -c "$(declare -f boot); $(declare -p machine kernel cache build)
		boot $1 /bin/sh /guest/main.sh" </dev/null >"$build/logs/$1.console" 2>&1 || status=$?
	judge "$1" "$status" $((SECONDS - started))
}

# Machines do not outlive this script.
trap 'jobs -rp | xargs -r kill 2>/dev/null' EXIT
rm -f "$build"/logs/*.result
echo "guest: $(sed -n 's/^# //p' "$stage/guest/expected.sh"); machines: ${boots[*]}"
for boot in "${boots[@]}"; do
	if [ -z "$(cases_of "$boot")" ]; then
		continue
	fi
	pack "$boot"
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
		wait -n || true
	done
	run_boot "$boot" &
done
wait
cat "$build"/logs/*.result 2>/dev/null || die "there is no such case"
awk '/^[^:]+: [0-9]+ passed, / { passed += $2; failed += $4; skipped += $6 }
	END {
		printf "guest: %d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0 || passed == 0
	}' "$build"/logs/*.result
