# As diff: 0 for the same, 1 for different; 128 for what cannot be read.
status()
{
	"$@" >/dev/null 2>message </dev/null
	echo "$? $(sed 's/^abstat: //' message)"
}
program=$(command -v sh)
status abstat elf "$program" "$program"
cp "$(readlink -f "$(command -v ls)")" ls
status abstat elf -j "$program" ls
head -c 3000 ls >cut
status abstat elf ls cut
head -c 100 /dev/zero >zeros
status abstat elf zeros ls
status abstat elf ls nothing
status abstat elf . ls
status abstat elf --function=no_such_function ls ls | sed "s/, as far.*//"
