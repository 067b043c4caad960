# Parts of a run: how often they are called and what they cost, beside the run without probes.
[ "$(id -u)" = 0 ] || skip "needs root"
command -v cc >/dev/null || skip "needs a C compiler"
grep -qw uprobe_register /proc/kallsyms || skip "no uprobes in this kernel"
cat >moves.c <<'END'
#include <stdlib.h>
static volatile char pages[1 << 22];
static unsigned next;
__attribute__((noipa)) static void touch(unsigned n) { while (n--) pages[4096 * (next++ % 1024)] = 1; }
__attribute__((noipa)) void take(unsigned n) { touch(n); }
__attribute__((noipa)) void give(unsigned n) { if (n) touch(n); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 10; i++) {
		take(atoi(argv[1]));
		give(atoi(argv[2]));
	}
	return 0;
}
END
cc -O1 -o moves moves.c
# A row an event, and what is in no scope. That a call was interrupted, and what probing adds, depends
# on the machine.
run_normal abstat stat -q -r 3 -e page-faults --scope take --scope give -- ./moves 20 10 |
	sed -E 's/, N % interrupted//; /Effect of probing:/{:a;/runs\)/!{N;ba};s/(Effect of probing:).*/\1/}; /^ note: /,/^$/d'
# How often they are called is exact.
abstat stat -q -r 3 -e page-faults --scope take --scope give --scope touch -j -- ./moves 20 10 >one.json
for metric in take/calls take/lost give/calls touch/calls; do
	echo "$metric $(field mean "\"name\":\"$metric\"" <one.json)"
done
# The pages of the code are among them.
take=$(field mean '"name":"take/page-faults.total"' <one.json)
both=$(field mean '"name":"touch/page-faults.total"' <one.json)
self=$(field mean '"name":"take/page-faults.self"' <one.json)
holds "$take > 195 && $take < 205 && $both > 295 && $both < 305 && $self < 5"
# A cost that moved; the metric of two scopes together is as it was.
abstat compare -q -r 10 -e page-faults --scope take --scope give --save=moved \
	--metric 'both=take/page-faults.total+give/page-faults.total' './moves 20 10' './moves 10 20' >moved.txt
abstat report -j moved | field sentence | grep -o 'The cost only moved (page-faults, a run): take'
abstat report -j moved | grep '"name":"both"' | tail -n 1 | field verdict
# It was lost: the whole is better. And the scope decides, where it is chosen.
abstat compare -q -r 10 -e page-faults --scope take --primary=take/page-faults.total './moves 20 10' './moves 10 10' |
	grep -o 'B is better than A: take/page-faults.total'
# Called less often: said before anything else.
abstat compare -q -r 10 -e page-faults --scope touch './moves 20 10' './moves 20 0' |
	grep -o 'The number of calls changed: touch is called 10 times a run instead of 20.'
# Half the runs.
abstat stat -q -r 4 -e page-faults --scope take --probed-only --save=only -- ./moves 1 1 >only.txt
grep -c '"probed":true,"start_ns"' only
grep -c 'Effect of probing' only.txt
run abstat stat -q -r 2 -e page-faults --scope take --metric 'x=take/page-faults.total+page-faults' -- ./moves 1 1
run abstat stat -q -r 2 --scope nosuch -- ./moves 1 1
# Of another file of the name nothing would be counted: that is no 0.
cp moves again
run abstat stat -q -r 2 -e page-faults --probed-only --scope take --prepare='cp moves new; mv new again' -- ./again 1 1 |
	sed "s,: /.*/,: ,"
cp moves again
run abstat stat -q -r 2 -e page-faults --probed-only --scope take --prepare='rm again; cp moves again' -- ./again 1 1 |
	sed "s,: /.*/,: ,"
