#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# abstat/region.h in other people's programs: every compiler and language that there is here, libraries,
# and what it costs where nobody measures.
#
#   region-header.sh ABSTAT INCLUDE_DIR
set -u
abstat=$(realpath "$1") include=$(realpath "$2")
stepped=$(dirname "$(realpath "$0")")/../unit/region-stepped.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C
number=0 failed=0

# is TEXT GOT WANTED
is() {
	number=$((number + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $number - $1"
	else
		failed=$((failed + 1))
		echo "not ok $number - $1"
		printf '# got    %s\n# wanted %s\n' "${2//$'\n'/$'\n'# }" "$3"
	fi
}

# succeeds TEXT COMMAND...
succeeds() {
	local text=$1
	shift
	is "$text" "$("$@" 2>&1 </dev/null || echo "failed: $*")" ""
}

# calls NAME COMMAND...: how often the region was called in each of two runs, 0 of them lost.
calls() {
	local name=$1
	shift
	"$abstat" stat -q -r 2 -e page-faults --scope "region:$name" --probed-only -j -- "$@" >json 2>messages
	grep -oE "\"name\":\"$name/(calls|lost|unreturned)\"[^}]*\"mean\":[0-9.]+" json | sed -E 's/"name":"[^"]*\/([a-z]*)".*:/\1 /' | tr '\n' ' '
}

have() {
	command -v "$1" >/dev/null
}

warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-align -Wundef
	-Wredundant-decls -Werror -DABSTAT_REGION_WARN_"

cat >one.c <<'END'
#include <abstat/region.h>
#ifdef __cplusplus
extern "C" {
#endif
int empty(int n);
int pairs(int n);
int other(int n);
#ifdef __cplusplus
}
#endif
int empty(int n)
{
	for (int i = 0; i < n; i++)
		__asm__ __volatile__("");
	return 0;
}
int pairs(int n)
{
	for (int i = 0; i < n; i++) {
		ABSTAT_REGION_BEGIN(work);
		__asm__ __volatile__("");
		ABSTAT_REGION_END(work);
	}
	return 0;
}
END
cat >two.c <<'END'
#include <abstat/region.h>
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
int pairs(int n);
int other(int n);
#ifdef __cplusplus
}
template <int N> static inline int twice(int n)
{
	ABSTAT_REGION_BEGIN(inner);
	n *= N;
	ABSTAT_REGION_END(inner);
	return n;
}
int other(int n) { return twice<2>(n) + twice<3>(n); }
#else
int other(int n)
{
	ABSTAT_REGION_BEGIN(inner);
	n *= 5;
	ABSTAT_REGION_END(inner);
	return n;
}
#endif
int main(int argc, char **argv)
{
	ABSTAT_REGION_BEGIN(outer);
	pairs(argc > 1 ? atoi(argv[1]) : 1);
	(void)other(argc);
	ABSTAT_REGION_END(outer);
	return 0;
}
END
cp one.c one.cc
cp two.c two.cc

# ---- compilers ----

# compile TEXT COMPILER... : both files, and linked.
compile() {
	local text=$1 suffix=$2
	shift 2
	# Words on purpose.
	# shellcheck disable=SC2086
	succeeds "$text" "$@" $warnings -I"$include" -o "built" one.$suffix two.$suffix
}

for compiler in gcc clang aarch64-linux-gnu-gcc; do
	have $compiler || continue
	for standard in c99 gnu17; do
		compile "$compiler -std=$standard" c $compiler -std=$standard -O2 -Wstrict-prototypes -Wmissing-prototypes
	done
	for option in -O0 "-O3 -fPIC -ffunction-sections -Wl,--gc-sections"; do
		# shellcheck disable=SC2086
		compile "$compiler $option" c $compiler $option
	done
done
for compiler in g++ clang++ aarch64-linux-gnu-g++; do
	have $compiler || continue
	for standard in c++11 c++20; do
		compile "$compiler -std=$standard" cc $compiler -std=$standard -O2
	done
done
# What other programs ask to be warned of is not said of the header.
printf '#include <abstat/region.h>\nint main() { ABSTAT_REGION_BEGIN(a); ABSTAT_REGION_END(a); return 0; }\n' >noisy.cc
for compiler in "g++ -Wall -Wextra -Wold-style-cast -Wuseless-cast -Wzero-as-null-pointer-constant" \
	"clang++ -Weverything -Wno-c++98-compat -Wno-c++98-compat-pedantic"; do
	have "${compiler%% *}" || continue
	# shellcheck disable=SC2086
	succeeds "$compiler" $compiler -I"$include" -c noisy.cc -o noisy.o
done
printf '#include <abstat/region.h>\nint main(void) { ABSTAT_REGION_BEGIN(no-name); return 0; }\n' >bad.c
is "what is no identifier does not compile" "$(cc -I"$include" -c bad.c -o bad.o 2>/dev/null && echo compiled)" ""
printf '#define ABSTAT_REGION_OFF\n#include <abstat/region.h>\nint main(void) { ABSTAT_REGION_BEGIN(a); ABSTAT_REGION_END(a); return 0; }\n' >off.c
cc -I"$include" off.c -o off
is "nothing is left of markers that are off" "$(nm off | grep abstat_region)" ""
echo '#include <abstat/region.h>' >names.c
is "no names but its own, of those that are no reserved ones" "$(cc -dM -E -I"$include" names.c | sed 's/^#define \([A-Za-z0-9_]*\).*/\1/' |
	grep -vE '^(_|ABSTAT_REGION_|(U?INT|SIZE|PTRDIFF|SIG_ATOMIC|WCHAR|WINT)[A-Z0-9_]*(_MAX|_MIN|_C|_WIDTH)$|linux$|unix$)')" ""

