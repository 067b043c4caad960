# A row a CPU of a scope: a program that calls it a known number of times on each of two CPUs.
[ "$(id -u)" = 0 ] || skip "needs root"
command -v cc >/dev/null || skip "needs a C compiler"
grep -qw uprobe_register /proc/kallsyms || skip "no uprobes in this kernel"
cat >two.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
static volatile char pages[1 << 24];
static _Atomic unsigned next;
static int cpus[2], times[2];
static void on(int i)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpus[i], &set);
	sched_setaffinity(0, sizeof(set), &set);
}
__attribute__((noipa)) void touch(unsigned n) { while (n--) pages[4096 * (next++ % 4096)] = 1; }
/* Begins on one CPU and ends on the other. */
__attribute__((noipa)) void move(void) { on(0); touch(3); on(1); touch(4); }
static void *thread(void *arg)
{
	int i = arg == &cpus[1];
	on(i);
	for (int n = times[i]; n > 0; n--)
		touch(i ? 5 : 20);
	return NULL;
}
int main(int argc, char **argv)
{
	cpu_set_t set;
	int n = 0;
	sched_getaffinity(0, sizeof(set), &set);
	for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
		if (CPU_ISSET(i, &set))
			cpus[n++] = i;
	if (argc < 3)
		return n == 2 ? !printf("%d %d\n", cpus[0], cpus[1]) : 1;
	times[0] = atoi(argv[1]);
	times[1] = atoi(argv[2]);
	on(0);
	if (argc > 3) {
		pthread_t threads[2];
		for (int i = 0; i < 2; i++)
			pthread_create(&threads[i], NULL, thread, &cpus[i]);
		for (int i = 0; i < 2; i++)
			pthread_join(threads[i], NULL);
		return 0;
	}
	for (int i = 0; i < 2; i++)
		thread(&cpus[i]);
	on(0);
	move();
	return 0;
}
END
cc -O1 -D_GNU_SOURCE -o two two.c -pthread
cpus=$(./two) || skip "needs two CPUs"
read -r first second <<<"$cpus"
# They are called so here, whichever they are.
named()
{
	sed "s,CPU$first/,FIRST/,g; s,CPU$second/,SECOND/,g"
}
of()
{
	field "$1" "\"name\":\"$2\"" <one.json
}
# The calls on each are exact, in every run. The one that moves is of the CPU that it ends on, and is one
# that was interrupted.
abstat stat -q -A -r 4 -e page-faults --scope touch --scope move -j -- ./two 30 50 | named >one.json
for metric in touch/calls touch/FIRST/calls touch/SECOND/calls move/calls move/FIRST/calls move/SECOND/calls move/interrupted; do
	echo "$metric $(of n $metric) $(of mean $metric) $(of sd $metric)"
done
of reason move/FIRST/page-faults
of cpu touch/SECOND/calls | sed "s/^$second$/second/"
# What they cost there adds up to what all cost: 30 calls of 20 pages and one of 3, 50 of 5 and one of 4;
# the pages of the code are among them.
for metric in touch/page-faults touch/FIRST/page-faults touch/SECOND/page-faults move/SECOND/page-faults; do
	declare "$(tr -c 'a-zA-Z\n' _ <<<"$metric")=$(of mean "$metric.total")"
done
holds "$touch_FIRST_page_faults + $touch_SECOND_page_faults == $touch_page_faults"
holds "$touch_FIRST_page_faults >= 603 && $touch_FIRST_page_faults <= 606"
holds "$touch_SECOND_page_faults >= 254 && $touch_SECOND_page_faults <= 257"
holds "$move_SECOND_page_faults >= 7 && $move_SECOND_page_faults <= 10"
holds "$(of mean touch/SECOND/page-faults) == $touch_SECOND_page_faults / 51"
# Both at a time.
abstat stat -q -A -r 3 -e page-faults --scope touch -j -- ./two 300 700 threads | named >one.json
for metric in touch/calls touch/FIRST/calls touch/SECOND/calls; do
	echo "$metric $(of mean $metric) $(of sd $metric)"
done
# As text; and without -A there are none.
abstat stat -q -A -r 2 -e page-faults --scope touch -- ./two 30 50 | named | normal |
	sed -n '/^ Scope/,/^$/p' | sed -E 's/, N % interrupted//'
abstat stat -q -r 2 -e page-faults --scope touch -x, -- ./two 30 50 | grep -c touch/CPU
# Only the scope's total is tested; the CPUs' rows have an interval. They can be had in expressions.
abstat compare -q -A -r 6 -e page-faults --scope touch --save=both -o both.txt --no-evidence \
	--metric 'there=touch/CPU'"$first"'/page-faults.total/touch/CPU'"$first"'/calls' './two 30 50' './two 50 30'
grep -E '/CPU[0-9]+/' both.txt | named | sed -E 's/(exact|\[.*\] .*)$/interval/' | awk '{ print $1, $NF }'
abstat report -j both | grep '"name":"touch.*"verdict"' | named |
	sed -nE 's/.*"name":"([^"]*)".*"p":([^,]*),"p_adjusted.*"verdict":("[a-z]*"|null).*/\1 p=\2 verdict=\3/p' |
	sed 's/p=[0-9].*/has a p/' | grep -E 'FIRST|SECOND|has'
abstat report both --metric 'more=there*2' -x, | grep -c '^.*,more,'
# The record has them: what it gives is what was printed, to the byte, resumed or not.
for format in text json; do
	rm -f kept
	abstat stat -q -A -r 3 -e page-faults --scope touch --save=kept -o "kept.$format" --format=$format -- ./two 30 50
	abstat report --format=$format kept | cmp - "kept.$format" && echo "$format is the same"
done
abstat stat -q -A -r 100 -e page-faults --scope touch --save=cut -- ./two 30 50 >/dev/null 2>&1 &
until [ -s cut ] && [ "$(wc -l <cut)" -gt 20 ]; do sleep 0.01; done
kill -TERM $!
wait $!
echo "status $?"
run taskset -c "$first" abstat stat -q --resume=cut
abstat stat -q --resume=cut -o resumed.txt
echo "status $?"
# What probing adds was calibrated again, and is said so.
sed -i '/^ note: /,$d' resumed.txt
abstat report cut | sed '/^ note: /,$d' | cmp - resumed.txt && echo "resumed is the same"
grep -oE "CPU$first/calls +[0-9]+" resumed.txt | tr -s ' ' | named
