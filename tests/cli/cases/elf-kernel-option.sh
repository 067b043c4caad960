# The sizes of a kernel before and after an option, as they were published.
command -v cc >/dev/null || skip "there is no compiler"
build()
{
	printf '.text\n.globl f\nf: .skip %s\n.data\n.globl d\nd: .skip %s\n.bss\n.globl b\nb: .skip %s\n' \
		"$2" "$3" "$4" >"$1.s"
	cc -c "$1.s" -o "$1" || skip "the compiler does not assemble"
}
build before 16802349 2745968 1564672
build after 16802861 2746480 1564672
run abstat elf before after | sed -n '/Sizes/,/change/p'
