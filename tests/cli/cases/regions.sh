# Regions that a program marks in its source: without privileges, and counted by the program itself.
command -v cc >/dev/null || skip "needs a C compiler"
cat >marked.c <<'END'
#include <abstat/region.h>
#include <stdlib.h>
static volatile char pages[1 << 22];
static unsigned next;
static void touch(unsigned n) { while (n--) pages[4096 * (next++ % 1024)] = 1; }
int main(int argc, char **argv)
{
	for (int i = 0; i < 10; i++) {
		ABSTAT_REGION_BEGIN(take);
		touch((unsigned)atoi(argv[1]));
		ABSTAT_REGION_END(take);
		ABSTAT_REGION_BEGIN(give);
		touch((unsigned)atoi(argv[2]));
		ABSTAT_REGION_END(give);
	}
	return argc != 3;
}
END
cc -O1 -I"$CASES/../../../include" -o marked marked.c
run_normal abstat stat -q -r 3 -e page-faults --scope region:take --scope gift=region:give -- ./marked 20 10 |
	sed -E 's/, N % interrupted//; /Effect of probing:/{:a;/runs\)/!{N;ba};s/(Effect of probing:).*/\1/}'
# How often they are called, and what they cost, is exact.
abstat stat -q -r 3 -e page-faults --scope region:take --scope gift=region:give -j -- ./marked 20 10 >one.json
for metric in take/calls take/lost take/page-faults.p50 gift/calls gift/page-faults.p50; do
	echo "$metric $(field mean "\"name\":\"$metric\"" <one.json)"
done
# In a program that the command starts.
abstat stat -q -r 2 -e page-faults --scope region:take -j -- sh -c './marked 20 10; ./marked 5 5; true' |
	field mean '"name":"take/calls"'
# Costs that moved.
abstat compare -q -r 10 -e page-faults --scope region:take --scope region:give --save=moved \
	'./marked 20 10' './marked 10 20' >moved.txt
abstat report -j moved | field sentence | grep -o 'The cost only moved (page-faults, a run): take'
# What there is not.
run abstat stat -q -r 2 --scope region:none -- ./marked 1 1 | sed "s|$PWD|.|"
run abstat stat -q -r 2 --scope region:take -- true | sed -E 's|\(/[^)]*\)|(true)|'
