# text, data and bss are what size(1) prints, for objects and libraries of other machines, 32 bits and big-endian ones
# among them.
command -v size >/dev/null || skip "there is no size(1): binutils is not installed"
command -v clang >/dev/null || skip "needs clang, which compiles for other machines"
command -v ld.lld >/dev/null || skip "needs lld, which links for other machines"
cat >one.c <<'END'
int counter, table[1000], filled[50] = {1};
static const char text[] = "a text";
const double constants[] = {1.5, 2.5, 3.5};
__attribute__((section(".init_array"))) void *start = &counter;
__thread int of_thread = 5, zero_of_thread[3];
int use(int x)
{
	switch (x) {
	case 0:
		return table[3] + of_thread;
	case 1:
		return filled[x] + zero_of_thread[x];
	case 2:
		return text[1];
	case 3:
		return counter;
	}
	return (int)constants[x & 1];
}
END
# Checks the file $1 of the machine $2.
check()
{
	size "$1" | awk 'NR > 1 { print $1, $2, $3, $4 }' >expected
	abstat elf -x, "$1" "$1" | awk -F, '$1 == "size" { v[$2] = $4 }
		END { print v["text"], v["data"], v["bss"], v["total"] }' >actual
	abstat elf -j "$1" "$1" | grep -oE '"(bits|byte_order)":[^,]*' | head -n 2 | sed 's/.*://' | tr -d '"' | tr '\n' ' '
	if [ -s expected ] && diff expected actual; then
		echo "$1: as size prints it"
	fi
}
for machine in aarch64 armv7 armebv7 i386 mips mipsel powerpc powerpc64 riscv32 s390x; do
	system=linux-gnu
	[[ $machine != arm* ]] || system=linux-gnueabi
	clang --target=$machine-$system -O2 -fPIC -c one.c -o $machine.o && check $machine.o
done
for machine in aarch64 armv7 i386 mips powerpc; do
	ld.lld -shared --unresolved-symbols=ignore-all $machine.o -o $machine.so && check $machine.so
done
