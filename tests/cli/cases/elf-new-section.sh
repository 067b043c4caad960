# Code that has no name, in a section that only one of the two has: whichever way they are compared.
cat >one.c <<'END'
int main(void)
{
	return 0;
}
END
cat >extra.s <<'END'
	.section .extra, "ax", @progbits
	.byte 1, 2, 3, 4, 5, 6, 7, 8
	.section .note.GNU-stack, "", @progbits
END
cc -O2 -o without one.c
cc -O2 -o with one.c extra.s
# Two words on purpose.
# shellcheck disable=SC2086
for order in 'without with' 'with without'; do
	abstat elf -j $order >elf.json
	python3 -c '
import json
code = json.load(open("elf.json"))["code"]
print(code["same"], [(f["name"], f["bytes"]["old"], f["bytes"]["new"]) for f in code["functions"]])'
	abstat elf $order | grep -o 'code outside.*'
done
