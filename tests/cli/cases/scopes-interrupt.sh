# A signal while it is measured what probing adds ends that, with the same status as later.
command -v cc >/dev/null || skip "needs a C compiler"
cat >works.c <<'END'
static volatile int sink;
__attribute__((noipa)) int work(int n) { sink = n; return n + 1; }
int main(void)
{
	for (int i = 0; i < 100; i++)
		sink = work(i);
	return 0;
}
END
cc -O1 -o works works.c
abstat stat -r 1 -e page-faults --probed-only --scope work -- ./works >out 2>&1 || skip "no scopes here"
for signal in INT TERM; do
	for after in 0.2 0.6; do
		timeout --foreground --preserve-status -s "$signal" "$after" \
			abstat stat -r 100000 -e page-faults --scope work -- ./works >out 2>err
		echo "status $?"
		grep -o "interrupted by SIG$signal" err
	done
done
