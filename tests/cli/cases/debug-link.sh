# Symbols that another file has, by its name: looked for beside the program, however that is given.
cat >program.c <<'END'
__attribute__((noipa)) static int work(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x;
}

int main(void)
{
	return work(0);
}
END
cc -O2 -Wl,--build-id=none -o program program.c
objcopy --only-keep-debug program program.debug
strip program
objcopy --add-gnu-debuglink=program.debug program
abstat list --scopes ./program work | awk '$1 == "work" { print $1 }'
mkdir elsewhere
mv program.debug elsewhere
abstat stat -r 1 --scope work ./program 2>&1 | grep -o 'install its debugging symbols (.*would have them)' |
	sed "s|$PWD|HERE|"
abstat stat -r 1 --scope work "$PWD/program" 2>&1 | grep -o 'install its debugging symbols (.*would have them)' |
	sed "s|$PWD|HERE|"
