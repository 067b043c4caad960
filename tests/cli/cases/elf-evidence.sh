# In a comparison: what differs between the programs, or that their code is the same.
command -v cc >/dev/null || skip "there is no compiler"
cat >a.c <<'END'
#include <stdio.h>
const char text[] = TEXT;
int main(void) { printf("%s\n", text); return 0; }
END
cc -O2 -DTEXT='"v=100"' a.c -o a || skip "the compiler does not link"
cc -O2 -DTEXT='"v=200"' a.c -o b
sed 's/return 0/return puts(text) < 0/' a.c >c.c
cc -O2 -DTEXT='"v=100"' c.c -o c
# The line of evidence and the warning, or nothing, with words only.
judge()
{
	abstat compare -q -r 6 --extract 'v[,lower]=v=([0-9]+)' --primary v "$@" >out 2>&1
	echo "$* $?"
	tr -s ' \n' ' ' <out | grep -oE 'evidence: [^:]*: [^:.;]*|B is [a-z]* than A, but the code of both programs is the same' |
		sed -E 's/[0-9]+ functions?/N functions/'
}
judge ./a ./b
judge ./a ./c
judge --no-evidence ./a ./b
judge --shell ./a ./b
judge 'sh -c ./a' 'sh -c ./b'
printf '#!/bin/sh\n./a\n' >s
chmod +x s
judge ./s ./a
