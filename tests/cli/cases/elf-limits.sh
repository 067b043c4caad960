# A function that is too long to be shown is refused at once, and a full disk is called one in every format.
for format in text json csv; do
	abstat elf -v --format=$format "$(command -v bash)" "$(command -v sh)" 2>&1 >/dev/full
done
abstat list -j 2>&1 >/dev/full
command -v as >/dev/null || skip "there is no as(1): binutils is not installed"
for n in 1 2; do
	printf '.globl f\n.type f,@function\nf: .fill 40000000,%d,0x90\nret\n.size f,.-f\n' $n | as -o $n.o
done
started=$SECONDS
run abstat elf --function=f 1.o 2.o
[ $((SECONDS - started)) -lt 5 ] || echo "after $((SECONDS - started)) s"
abstat elf --help | grep -E -- '--json|--verbose'