# ---- what it costs where nobody measures ----

# instructions OBJECT FUNCTION: those of the function up to its return.
instructions() {
	"$objdump" -d --no-show-raw-insn "$1" | sed -n "/<$2>:/,/\tret/p" | grep -cE '^ +[0-9a-f]+:'
}

for compiler in gcc clang; do
	have $compiler && have objdump && [ "$(uname -m)" = x86_64 ] || continue
	objdump=objdump
	$compiler -O2 -fcf-protection=none -fno-unroll-loops -falign-loops=1 -I"$include" -c one.c -o one.o
	is "$compiler: four instructions a pair" $(($(instructions one.o pairs) - $(instructions one.o empty))) 4
done
if have aarch64-linux-gnu-gcc; then
	objdump=aarch64-linux-gnu-objdump
	aarch64-linux-gnu-gcc -O2 -I"$include" -c one.c -o one.o
	is "arm64: a load and a branch each, in the loop" \
		"$($objdump -d --no-show-raw-insn one.o | sed -n '/<pairs>:/,/\tret/p' | grep -oE '(ldr|cbn?z)[^0-9a-z]*w16' | awk '{print $1}' | tr '\n' ' ')" "ldr cbz ldr cbz "
fi
if have readelf; then
	cc -O2 -I"$include" one.c two.c -o noted
	is "markers are USDT markers" "$(readelf -n noted | grep -oE 'Name: [a-z_]*' | sort -u | tr '\n' ' ')" \
		"Name: inner__begin Name: inner__end Name: outer__begin Name: outer__end Name: work__begin Name: work__end "
fi

# ---- only the general registers ----

# touched OBJECT: instructions of the runtime that use others.
touched() {
	"$objdump" -d --no-show-raw-insn "$1" | awk '/^[0-9a-f]+ </ { name = $2 }
		/</ { next }
		name ~ /abstat_region_(begin|end|finish|admit|present|stray|unwind|drop|repeat|give_down|read_group)>/ && (/[%](xmm|ymm|zmm|mm)[0-9]/ || /[ ,{](q|v|d|s)[0-9]+[,.\] ]/)'
}
for compiler in gcc clang aarch64-linux-gnu-gcc "clang --target=aarch64-linux-gnu"; do
	have "${compiler%% *}" || continue
	for option in -O0 "-O3 -funroll-loops"; do
		# shellcheck disable=SC2086
		$compiler $option -I"$include" -c one.c -o one.o 2>/dev/null || continue
		objdump=objdump
		[[ $compiler != *aarch64* ]] || objdump=aarch64-linux-gnu-objdump
		have $objdump || continue
		is "$compiler $option: markers use general registers only" "$(touched one.o)" ""
	done
