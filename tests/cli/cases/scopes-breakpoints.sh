# Who may not use the kernel's probes measures by breakpoints of the processor: calls are exact.
[ "$(id -u)" = 0 ] || skip "needs root, to be somebody else"
command -v setpriv >/dev/null || skip "no setpriv"
command -v cc >/dev/null || skip "needs a C compiler"
grep -qw uprobe_register /proc/kallsyms || skip "no uprobes in this kernel"
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || skip "ordinary users may not count"
[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" -le 1 ] || skip "no ptrace"
case $(uname -m) in x86_64 | aarch64) ;; *) skip "another processor" ;; esac
there=$(mktemp -d /tmp/breakpoints.XXXXXX)
trap 'rm -rf "$there"' EXIT
chmod 755 "$there"
cp "$(readlink -f "$(command -v abstat)")" "$there/abstat" && chmod 755 "$there/abstat"
cat >calls.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#define APART __attribute__((noipa))
static volatile int sink;
APART int leaf(int n) { sink = n; return n + 1; }
APART int other(int n) { sink = n; return n + 2; }
APART int tree(int n) { return n < 2 ? 1 : tree(n - 1) + tree(n - 2) + sink; }
APART int jumps(int n) { sink = n; return leaf(n); }
APART int third(int n) { sink = n; return n + 3; }
APART int fourth(int n) { sink = n; return n + 4; }
static void *thread(void *n)
{
	for (int i = 0; i < 100000000; i++)
		sink = i;
	leaf(*(int *)n);
	return NULL;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), m = argc > 2;
	pthread_t t;

	for (int i = 0; i < n; i++)
		sink = leaf(i) + other(i) + third(i) + fourth(i);
	tree(10);
	jumps(n);
	if (m && !pthread_create(&t, NULL, thread, &n))
		pthread_join(t, NULL);
	return 0;
}
END
cc -O1 -foptimize-sibling-calls -pthread -fPIE -pie -o "$there/pie" calls.c
cc -O1 -foptimize-sibling-calls -pthread -fno-pie -no-pie -o "$there/fixed" calls.c
as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$there/abstat" "$@"; }
calls() { sed -nE 's/^ Scope ([a-z]*): ([0-9,]*) calls?.*/\1 \2/p'; }
# The same as by the kernel's probes, wherever the program is in memory, and with recursion.
for program in pie fixed; do
	for n in 1 137 2000; do
		for scopes in "--scope leaf --scope other" "--scope tree"; do
			abstat stat -q -r 2 -e page-faults --probed-only $scopes -- "$there/$program" $n 2>&1 | calls >root
			as_user stat -q -r 2 -e page-faults --probed-only $scopes -- "$there/$program" $n >user.out 2>&1
			calls <user.out >user
			[ -s user ] || cat user.out
			cmp root user && cat user
		done
	done
done
# How is said, and that other threads are not seen.
as_user stat -r 1 -e page-faults --probed-only --scope leaf -- "$there/pie" 5 thread >user.out 2>&1
calls <user.out
tr -s ' \n' ' ' <user.out | grep -o "other threads or processes ran.*run as root"
tr -s ' \n' ' ' <user.out | grep -o 'scopes are measured by execute breakpoints.*calls are not seen'
# What does not fit, or cannot be seen so.
refused() { sed -E "s,[^ ]*libc[^ ]*,LIBC,g; s/and [0-9]+ are free for a process here \([^)]*\)/and N are free/"; }
as_user stat -r 1 -e page-faults --scope leaf --scope other --scope third --scope fourth -- \
	"$there/pie" 5 2>&1 | refused
as_user stat -r 1 -e page-faults --scope jumps -- "$there/pie" 5 2>&1 | refused
as_user stat -r 1 -e page-faults --scope atoi -- "$there/pie" 5 2>&1 | refused
# A program that cannot be executed, or dies, does so.
cp "$there/pie" "$there/broken"
at=$(grep -abo '/lib[a-z0-9/._-]*ld-[a-z0-9._-]*' "$there/broken" | head -n 1 | cut -d: -f1)
printf '/nowhere' | dd of="$there/broken" bs=1 seek="$at" conv=notrunc 2>/dev/null
as_user stat -r 1 -e page-faults --probed-only --scope leaf -- "$there/broken" 5 2>&1 |
	grep -o 'the dynamic loader that it names does not'
abstat stat -r 1 -e page-faults --probed-only --scope leaf -- "$there/pie" 2>&1 | grep '^abstat' >root
as_user stat -r 1 -e page-faults --probed-only --scope leaf -- "$there/pie" 2>&1 | grep '^abstat' >user
cmp root user && wc -l <user
