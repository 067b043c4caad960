# The kernel's probes and the processor's breakpoints measure the same: calls exactly, and time within its
# interval. What takes long stands apart from breakpoints: some processors are slower next to them.
[ "$(id -u)" = 0 ] || skip "needs root, to be somebody else"
command -v setpriv >/dev/null || skip "no setpriv"
command -v cc >/dev/null || skip "needs a C compiler"
command -v python3 >/dev/null || skip "needs Python"
grep -qw uprobe_register /proc/kallsyms || skip "no uprobes in this kernel"
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || skip "ordinary users may not count"
[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" -le 1 ] || skip "no ptrace"
case $(uname -m) in x86_64 | aarch64) ;; *) skip "another processor" ;; esac
there=$(mktemp -d /tmp/engines.XXXXXX)
trap 'rm -rf "$there"' EXIT
chmod 755 "$there"
cp "$(readlink -f "$(command -v abstat)")" "$there/abstat" && chmod 755 "$there/abstat"
cat >calls.c <<'END'
#define APART __attribute__((noinline, aligned(256)))
static volatile unsigned sink;
APART void spin(void)
{
	for (unsigned i = 0; i < 1200000; i++)
		sink = sink * 3 + 1;
}
APART void work(void)
{
	spin();
	sink = 1;
}
APART void around(void)
{
	for (int i = 0; i < 5; i++)
		work();
	sink = 2;
}
APART int main(void)
{
	for (int i = 0; i < 4; i++)
		around();
	return 0;
}
END
cc -O1 -o "$there/calls" calls.c
cat >judge.py <<'END'
import json, math, sys

def of(file, name):
    metrics = json.load(open(file))["variants"][0]["metrics"]
    return [m for m in metrics if m["name"].replace(":u", "") == name][0]

pairs = [("root%d" % i, "user%d" % i) for i in range(5)]
for scope, calls in ("work", 20), ("around", 4):
    counts = {of(f, scope + "/calls")[k] for p in pairs for f in p for k in ("min", "max")}
    if counts != {calls}:
        sys.exit("%s: calls: %s" % (scope, counts))
    means = [[of(f, scope + "/task-clock")["mean"] for f in p] for p in pairs]
    whole = sum(map(sum, means)) / 10
    differences = [b - a for a, b in means]
    mean = sum(differences) / 5
    # 99 %, of 4 degrees of freedom.
    half = 4.604 * math.sqrt(sum((d - mean) ** 2 for d in differences) / 4 / 5)
    if half > 0.25 * whole or abs(mean) > half:
        sys.exit("%s: a call took %.0f ns, by breakpoints %.0f +- %.0f more" % (scope, whole, mean, half))
END
measure()
{
	"$@" stat -j -q -r 4 -e task-clock --probed-only --scope work --scope around -- "$there/calls"
}
# In turns, as the machine is not always equally fast; and again where it was too busy to tell.
for attempt in 1 2 3; do
	for i in 0 1 2 3 4; do
		measure abstat >root$i 2>>messages
		measure setpriv --reuid=65534 --regid=65534 --clear-groups "$there/abstat" >user$i 2>>messages
	done
	if python3 judge.py 2>why; then
		break
	fi
	cat why >>messages
done
grep -c 'measured by uprobes' root0
grep -c 'measured by execute breakpoints' user0
if python3 judge.py; then
	echo "calls and times agree"
else
	cat messages
fi