done

# ---- what it costs where counters are read in user space ----

for compiler in "gcc -O0" "gcc -O3" "gcc -O2 -static" "gcc -O2 -fno-pie -no-pie" "gcc -O2 -fcf-protection=full" "clang -O2"; do
	have "${compiler%% *}" && [ "$(uname -m)" = x86_64 ] || continue
	# shellcheck disable=SC2086
	$compiler -D_GNU_SOURCE -I"$include" "$stepped" -o stepped -lpthread 2>messages || continue
	"$abstat" stat -q -r 1 -e page-faults --scope region:cost --scope region:enter --probed-only --stdout=pair -- ./stepped cost 1 \
		>messages 2>&1
	is "$compiler: instructions a pair, one counter" "$(tail -n 1 pair)" 148
done

# ---- measured ----

for option in -O0 -O2 -static "-O2 -flto" "-O2 -fPIC" "-O2 -fno-pie -no-pie" "-O2 -fsanitize=address,undefined" "-O2 -pg" \
	"-O2 -fstack-protector-all" "-O2 -fcf-protection=full"; do
	# shellcheck disable=SC2086
	gcc $option -I"$include" one.c two.c -o measured 2>/dev/null || continue
	is "gcc $option: calls" "$(calls work ./measured 1000)" "calls 1000 lost 0 unreturned 0 "
done
if have g++; then
	g++ -O2 -I"$include" one.cc two.cc -o measured
	is "templates" "$(calls inner ./measured)" "calls 2 lost 0 unreturned 0 "
fi

# ---- libraries ----

cat >user.c <<'END'
#include <abstat/region.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
static int (*pairs)(int);
static void *thread(void *n)
{
	pairs(*(int *)n);
	return NULL;
}
int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 1;
	for (int i = 0; i < n; i++) {
		void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
		pthread_t t;
		if (!library)
			return 3;
		*(void **)&pairs = dlsym(library, "pairs");
		ABSTAT_REGION_BEGIN(outer);
		pairs(10);
		ABSTAT_REGION_END(outer);
		if (pthread_create(&t, NULL, thread, &n))
			return 3;
		pthread_join(t, NULL);
		dlclose(library);
	}
	return 0;
}
END
cc -O2 -fPIC -shared -I"$include" one.c -o libone.so
cc -O2 -I"$include" two.c -o linked ./libone.so
is "a library's region" "$(calls work ./linked 500)" "calls 500 lost 0 unreturned 0 "
is "the program's around it" "$(calls outer ./linked 500)" "calls 1 lost 0 unreturned 0 "
"$abstat" stat -q -r 2 -e page-faults --scope region:outer --scope region:work -j -- ./linked 2000 >json
# With the library's region and without it are sums of the same readings. Without it may be less than 0, in
# time: what markers cost is a median of 15, and not the same where the machine is busy.
for metric in page-faults duration_time; do
	is "nesting is seen across them: $metric" "$(grep -oE "\"name\":\"(outer|work)/$metric.(total|self)\"[^}]*\"mean\":[0-9.e+-]+" json |
		sed -E 's/"name":"([a-z]*)\/[^"]*\.([a-z]*)".*:/\1.\2 /' | awk '{ v[$1] = $2 } END {
			d = v["outer.self"] + v["work.total"] - v["outer.total"]
			print (NR == 4 && d < 2 && d > -2) ? "yes" : "no: " NR " " d }')" yes
done
cc -O2 -I"$include" user.c -o user -ldl -lpthread
is "a library that comes and goes, with threads" "$(calls work ./user ./libone.so 20)" "calls 600 lost 0 unreturned 0 "
is "the program's beside it" "$(calls outer ./user ./libone.so 20)" "calls 20 lost 0 unreturned 0 "
cc -O2 -fPIC -I"$include" user.c -o user-pic -ldl -lpthread
is "a program of position-independent code" "$(calls outer ./user-pic ./libone.so 20)" "calls 20 lost 0 unreturned 0 "

echo "1..$number"
exit $((failed > 0))
