# Between USDT markers of somebody else's program: Python, as distributions build it, has some around each
# collection of garbage and each import. They are behind semaphores: where nobody raises those, none is
# ever reached.
[ "$(id -u)" = 0 ] || skip "needs root"
command -v cc >/dev/null || skip "needs a C compiler"
grep -qw uprobe_register /proc/kallsyms || skip "no uprobes in this kernel"
# The markers are in the program or in its library.
python=
for program in /usr/bin/python3 $(command -v python3); do
	file=$(readlink -f "$program")
	library=$(ldd "$file" 2>/dev/null | sed -nE 's/.* => (.*libpython[^ ]*) .*/\1/p')
	if abstat list --scopes "${library:-$file}" python:gc__start >/dev/null 2>&1; then
		python=$file
		break
	fi
done
[ "$python" ] || skip "no Python that was built with USDT markers (Debian's package python3 is)"
has=${library:-$python}
gc=usdt:python:gc__start..python:gc__done

# They are listed with how they are measured, and in JSON.
abstat list --scopes "$has" python:gc__ | sed '/^$/d; s/; this user.*//; /^The file is stripped/d'
abstat list --scopes "$has" python:gc__done -j | grep -oE '"name":"usdt:python:gc__done","kind":"[^"]*","engine":"[^"]*"'

# As many as Python says that there were.
cat >collect.py <<'EOF'
import gc, os, sys
for i in range(int(sys.argv[1])):
    gc.collect()
print("collections", sum(g["collections"] for g in gc.get_stats()), flush=True)
os._exit(0)
EOF
calls() { field mean "\"name\":\"$1/calls\"" <json; }
collect()
{
	abstat stat -q -r 1 -e task-clock --probed-only --scope gc=$gc --extract 'said=collections ([0-9]+)' -j -- \
		"$python" -E -S collect.py "$1" >json
	said=$(field mean '"name":"said"' <json)
	[ "$(calls gc)" = "$said" ] || echo "$(calls gc) calls, Python says $said"
	echo "$said lost $(field mean '"name":"gc/lost"' <json) unreturned $(field mean '"name":"gc/unreturned"' <json)"
}
none=$(collect 0)
some=$(collect 137)
echo "$((${some%% *} - ${none%% *})) collections more; ${some#* }"
# Each takes time, which is not more than the run's.
took=$(field mean '"name":"gc/task-clock.total"' <json)
holds "$took > 0 && $took < $(field mean '"name":"probed/task-clock"' <json)"

# A pair that nests in itself: each module imports the next.
for i in $(seq 12); do
	echo "import m$((i + 1))" >"m$i.py"
done
echo "import os" >m13.py
nest()
{
	echo "import os$1; os._exit(0)" >nest.py
	abstat stat -q -r 1 -e task-clock --probed-only --scope load=usdt:python:import__find__load__start..import__find__load__done -j -- \
		"$python" -B -E -S nest.py >json
	calls load
}
none=$(nest "")
some=$(nest ", m1")
echo "$((some - none)) imports more, unreturned $(field mean '"name":"load/unreturned"' <json)"

# A marker that the compiler put into several places, as those of abstat/region.h in inlined functions.
cat >places.c <<'EOF'
#include <abstat/region.h>
#include <stdlib.h>
static inline __attribute__((always_inline)) void work(int n)
{
	ABSTAT_REGION_BEGIN(inner);
	__asm__ volatile("" : "+r"(n));
	if (n % 3 == 2) {
		ABSTAT_REGION_END(inner);
		return;
	}
	ABSTAT_REGION_END(inner);
}
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[1]); i++) {
		work(i);
		if (i % 2)
			work(argc);
	}
	return 0;
}
EOF
cc -O1 -I"$CASES/../../../include" -o places places.c
abstat stat -q -r 1 -e task-clock --probed-only --scope inner=usdt:abstat:inner__begin..inner__end -j -- ./places 200 >json
echo "$(calls inner) calls in several places, unreturned $(field mean '"name":"inner/unreturned"' <json)"

# The marker is behind a semaphore: a probe there without it is never reached.
events=$(for d in /sys/kernel/tracing /sys/kernel/debug/tracing; do ls "$d/uprobe_events" 2>/dev/null; done | head -n 1)
if [ "$events" ] && command -v readelf >/dev/null; then
	readelf -lW "$has" | grep LOAD >segments
	address=$(abstat list --scopes "$has" python:gc__start -j | field address python:gc__start)
	while read -r _ offset start _ size _; do
		if [ $((address)) -ge $((start)) ] && [ $((address - start)) -lt $((size)) ]; then
			at=$((address - start + offset))
		fi
	done <segments
	printf 'p:abstat_case/bare %s:0x%x\n' "$has" "$at" >>"$events"
	abstat stat -q -r 1 -e abstat_case:bare -j -- "$python" -E -S collect.py 10 | field mean '"name":"abstat_case:bare"'
	echo '-:abstat_case/bare' >>"$events"
else
	echo 0
fi

# What does not exist.
messages() { run abstat stat -q -r 1 --scope "$1" -- "$python" -E -S collect.py 0 | sed "s|$python|PYTHON|g; s|$has|PYTHON|g"; }
messages usdt:python:gc__strat..python:gc__done
messages usdt:python:gc__start..python:gc__don
messages usdt:pyhton:gc__start..gc__done
messages usdt:python:gc__start
