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
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
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
	for (int i = 0; i < *(int *)n; i++)
		leaf(i);
	return NULL;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), threads = argc > 3 ? atoi(argv[3]) : 0;
	pthread_t t[8];

	for (int i = 0; i < n; i++)
		sink = leaf(i) + other(i) + third(i) + fourth(i);
	tree(10);
	jumps(n);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, thread, &n))
			return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	if (argc > 2 && !strcmp(argv[2], "fork")) {
		if (!fork()) {
			leaf(n);
			_exit(0);
		}
		wait(NULL);
	}
	if (argc > 2 && !strcmp(argv[2], "again"))
		execl(argv[0], argv[0], argv[1], "last", NULL);
	if (argc > 2 && !strcmp(argv[2], "other"))
		execl("/bin/true", "true", NULL);
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
# Each thread is followed, however many there are.
for threads in 1 8; do
	as_user stat -q -r 2 -e page-faults --probed-only --scope leaf -- "$there/pie" 100 - $threads 2>&1 | calls
done
# In a library from its first instruction on, also where it is mapped by what preloads it.
cat >library.c <<'END'
static volatile int sink;
__attribute__((noipa)) int inlib(int n) { sink = n; return n + 1; }
__attribute__((constructor)) static void begin(void) { inlib(1); }
__attribute__((destructor)) static void end(void) { inlib(2); }
END
cat >uses.c <<'END'
int inlib(int n);
int main(int argc, char **argv) { (void)argv; return inlib(argc) - argc - 1; }
END
cat >loads.c <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	(void)argc;
	return !dlopen(argv[1], RTLD_NOW);
}
END
cc -shared -fPIC -O1 -o "$there/library.so" library.c
cc -O1 -o "$there/uses" uses.c "$there/library.so"
cc -O1 -o "$there/loads" loads.c
abstat stat -q -r 2 -e page-faults --probed-only --scope inlib -- "$there/uses" 2>&1 | calls
as_user stat -q -r 2 -e page-faults --probed-only --scope inlib -- "$there/uses" 2>&1 | calls
as_user stat -q -r 2 -e page-faults --probed-only --scope "$there/library.so:inlib" -- \
	"LD_PRELOAD=$there/library.so $there/loads $there/library.so" 2>&1 | calls
# How is said, and that other processes are not seen.
as_user stat -r 1 -e page-faults --probed-only --scope leaf -- "$there/pie" 5 - 1 >user.out 2>&1
grep -c 'not all that ran' user.out
tr -s ' \n' ' ' <user.out | grep -o 'scopes are measured by execute breakpoints.*slower than without it'
for way in fork other; do
	as_user stat -r 1 -e page-faults --probed-only --scope leaf -- "$there/pie" 5 $way >user.out 2>&1
	grep '^ Scope' user.out
	tr -s ' \n' ' ' <user.out | grep -o "not all that ran.*run as root"
	grep -c 'NMI watchdog' user.out
done
# What is not known is no 0, and not better than what is.
as_user compare -j -r 3 --warmup 0 -e page-faults --scope third "$there/pie 7" "$there/pie 7 fork" 2>&1 | python3 -c '
import json, sys
page = json.load(sys.stdin)
for v in page["variants"]:
	for m in v["metrics"]:
		if m["name"] in ("third/calls", "third/unfollowed", "third/duration_time.total"):
			print(v["name"].split()[-1], m["name"], m["n"], m["reason"])'
# Where the program executes itself, as often as it likes, the breakpoints are set again.
as_user stat -r 2 -e page-faults --probed-only --scope leaf -- "$there/pie" 5 again >user.out 2>&1
calls <user.out
grep -c 'not all that ran' user.out
# A row a CPU is of the one that a thread was on, though a group of counters follows it everywhere.
last=$(sed -n 's/^Cpus_allowed_list:.*[^0-9]//p' /proc/self/status)
as_user stat -q -A --cpus="$last" -r 2 -e page-faults --probed-only --scope leaf -- "$there/pie" 100 - 3 2>&1 |
	grep -oE "CPU$last/calls +[0-9]+" | sed 's/CPU[0-9]*/CPU/' | tr -s ' '
# What does not fit, or cannot be seen so.
refused() { sed -E "s,$there,THERE,g; s/and [0-9]+ are free for a process here \([^)]*\)/and N are free/"; }
as_user stat -r 1 -e page-faults --scope leaf --scope other --scope third --scope fourth -- \
	"$there/pie" 5 2>&1 | refused
as_user stat -r 1 -e page-faults --scope jumps -- "$there/pie" 5 2>&1 | refused
as_user stat -r 1 -e page-faults --scope "$there/library.so:inlib" -- "$there/loads" "$there/library.so" 2>&1 | refused
# A program that cannot be executed, or dies, does so.
cp "$there/pie" "$there/broken"
at=$(grep -abo '/lib[a-z0-9/._-]*ld-[a-z0-9._-]*' "$there/broken" | head -n 1 | cut -d: -f1)
printf '/nowhere' | dd of="$there/broken" bs=1 seek="$at" conv=notrunc 2>/dev/null
as_user stat -r 1 -e page-faults --probed-only --scope leaf -- "$there/broken" 5 2>&1 |
	grep -o 'the dynamic loader that it names does not'
abstat stat -r 1 -e page-faults --probed-only --scope leaf -- "$there/pie" 2>&1 | grep '^abstat' >root
as_user stat -r 1 -e page-faults --probed-only --scope leaf -- "$there/pie" 2>&1 | grep '^abstat' >user
cmp root user && wc -l <user
