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
command -v pgrep >/dev/null || skip "no pgrep"
# Once it has executed something; what it was told before that is the shell's affair.
for signal in TERM HUP; do
	# Where this is run by nohup, SIGHUP would be ignored.
	env --default-signal abstat stat -r 100000 -e page-faults --scope work -- ./works >out 2>err &
	until pgrep -P $! >/dev/null; do
		sleep 0.02
	done
	kill -"$signal" $!
	wait $!
	echo "status $?"
	grep -o "interrupted by SIG$signal" err
done
