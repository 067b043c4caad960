# Code is only called the same where that is known: not where functions have no symbols, where only the called
# function differs, nor where a machine's instructions are not understood and variables have moved.
command -v clang >/dev/null || skip "needs clang, which compiles for other machines"
command -v ld.lld >/dev/null || skip "needs lld, which links for other machines"
command -v strip >/dev/null || skip "there is no strip(1): binutils is not installed"
cat >calls.c <<'END'
int f(int), g(int);
static __attribute__((noinline)) int called(int x) { return CALL(x) * 3; }
int use(int x) { return called(x) + 1; }
int (*pointer)(int) = POINTER;
END
cat >whole.c <<'END'
static volatile int out;
int a = A, b = 2;
__attribute__((noinline)) int f(int x) { return x * 3; }
__attribute__((noinline)) int g(int x) { return x * 5; }
static __attribute__((noinline)) int called(int x) { return CALL(x) * 3; }
void _start(void) { out = called(a) + b; }
END
sed 's/int a = A, b = 2/int b = 2, a = A/' whole.c >swapped.c
compile()
{
	clang "--target=$1-linux-gnu" -O1 -g0 -w "${@:4}" -c "$2" -o "$3"
}
# What is said of two files: the status, the sentence, whether the code is the same.
judge()
{
	abstat elf -j "$1" "$2" >elf.json
	echo "$1 $2: $(grep -oE '"status":[0-9]*|"sentence":"[^"]*"|"same":[a-z]+' elf.json | head -n 3 |
		sed 's/"sentence"://; s/"//g' | tr '\n' ' ')"
}
for m in x86_64 riscv64 powerpc64; do
	compile $m calls.c $m-f.o -DCALL=f -DPOINTER=f
	compile $m calls.c $m-g.o -DCALL=g -DPOINTER=f
	compile $m calls.c $m-p.o -DCALL=f -DPOINTER=g
	judge $m-f.o $m-f.o
	judge $m-f.o $m-g.o
	judge $m-f.o $m-p.o
done
for k in f g; do
	strip -x x86_64-$k.o -o stripped-$k.o
done
judge stripped-f.o stripped-f.o
judge stripped-f.o stripped-g.o
for m in x86_64 mips; do
	for v in f:1 g:1 f:3; do
		compile $m whole.c part.o -DCALL=${v%:*} -DA=${v#*:}
		ld.lld -e _start part.o -o $m-${v/:/}
	done
	compile $m swapped.c part.o -DCALL=f -DA=1
	ld.lld -e _start part.o -o $m-swapped
	judge $m-f1 $m-g1
	judge $m-f1 $m-f3
	judge $m-f1 $m-swapped
done
for k in f1 g1; do
	strip -x x86_64-$k -o local-$k
	strip x86_64-$k -o none-$k
done
judge local-f1 local-g1
judge none-f1 none-g1
judge none-f1 none-f1
# A comparison says the same.
cat >main.c <<'END'
static volatile int in, out;
__attribute__((noinline)) int f(int x) { return x * 3; }
__attribute__((noinline)) int g(int x) { return x * 5; }
static __attribute__((noinline)) int called(int x) { return CALL(x) * 3; }
int main(void) { return (out = called(in)) & 0; }
END
for k in f g; do
	cc -O1 -fno-ipa-icf -DCALL=$k main.c -o local && strip -x local -o main-$k
done
abstat compare -q -r 3 --warmup 0 -e task-clock ./main-f ./main-g 2>/dev/null | tr -s ' \n' ' ' |
	grep -oE 'code outside of all functions differs|code is the same'
