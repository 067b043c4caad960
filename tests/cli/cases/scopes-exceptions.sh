# Exceptions leave a function that is probed. One whose return address the kernel has to replace does
# not survive them, and the message says so.
[ "$(id -u)" = 0 ] || skip "needs root"
command -v g++ >/dev/null || skip "needs a C++ compiler"
grep -qw uprobe_register /proc/kallsyms || skip "no uprobes in this kernel"
cat >throws.cc <<'END'
static volatile int sum;
__attribute__((noipa)) int odd(int n) { if (n % 2) throw n; return n; }
__attribute__((noipa)) int inner(int n) { sum = odd(n); return n; }
int main(void)
{
	for (int i = 0; i < 20; i++)
		try {
			inner(i);
		} catch (int) {
		}
	return 0;
}
END
# The throw is in a cold part, which is no second function of the name.
g++ -O2 -o throws throws.cc
abstat stat -q -r 2 -e task-clock --probed-only --scope inner --scope odd -j -- ./throws >one.json
for metric in inner/calls inner/unreturned odd/calls odd/unreturned; do
	echo "$metric $(field mean "\"name\":\"$metric\"" <one.json)"
done
cat >last.cc <<'END'
__attribute__((noipa)) int odd(int n) { if (n % 2) throw n; return n; }
__attribute__((noipa)) int last(int n) { return odd(n + 1); }
int main(int argc, char **)
{
	try {
		return last(argc + 1);
	} catch (int) {
		return 0;
	}
}
END
g++ -O2 -o last last.cc
run abstat stat -q -r 2 --null --probed-only --scope last -- ./last
